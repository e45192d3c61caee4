package book_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/report/odata"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/wire"
	atlas "gangway/internal/world" // world is what lives share
)

// checkReport compares every column of each booking's row in the report with what is worked out
// without the booking and without the report: from the actions, the records that the customer's
// systems were sent with them, the audit log, and what the supplier says of the money.
func (l *life) checkReport() {
	whole, log := l.reported(report.FlightBookings, ""), l.auditLog()
	if list := l.all(); len(list) != len(whole) {
		l.t.Errorf("the report has %d rows of %d bookings", len(whole), len(list))
	}
	for _, row := range whole {
		want := l.told(log, row["BookingId"].(string)).row()
		for _, name := range slices.Sorted(maps.Keys(want)) {
			got, there := row[name]
			if !there || !same(got, want[name]) {
				l.t.Errorf("booking %s: %s is %v in the report; its actions say %v", row["Locator"], name, got,
					want[name])
			}
		}
		if len(row) != len(want) {
			l.t.Errorf("booking %s has %d columns; want %d", row["Locator"], len(row), len(want))
		}
	}
}

// checkColumns compares the report's rows read whole, which are copied, with their columns read one
// by one.
func (l *life) checkColumns() {
	for _, set := range report.Sets {
		whole, apart := l.reported(set, ""), l.reported(set, everyColumn(set))
		if !slices.EqualFunc(whole, apart, func(a, b map[string]any) bool { return maps.EqualFunc(a, b, same) }) {
			l.t.Errorf("%s, read whole and column by column, differs:\n%v\n%v", set.Name, whole, apart)
		}
	}
}

// reported reads a set of the account's report.
func (l *life) reported(set report.Set, options string) (rows []map[string]any) {
	req, err := odata.Parse(query.Schema, set.Name, options, odata.Options{Now: l.clock.Now()})
	if err != nil {
		l.t.Fatal(err)
	}
	err = l.in.Report(l.t.Context(), query.Request{Query: req.Query}, store.ReportAnswer{
		Row: func(r query.Row) error {
			read := json.NewDecoder(bytes.NewReader(append(r.AppendMembers([]byte("{")), '}')))
			read.UseNumber()
			var row map[string]any
			err := read.Decode(&row)
			rows = append(rows, row)
			return err
		}})
	if err != nil {
		l.t.Fatal(err)
	}
	return rows
}

// everyColumn asks for all columns of a set by their names, last first.
func everyColumn(set report.Set) string {
	var names []string
	for _, c := range set.Columns {
		names = append(names, c.Name)
	}
	slices.Reverse(names)
	return "$select=" + strings.Join(names, ",")
}

// same compares two values of a row; numbers are equal to the thousandth, in which they are kept.
func same(a, b any) bool {
	thousandths := func(v any) (int64, bool) {
		switch n := v.(type) {
		case json.Number:
			f, err := n.Float64()
			return int64(math.Round(f * 1000)), err == nil
		case int:
			return int64(n) * 1000, true
		case float64:
			return int64(math.Round(n * 1000)), true
		}
		return 0, false
	}
	if n, ok := thousandths(a); ok {
		m, ok := thousandths(b)
		return ok && n == m
	}
	return a == b
}

// A told is what is known of a booking without looking at it.
type told struct {
	auditLog
	entered  bookkeeping      // what people have entered, which is no action
	actions  []gangway.Action // with who and when
	record   record           // what the customer's systems were sent with the last action
	snapshot gangway.Booking  // what was kept with it
	order    flight.Order     // what the supplier says
}

// A record is what is read of the record that a customer's systems are sent.
type record struct {
	ID        string `json:"id"`
	Locator   string `json:"locator"`
	CreatedAt int64  `json:"created_at"`
	Passenger struct {
		LastName  string `json:"last_name"`
		FirstName string `json:"first_name"`
	} `json:"passenger"`
	CreatedBy struct {
		Name string `json:"name"`
	} `json:"created_by"`
	Segments []struct {
		Carrier       string `json:"carrier"`
		FlightNumber  string `json:"flight_number"`
		Origin        string `json:"origin"`
		Destination   string `json:"destination"`
		DepartureDate string `json:"departure_date"`
		DepartureTime string `json:"departure_time"`
		ArrivalDate   string `json:"arrival_date"`
		ArrivalTime   string `json:"arrival_time"`
		Connecting    bool   `json:"connecting"`
		CabinClass    string `json:"cabin_class"`
	} `json:"segments"`
	Tickets []string `json:"tickets"`
	Terms   struct {
		FareType string `json:"fare_type"`
	} `json:"terms"`
	Price struct {
		Total    json.Number `json:"total"`
		Currency string      `json:"ccy"`
	} `json:"price"`
	Metadata struct {
		Vessel         string            `json:"vessel"`
		VesselFlag     string            `json:"vessel_flag"`
		CustomFields   map[string]string `json:"custom_fields"`
		RejectReason   string            `json:"reject_reason"`
		RefundTotal    json.Number       `json:"refund_total"`
		RefundCurrency string            `json:"refund_ccy"`
	} `json:"metadata"`
}

// A bookkeeping is what people have entered about a booking.
type bookkeeping struct {
	noShow   any // bool, or nil: nobody has entered anything
	invoices []string
}

// told gathers what is known of a booking.
func (l *life) told(log auditLog, id string) told {
	t, ctx := l.t, l.t.Context()
	known := told{auditLog: log, entered: l.entered[id]}
	var err error
	if known.actions, err = l.in.History(ctx, id); err != nil {
		t.Fatal(err)
	}
	last, err := l.in.Snapshots(ctx, []store.PulledBooking{{Booking: id, Actions: known.actions}})
	if err != nil {
		t.Fatal(err)
	}
	known.snapshot = last[0]
	doc, err := wire.Booking(last[0], known.actions)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(doc, &known.record); err != nil {
		t.Fatal(err)
	}
	if known.order, err = l.behind.Order(ctx, last[0].Order); err != nil {
		t.Fatal(err)
	}
	return known
}

// An auditLog is what the audit log tells of an account.
type auditLog struct {
	account  gangway.Account
	people   map[string]string // names by e-mail
	settings []gangway.AuditEntry
}

func (l *life) auditLog() auditLog {
	account, err := l.in.Account(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	log := auditLog{account: account, people: map[string]string{gangway.System: gangway.System}}
	read := func(q store.AuditQuery) []gangway.AuditEntry {
		list, err := l.w.db.Audit(l.t.Context(), q, 1000)
		if err != nil {
			l.t.Fatal(err)
		}
		return list
	}
	for _, e := range read(store.AuditQuery{What: gangway.UserCreated}) {
		log.people[e.After["email"].(string)] = e.After["name"].(string)
	}
	log.settings = read(store.AuditQuery{Customer: account.Customer.ID, What: gangway.SettingsChanged})
	return log
}

// paid returns how the account paid for what was booked at an instant.
func (a auditLog) paid(at time.Time) string {
	method := "invoice"
	for _, e := range a.settings {
		if to, ok := e.After["payment_method"]; ok && e.At.Before(at) {
			method = to.(string)
		}
	}
	return method
}

// row works out the columns of the report.
func (k told) row() map[string]any {
	r, flights := k.record, k.record.Segments
	approved := k.when(func(i int) bool {
		return i > 0 && k.actions[i-1].Name == gangway.ApprovalRequired && k.actions[i].Name == gangway.Confirmed
	})
	rejected := k.when(func(i int) bool { return k.actions[i].Name == gangway.Declined })
	cancelled := k.when(k.isCancelled)
	first, final := flights[0], flights[len(flights)-1]
	route, numbers, airlines, connecting, km := []string{first.Origin}, []string{}, []string{}, 0.0, 0.0
	for i, f := range flights {
		if i > 0 && f.Origin != flights[i-1].Destination {
			route = append(route, f.Origin)
		}
		route, numbers = append(route, f.Destination), append(numbers, f.FlightNumber)
		name := f.Carrier // of an airline that is in no list
		if a, known := atlas.AirlineOf(f.Carrier); known {
			name = a.Name
		}
		if !slices.Contains(airlines, name) {
			airlines = append(airlines, name)
		}
		if f.Connecting {
			next := flights[i+1]
			connecting += instantAt(next.Origin, next.DepartureDate, next.DepartureTime).Sub(
				instantAt(f.Destination, f.ArrivalDate, f.ArrivalTime)).Minutes()
		}
		km += kilometres(f.Origin, f.Destination)
	}
	refund, currency := k.refund()
	return map[string]any{
		"BookingId": r.ID, "Locator": r.Locator, "State": k.state(),
		"Co2EmissionsKg": k.emissions(), "MileageKm": km,
		"CreatedAt":   inReport(k.snapshot.CreatedAt),
		"DepartureAt": inReport(instantAt(first.Origin, first.DepartureDate, first.DepartureTime)),
		"ArrivalAt":   inReport(instantAt(final.Destination, final.ArrivalDate, final.ArrivalTime)),
		"CancelledAt": inReport(cancelled.At),
		"FirstOrigin": first.Origin, "LastDestination": final.Destination, "FullRoute": strings.Join(route, "-"),
		"TotalConnectionDuration": connecting,
		"TenantId":                k.account.Customer.ID,
		"NoShow":                  k.entered.noShow,
		"RejectReason":            orNull(r.Metadata.RejectReason),
		"RejectedAt":              inReport(rejected.At), "ApprovedAt": inReport(approved.At),
		"PaymentMethod":           k.paid(k.snapshot.CreatedAt),
		"FrequentFlyerNumberUsed": r.Metadata.CustomFields[flies] != "",
		"PassengerLastName":       r.Passenger.LastName, "PassengerFirstName": r.Passenger.FirstName,
		"TermsFareType": r.Terms.FareType,
		"VesselName":    orNull(r.Metadata.Vessel), "VesselFlag": orNull(r.Metadata.VesselFlag),
		"PriceTotal": r.Price.Total, "PriceCurrency": r.Price.Currency,
		"CreatedByUserName":   k.people[k.actions[0].By],
		"ApprovedByUserName":  orNull(k.people[approved.By]),
		"RejectedByUserName":  orNull(k.people[rejected.By]),
		"CancelledByUserName": orNull(k.people[cancelled.By]),
		"CustomFieldsMap":     object(r.Metadata.CustomFields),
		"FlightNumbers":       strings.Join(numbers, ", "),
		"PNRs":                orNull(strings.Join(k.snapshot.PNRs, ", ")),
		"FarePlatingCarriers": orNull(k.snapshot.Plating),
		"AirlineNames":        strings.Join(airlines, ", "),
		"TicketNumbers":       orNull(strings.Join(r.Tickets, ", ")),
		"InvoiceNumbers":      orNull(strings.Join(k.entered.invoices, ", ")),
		"RefundTotal":         refund, "RefundCurrency": currency,
	}
}

// when returns the first action that is meant, or none.
func (k told) when(meant func(i int) bool) gangway.Action {
	for i, a := range k.actions {
		if meant(i) {
			return a
		}
	}
	return gangway.Action{}
}

// emissions are those that were kept with the last action, as the account reports them.
func (k told) emissions() any {
	e := k.snapshot.Emissions
	if k.account.Settings.RadiativeForcing && e.CO2eRFKg > 0 {
		return e.CO2eRFKg
	}
	return e.CO2eKg
}

// refund is what comes back: as the last action tells it or, while the money is on its way, as the
// supplier has promised it since.
func (k told) refund() (total, currency any) {
	if k.state() == string(gangway.RefundPending) && k.order.Refund != nil {
		promised := k.order.Refund
		if promised.Unknown {
			return nil, nil
		}
		return json.Number(promised.Amount.Decimal()), promised.Amount.Currency
	}
	if m := k.record.Metadata; m.RefundCurrency != "" {
		return m.RefundTotal, m.RefundCurrency
	}
	return nil, nil
}

// flies is the custom field of members who have a frequent flyer number.
const flies = "Frequent flyer"

// instantAt is when a clock at an airport shows a day and a time.
func instantAt(at, date, clock string) time.Time {
	when, err := time.ParseInLocation("2006-01-02 15:04", date+" "+clock, airport(at).Location())
	if err != nil {
		panic(err)
	}
	return when
}

// kilometres is the great-circle distance between two airports.
func kilometres(from, to string) float64 {
	return math.Round(atlas.DistanceKm(airport(from), airport(to)))
}

func airport(code string) atlas.Airport {
	a, known := atlas.AirportOf(code)
	if !known {
		panic("no airport " + code)
	}
	return a
}

// inReport is an instant as the report has it: in UTC, to the millisecond, null for none.
func inReport(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano)
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// object is a JSON object in a text; null for none.
func object(fields map[string]string) any {
	if len(fields) == 0 {
		return nil
	}
	doc, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(doc)
}
