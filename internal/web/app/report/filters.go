package report

import (
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/web/app/shell"
)

// Filters say which bookings a report is about. They are read from an address and written into it, so that a
// link shows the same report, and are a $filter of OData for whatever reads it.
type Filters struct {
	By          Basis
	From, To    gangway.Date // days in UTC, both included; empty: open
	State       gangway.State
	Vessel      string // its name in quotes, or part of a name
	Airline     string // its two-letter code, or part of the name of one of the airlines flown
	Origin      gangway.Airport
	Destination gangway.Airport
	Currency    string // of the price
	Fare        gangway.FareType
	Field       string // of the customer's own fields, by which bookings are grouped
	Value       string // of that field; empty: any

	// Wrong says by the name of a field what is wanted there; nothing is reported then.
	Wrong map[string]string
}

// A Basis is which day of a booking counts.
type Basis string

// The bases, as addresses have them.
const (
	ByBooking   Basis = "created"   // the day on which it was booked
	ByDeparture Basis = "departure" // the day on which the first flight leaves
)

// Column returns the column of the report that has the instant.
func (b Basis) Column() string {
	if b == ByDeparture {
		return "DepartureAt"
	}
	return "CreatedAt"
}

// usualMonths is how many months a report covers unless its address says something about days: the present one,
// and those before it.
const usualMonths = 12

var (
	airlineCode  = regexp.MustCompile(`^[A-Z0-9]{2}$`)
	currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)
)

// ReadFilters reads the filters of an address. An address that names neither "from" nor "to" is about this
// month and the eleven before, as a whole; an empty one of them is open. Values that make no sense are in
// Wrong, and select nothing.
func ReadFilters(q url.Values, today gangway.Date) Filters {
	f := Filters{
		By:    ByBooking,
		State: gangway.State(q.Get("state")), Vessel: typed(q, "vessel"), Airline: typed(q, "airline"),
		Origin:      gangway.Airport(strings.ToUpper(typed(q, "origin"))),
		Destination: gangway.Airport(strings.ToUpper(typed(q, "destination"))),
		Currency:    strings.ToUpper(typed(q, "currency")), Fare: gangway.FareType(q.Get("fare")),
		Field: typed(q, "field"), Value: typed(q, "value"),
		Wrong: map[string]string{},
	}
	if Basis(q.Get("by")) == ByDeparture {
		f.By = ByDeparture
	}
	if code := strings.ToUpper(f.Airline); airlineCode.MatchString(code) {
		f.Airline = code
	}
	from, to := shell.DayOf(q.Get("from"), today, gangway.Nearest), shell.DayOf(q.Get("to"), today, gangway.Nearest)
	f.From, f.To = cmp.Or(from.Date, gangway.Date(from.Typed)), cmp.Or(to.Date, gangway.Date(to.Typed))
	if !q.Has("from") && !q.Has("to") {
		var known bool
		if f.From, f.To, known = daysOf(q.Get("period"), today); !known {
			f.From, f.To, _ = daysOf("12-months", today)
		}
	}
	_, exact := quoted(f.Vessel)
	for _, field := range []struct {
		name, wanted string
		fits         bool
	}{
		{"by", "created or departure", known(q.Get("by"), "", string(ByBooking), string(ByDeparture))},
		{"from", "a day from 1970 to 2199", reportable(f.From)},
		{"to", "a day from 1970 to 2199", reportable(f.To)},
		{"vessel", "a name, or part of one", len(f.Vessel) <= longestName},
		{"vessel", "closed with a quote, as it begins with one", exact || !strings.HasPrefix(f.Vessel, `"`)},
		{"airline", "a code, or part of a name", len(f.Airline) <= longestName},
		{"state", "a state of bookings", f.State == "" || slices.Contains(gangway.States, f.State)},
		{"origin", "an airport's three letters, such as MNL", f.Origin == "" || f.Origin.WellFormed()},
		{"destination", "an airport's three letters, such as AMS", f.Destination == "" ||
			f.Destination.WellFormed()},
		{"currency", "three letters, such as USD", f.Currency == "" || currencyCode.MatchString(f.Currency)},
		{"field", "the name of a field of your own", len(f.Field) <= longestName && (f.Field != "" || f.Value == "")},
		{"value", "a value, or left empty", len(f.Value) <= longestName},
		{"fare", "marine or public", f.Fare == "" || f.Fare == gangway.Marine || f.Fare == gangway.Public},
	} {
		if !field.fits {
			f.Wrong[field.name] = "This must be " + field.wanted + "."
		}
	}
	for name, day := range map[string]shell.Day{"from": from, "to": to} {
		if day.Wrong != "" {
			f.Wrong[name] = day.Wrong
		}
	}
	if f.Wrong["from"] == "" && f.Wrong["to"] == "" && f.From != "" && f.To != "" && f.To < f.From {
		f.Wrong["to"] = "This must not be before the first day."
	}
	return f
}

// longestName is as long as stored names are at most.
const longestName = 255

// reportable reports whether a filter may have the day: it is empty, or bookings can be of it.
func reportable(d gangway.Date) bool {
	return d == "" || d.Valid() && d >= "1970-01-01" && d < "2200-01-01"
}

func typed(q url.Values, name string) string { return strings.TrimSpace(q.Get(name)) }

// known reports whether a value is one of some.
func known(value string, some ...string) bool { return slices.Contains(some, value) }

func firstOfMonth(d gangway.Date) gangway.Date { return d[:len("2026-01")] + "-01" }

func lastOfMonth(d gangway.Date) gangway.Date { return firstOfMonth(d).AddMonths(1).AddDays(-1) }

// Values returns the filters as the query of an address. It always names the days, so that a link to what
// is shown today shows the same tomorrow.
func (f Filters) Values() url.Values {
	q := url.Values{"from": {string(f.From)}, "to": {string(f.To)}}
	if f.By != ByBooking {
		q.Set("by", string(f.By))
	}
	for name, value := range map[string]string{"state": string(f.State), "vessel": f.Vessel, "airline": f.Airline,
		"origin": string(f.Origin), "destination": string(f.Destination), "currency": f.Currency,
		"fare": string(f.Fare), "field": f.Field, "value": f.Value} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// OData returns the filters as the value of $filter, or of filter() in $apply; empty: all bookings.
func (f Filters) OData() string { return f.ODataOf(report.FlightBookings.Name) }

// ODataOf is OData for the rows of a set: what they do not have themselves is that of their booking.
func (f Filters) ODataOf(set string) string {
	own := map[string][]string{report.Segments.Name: {"CreatedAt", "State", "VesselName"},
		report.HotelRequirements.Name: {"VesselName"}}[set]
	return f.condition(func(column string) string {
		if set == report.FlightBookings.Name || slices.Contains(own, column) {
			return column
		}
		return "Booking/" + column
	})
}

// condition returns the filters as a condition, with columns by the name that of gives them.
func (f Filters) condition(of func(column string) string) string {
	var all []string
	add := func(given bool, condition string) {
		if given {
			all = append(all, condition)
		}
	}
	add(f.From != "", of(f.By.Column())+" ge "+string(f.From)+"T00:00:00Z")
	if f.To != "" {
		add(true, of(f.By.Column())+" lt "+string(f.To.AddDays(1))+"T00:00:00Z")
	}
	add(f.State != "", of("State")+" eq "+literal(string(f.State)))
	if name, exact := quoted(f.Vessel); exact {
		add(true, of("VesselName")+" eq "+literal(name))
	} else {
		add(f.Vessel != "", "contains(tolower("+of("VesselName")+"),tolower("+literal(f.Vessel)+"))")
	}
	if airlineCode.MatchString(f.Airline) {
		add(true, of("FarePlatingCarriers")+" eq "+literal(f.Airline))
	} else {
		add(f.Airline != "", "contains(tolower("+of("AirlineNames")+"),tolower("+literal(f.Airline)+"))")
	}
	add(f.Origin != "", of("FirstOrigin")+" eq "+literal(string(f.Origin)))
	add(f.Destination != "", of("LastDestination")+" eq "+literal(string(f.Destination)))
	add(f.Currency != "", of("PriceCurrency")+" eq "+literal(f.Currency))
	add(f.Fare != "", of("TermsFareType")+" eq "+literal(string(f.Fare)))
	add(f.Value != "", "contains("+of("CustomFieldsMap")+","+literal(f.fieldText())+")")
	return strings.Join(all, " and ")
}

// fieldText is what the texts of CustomFieldsMap have of bookings with the value: a name and a text of JSON, as
// package report writes them.
func (f Filters) fieldText() string {
	doc, _ := json.Marshal(map[string]string{f.Field: f.Value}) // texts can always be written
	return strings.Trim(string(doc), "{}")
}

// quoted returns what stands in quotes, and whether s does.
func quoted(s string) (string, bool) {
	if len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1], true
	}
	return s, false
}

// literal writes a text as OData has it.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
