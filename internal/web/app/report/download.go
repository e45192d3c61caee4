package report

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gangway"
	"gangway/internal/report"
	"gangway/internal/report/files"
	"gangway/internal/report/odata"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A choice is what somebody wants in a file: rows of a set, those that the filters select, and columns.
// Of other sets than the bookings they are those of their own days, and of bookings that the other filters
// select.
type choice struct {
	Filters
	Set     *odata.EntitySet
	Columns []string // names, in the set's order; empty: all of them
}

// readChoice reads a choice from an address. Columns that the set does not have are no columns of it.
func readChoice(q url.Values, today gangway.Date) choice {
	c := choice{Filters: ReadFilters(q, today), Set: query.Schema.Sets[0]}
	for _, s := range query.Schema.Sets {
		if s.Name == q.Get("set") {
			c.Set = s
		}
	}
	switch {
	case !c.leadsToBookings() && c.day() == "":
		c.Filters = Filters{By: ByBooking, Wrong: c.Wrong}
	case !c.leadsToBookings():
		c.Filters = Filters{By: ByBooking, From: c.From, To: c.To, Wrong: c.Wrong}
	case !c.ofBookings():
		c.By = ByBooking
	}
	for _, p := range c.Set.Properties {
		if slices.Contains(q["column"], p.Name) {
			c.Columns = append(c.Columns, p.Name)
		}
	}
	if len(c.Columns) == len(c.Set.Properties) {
		c.Columns = nil
	}
	return c
}

func (c choice) ofBookings() bool { return c.Set == query.Schema.Sets[0] }

// leadsToBookings reports whether the rows are bookings, or each of a booking.
func (c choice) leadsToBookings() bool { return c.ofBookings() || c.Set.Navigation("Booking") != nil }

// day returns the column whose days the filters are about; empty: the set has none.
func (c choice) day() string {
	if c.ofBookings() {
		return c.By.Column()
	}
	for _, s := range report.Sets {
		if s.Name == c.Set.Name {
			return s.Newest
		}
	}
	return ""
}

// where returns the filters as the value of $filter; empty: all rows.
func (c choice) where() string {
	if c.ofBookings() {
		return c.OData()
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

// Values returns the choice as the query of an address.
func (c choice) Values() url.Values {
	q := c.Filters.Values()
	if !c.ofBookings() {
		q.Set("set", c.Set.Name)
	}
	for _, name := range c.Columns {
		q.Add("column", name)
	}
	return q
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
	About   string   // what the filters say of rows that are no bookings
	Day     string   // the column that has the days; empty: there is none
	Sets    []choice // every set with the same filters, if there are several
	Rows    int      // that the filters select
	Sheets  int      // of a workbook with as many
	Columns []columnLine
	Watch   string // names the download to the stream of its progress
	Sent    transfer
}

type columnLine struct {
	Name, About string
	On          bool
}

// Download shows what there is to download: how many rows the filters select, and the columns.
func (room *Room) Download(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	c := readChoice(r.URL.Query(), gangway.DateOf(room.Now().UTC()))
	filters := ReadFilters(r.URL.Query(), gangway.DateOf(room.Now().UTC()))
	p := downloadPage{Choice: c, About: c.about(), Day: c.day(), Watch: rand.Text()}
	if len(c.Wrong) > 0 {
		return room.Redirect(w, r, "/report?"+r.URL.RawQuery) // which says what is wrong
	}
	rows, err := room.rowsOf(r, in, c)
	if err != nil {
		return err
	}
	if p.Rows, err = rows.count(r.Context()); err != nil {
		return err
	}
	p.Sheets = 1 + max(0, p.Rows-1)/(files.SheetRows-1)
	if len(query.Schema.Sets) > 1 {
		for _, s := range query.Schema.Sets {
			p.Sets = append(p.Sets, choice{Filters: filters, Set: s})
		}
	}
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
	case c.leadsToBookings():
		return "The days are about " + c.day() + ", the other filters about the bookings that these rows are of."
	case c.day() != "":
		return "Only the days apply, to " + c.day() + ": the other filters are about bookings."
	}
	return "The filters are about bookings: here are all rows."
}

// words says in a line which rows are chosen.
func (c choice) words() string {
	var all []string
	for _, f := range c.facts() {
		if c.ofBookings() {
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
	day := map[Basis]string{ByBooking: "Booked", ByDeparture: "Leaving"}[c.By]
	if !c.ofBookings() {
		day = c.day()
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
		{Name: "Fare", Value: string(c.Fare)},
	} {
		if f.Value != "" {
			facts = append(facts, f)
		}
	}
	return facts
}
