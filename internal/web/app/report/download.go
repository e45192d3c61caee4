package report

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/report/files"
	"gangway/internal/report/odata"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A choice is what somebody wants in a file: rows of a set, those that the filters select, and columns.
// Of other sets than the bookings they are those of their own days, or of days of departure, and of bookings
// that the other filters select.
type choice struct {
	Filters         // those that can apply to the set
	Report  Filters // those of the report that it was chosen in
	Set     *odata.EntitySet
	Columns []string // names, in the set's order; empty: all of them
	also    string   // a condition besides the filters
	Refused string   // says why there is no such file; empty: there is
}

// readChoice reads a choice from an address. Columns that the set does not have are no columns of it.
func readChoice(q url.Values, today gangway.Date) choice {
	filters := ReadFilters(q, today)
	c := choice{Filters: filters, Report: filters, Set: query.Schema.Sets[0]}
	if name := q.Get("set"); name != "" {
		at := slices.IndexFunc(query.Schema.Sets, func(s *odata.EntitySet) bool { return s.Name == name })
		if at < 0 {
			c.Refused = fmt.Sprintf("the report has no set %q", name)
			return c
		}
		c.Set = query.Schema.Sets[at]
	}
	if !c.leadsToBookings() {
		c.Filters = Filters{By: ByBooking, Vessel: c.Vessel, Wrong: c.Wrong}
		if c.newest() != "" {
			c.From, c.To = filters.From, filters.To
		}
	}
	for _, p := range c.Set.Properties {
		if slices.Contains(q["column"], p.Name) {
			c.Columns = append(c.Columns, p.Name)
		}
	}
	if len(c.Columns) == 0 && (q.Has("column") || q.Has("choose")) {
		c.Refused = "no column of " + c.Set.Name + " was chosen: tick at least one"
	}
	if len(c.Columns) == len(c.Set.Properties) {
		c.Columns = nil
	}
	return c
}

// For returns the choice for a page that leads to rows of a set.
func (c choice) For(set *odata.EntitySet) url.Values {
	q := c.Report.Values()
	q.Set("set", set.Name)
	return q
}

func (c choice) ofBookings() bool { return c.Set == query.Schema.Sets[0] }

// leadsToBookings reports whether the rows are bookings, or each of a booking.
func (c choice) leadsToBookings() bool { return c.ofBookings() || c.Set.Navigation("Booking") != nil }

// day returns the column whose days the filters are about, of the rows or of their bookings; empty: there is none.
func (c choice) day() string {
	if c.ofBookings() || c.By == ByDeparture {
		return c.By.Column()
	}
	return c.newest()
}

// newest returns the column by which the newest rows come first; empty: they come in another order.
func (c choice) newest() string {
	for _, s := range report.Sets {
		if s.Name == c.Set.Name {
			return s.Newest
		}
	}
	return ""
}

// where returns the filters as the value of $filter; empty: all rows.
func (c choice) where() string {
	if c.ofBookings() || c.By == ByDeparture {
		conditions := []string{c.ODataOf(c.Set.Name), c.also}
		return strings.Join(slices.DeleteFunc(conditions, func(s string) bool { return s == "" }), " and ")
	}
	var all []string
	if c.From != "" {
		all = append(all, c.day()+" ge "+string(c.From)+"T00:00:00Z")
	}
	if c.To != "" {
		all = append(all, c.day()+" lt "+string(c.To.AddDays(1))+"T00:00:00Z")
	}
	others := c.Filters
	others.From, others.To = "", ""
	if of := others.ODataOf(c.Set.Name); of != "" {
		all = append(all, of)
	}
	return strings.Join(all, " and ")
}

// request returns the choice as what the store is asked.
func (c choice) request(room *Room) (query.Request, error) {
	options := url.Values{"$count": {"true"}}
	if where := c.where(); where != "" {
		options.Set("$filter", where)
	}
	if len(c.Columns) > 0 {
		options.Set("$select", strings.Join(c.Columns, ","))
	}
	read, err := odata.Parse(query.Schema, "/"+c.Set.Name, options.Encode(), odata.Options{Now: room.Now()})
	if err != nil {
		return query.Request{}, err
	}
	req, err := query.For(read)
	req.Apart = true
	return req, err
}

// A downloadPage is where somebody chooses what is in a file.
type downloadPage struct {
	Choice  choice
	About   string // what the filters say of rows that are no bookings
	Newest  bool   // the newest rows come first
	Sets    []*odata.EntitySet
	Rows    int // that the filters select
	Sheets  int // of a workbook with as many
	Columns []columnLine
}

type columnLine struct {
	Name, About string
	On          bool
}

// Download shows what there is to download: how many rows the filters select, and the columns.
func (room *Room) Download(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	c := readChoice(r.URL.Query(), gangway.DateOf(room.Now().UTC()))
	p := downloadPage{Choice: c, About: c.about(), Newest: c.newest() != "", Sets: query.Schema.Sets}
	if len(c.Wrong) > 0 {
		return room.Redirect(w, r, "/report?"+r.URL.RawQuery) // which says what is wrong
	}
	if c.Refused != "" {
		return gangway.Errorf(gangway.Invalid, "%s", c.Refused)
	}
	v, _ := shell.VisitorOf(r.Context())
	rows, err := room.rowsOf(r.Context(), in, v.User.ID, c)
	if err != nil {
		return err
	}
	if p.Rows, err = rows.count(r.Context()); err != nil {
		return err
	}
	p.Sheets = 1 + max(0, p.Rows-1)/(files.SheetRows-1)
	for _, property := range c.Set.Properties {
		p.Columns = append(p.Columns, columnLine{property.Name, property.Description,
			len(c.Columns) == 0 || slices.Contains(c.Columns, property.Name)})
	}
	return room.Show(w, r, shell.Page{Template: "download", Section: "report", Title: "Download",
		Answer: shell.Plural(p.Rows, "row", "rows") + ": " + c.words(), Data: p})
}

// about says what the filters, which are about bookings, mean for other rows; empty: these are bookings.
func (c choice) about() string {
	switch {
	case c.ofBookings():
		return ""
	case c.leadsToBookings() && c.By == ByDeparture:
		return "The filters, with the days of departure, are about the bookings that these rows are of."
	case c.leadsToBookings():
		return "The days are about " + c.day() + ", the other filters about the bookings that these rows are of."
	case c.newest() != "":
		return "Only the days, of " + c.newest() + ", and the vessel apply: the other filters are about bookings."
	}
	return "Only the vessel applies: the other filters are about bookings."
}

// words says in a line which rows are chosen.
func (c choice) words() string {
	var all []string
	for _, f := range c.facts() {
		if f.Name != c.day() {
			f.Name = strings.ToLower(f.Name)
		}
		all = append(all, f.Name+" "+f.Value)
	}
	if len(all) == 0 {
		return "all there are"
	}
	return strings.Join(all, ", ")
}

// facts are the filters, for people.
func (c choice) facts() (facts []files.Fact) {
	day := c.day()
	if words, known := map[string]string{"CreatedAt": "Booked", "DepartureAt": "Leaving"}[day]; known {
		day = words
	}
	switch {
	case c.From != "" && c.To != "":
		facts = append(facts, files.Fact{Name: day,
			Value: shell.DateInWords(c.From) + " to " + shell.DateInWords(c.To)})
	case c.From != "":
		facts = append(facts, files.Fact{Name: day, Value: "since " + shell.DateInWords(c.From)})
	case c.To != "":
		facts = append(facts, files.Fact{Name: day, Value: "until " + shell.DateInWords(c.To)})
	}
	for _, f := range []files.Fact{
		{Name: "State", Value: strings.ReplaceAll(string(c.State), "_", " ")}, {Name: "Vessel", Value: c.Vessel},
		{Name: "Airline", Value: c.Airline}, {Name: "From", Value: string(c.Origin)},
		{Name: "To", Value: string(c.Destination)}, {Name: "Currency", Value: c.Currency},
		{Name: "Fare", Value: string(c.Fare)}, {Name: c.Field, Value: c.Value},
	} {
		if f.Value != "" {
			facts = append(facts, f)
		}
	}
	return facts
}
