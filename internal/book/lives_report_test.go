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
	atlas "gangway/internal/world" // world is what lives share
)

// checkReport compares every column of each booking's row in the report with what is worked out
// without the report and without the booking as it is stored: from the actions and their last snapshot, the audit log,
// and what the supplier says of the money.
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

// checkColumns compares the rows of every set read whole, which are copied, with their columns read one by one.
func (l *life) checkColumns() {
	for _, set := range report.Sets {
		var names []string
		for _, c := range set.Columns {
			names = append(names, c.Name)
		}
		whole, apart := l.reported(set, ""), l.reported(set, "$select="+strings.Join(names, ","))
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
	done(l.t, l.in.Report(l.t.Context(), query.Request{Query: req.Query}, store.ReportAnswer{
		Row: func(r query.Row) error {
			read := json.NewDecoder(bytes.NewReader(append(r.AppendMembers([]byte("{")), '}')))
			read.UseNumber()
			var row map[string]any
			err := read.Decode(&row)
			rows = append(rows, row)
			return err
		}}))
	return rows
}

// same compares two values of a row; numbers are equal to the thousandth, in which they are kept.
func same(a, b any) bool {
	thousandths := func(v any) (int64, bool) {
		switch n := v.(type) {
		case json.Number:
			f, err := n.Float64()
			return int64(math.Round(f * 1000)), err == nil
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
	entered bookkeeping      // what people have entered, which is no action
	actions []gangway.Action // with who and when
	b       gangway.Booking  // the last action's snapshot
	order   flight.Order     // what the supplier says
}

// A bookkeeping is what people have entered about a booking.
type bookkeeping struct {
	noShow   any // bool, or nil: nobody has entered anything
	invoices []string
}

// told gathers what is known of a booking.
func (l *life) told(log auditLog, id string) told {
	ctx := l.t.Context()
	known := told{auditLog: log, entered: l.entered[id], actions: must(l.in.History(ctx, id))(l.t)}
	known.b = must(l.in.Snapshots(ctx, []store.PulledBooking{{Booking: id, Actions: known.actions}}))(l.t)[0]
	known.order = must(l.behind.Order(ctx, known.b.Order))(l.t)
	return known
}

// An auditLog is what the audit log tells of an account.
type auditLog struct {
	account  gangway.Account
	people   map[string]string // names by e-mail
	settings []gangway.AuditEntry
}

func (l *life) auditLog() auditLog {
	log := auditLog{account: must(l.in.Account(l.t.Context()))(l.t),
		people: map[string]string{gangway.System: gangway.System}}
	read := func(q store.AuditQuery) []gangway.AuditEntry { return must(l.w.db.Audit(l.t.Context(), q, 1000))(l.t) }
	for _, e := range read(store.AuditQuery{What: gangway.UserCreated}) {
		log.people[e.After["email"].(string)] = e.After["name"].(string)
	}
	log.settings = read(store.AuditQuery{Customer: log.account.Customer.ID, What: gangway.SettingsChanged})
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
	b, flights := k.b, k.b.Itinerary.Segments
	approved := k.when(func(i int) bool {
		return i > 0 && k.actions[i-1].Name == gangway.ApprovalRequired && k.actions[i].Name == gangway.Confirmed
	})
	rejected := k.when(func(i int) bool { return k.actions[i].Name == gangway.Declined })
	cancelled := k.when(func(i int) bool {
		return k.actions[i].Name == gangway.RefundPending || k.actions[i].Name == gangway.Cancelled
	})
	first, final := flights[0], flights[len(flights)-1]
	route, numbers, airlines, connecting, km := []string{string(first.Origin)}, []string{}, []string{}, 0.0, 0.0
	for i, f := range flights {
		if i > 0 && f.Origin != flights[i-1].Destination {
			route = append(route, string(f.Origin))
		}
		route, numbers = append(route, string(f.Destination)), append(numbers, f.FlightNumber)
		name := f.Carrier // of an airline that is in no list
		if a, known := atlas.AirlineOf(f.Carrier); known {
			name = a.Name
		}
		if !slices.Contains(airlines, name) {
			airlines = append(airlines, name)
		}
		if b.Itinerary.Connecting(i) {
			connecting += flights[i+1].Departure.Sub(f.Arrival).Minutes()
		}
		km += math.Round(atlas.DistanceKm(airport(string(f.Origin)), airport(string(f.Destination))))
	}
	co2 := b.Emissions.CO2eKg
	if k.account.Settings.RadiativeForcing && b.Emissions.CO2eRFKg > 0 {
		co2 = b.Emissions.CO2eRFKg
	}
	refund, currency := k.refund()
	return map[string]any{
		"BookingId": b.ID, "Locator": b.Locator, "State": string(k.actions[len(k.actions)-1].Name),
		"Co2EmissionsKg": co2, "MileageKm": km,
		"CreatedAt": inReport(b.CreatedAt), "DepartureAt": inReport(first.Departure),
		"ArrivalAt": inReport(final.Arrival), "CancelledAt": inReport(cancelled.At),
		"FirstOrigin": string(first.Origin), "LastDestination": string(final.Destination),
		"FullRoute": strings.Join(route, "-"), "TotalConnectionDuration": connecting,
		"TenantId": k.account.Customer.ID, "NoShow": k.entered.noShow,
		"RejectReason": orNull(rejected.Note), "RejectedAt": inReport(rejected.At), "ApprovedAt": inReport(approved.At),
		"PaymentMethod":           k.paid(b.CreatedAt),
		"FrequentFlyerNumberUsed": b.Purpose.CustomFields[flies] != "",
		"PassengerLastName":       b.Passenger.LastName, "PassengerFirstName": b.Passenger.FirstName,
		"TermsFareType": string(b.Terms.FareType),
		"VesselName":    orNull(b.Purpose.Vessel), "VesselFlag": orNull(string(b.Purpose.Flag)),
		"PriceTotal": json.Number(b.Price.Total.Decimal()), "PriceCurrency": b.Price.Total.Currency,
		"CreatedByUserName":   k.people[k.actions[0].By],
		"ApprovedByUserName":  orNull(k.people[approved.By]),
		"RejectedByUserName":  orNull(k.people[rejected.By]),
		"CancelledByUserName": orNull(k.people[cancelled.By]),
		"CustomFieldsMap":     object(b.Purpose.CustomFields),
		"FlightNumbers":       strings.Join(numbers, ", "),
		"PNRs":                orNull(strings.Join(b.PNRs, ", ")),
		"FarePlatingCarriers": orNull(b.Plating),
		"AirlineNames":        strings.Join(airlines, ", "),
		"TicketNumbers":       orNull(strings.Join(b.Tickets, ", ")),
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

// refund is what comes back: as the last snapshot tells it or, while the money is on its way, as the
// supplier has promised it since.
func (k told) refund() (total, currency any) {
	r := k.b.Refund
	if k.actions[len(k.actions)-1].Name == gangway.RefundPending && k.order.Refund != nil {
		r = k.order.Refund
	}
	if r == nil || r.Unknown {
		return nil, nil
	}
	return json.Number(r.Amount.Decimal()), r.Amount.Currency
}

// flies is the custom field of members who have a frequent flyer number.
const flies = "Frequent flyer"

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
