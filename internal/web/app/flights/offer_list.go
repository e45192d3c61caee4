package flights

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// An OfferList is the flights for one member of a search, each with its fares. The template "offers" shows
// it on the page of one traveller and within a crew change.
type OfferList struct {
	Search    string
	Member    int
	Who       string // named above the list where it is one of several
	Crew      bool   // one of several, so that offers can be chosen as well as held
	Rows      []*flightRow
	Total     int // found
	Matching  int // of those, how many pass the filters
	Sorts     map[string]sortChoice
	More      url.Values // the query that shows further rows; nil when all are shown
	Query     url.Values // the page's own
	Searching bool
	Past      string           // what the account's clock says, where the day asked for is over by it
	Wrong     string           // why there may be offers that were not found
	AutoIssue bool             // the account's policy is to issue holds automatically
	From      gangway.Money    // the cheapest fare for crew that passes the filters; of any fare where there is none
	FromAny   bool             // crew may use none of the fares
	Fares     gangway.FareRule // what crew need
	Barred    bool             // some flights may not be used at any fare
	Passenger PassengerForm
	Twice     []TwiceRow // what the traveller has booked around the same days
	Booked    *MemberBooking
	Seen      string // the chosen offer
	For       string // the plan that the offers are for
	Filtered  bool
	Compared  []*offerListRow
	Legs      int
	Columns   columns
	Roads     []string // how far the airports are from the port: "by road 1 h 56 from AMS, 3 h 25 from BRU"
	Currency  string   // of all prices; empty: they differ
}

// columns are those that depend on what was found.
type columns struct {
	Spare bool            // arrivals are due by some time
	Port  bool            // the way continues by road
	To    gangway.Airport // where all arrive; empty: they differ
}

// Count is how many columns the list has.
func (c columns) Count() int {
	n := 5
	for _, there := range []bool{c.Spare, c.Port} {
		if there {
			n++
		}
	}
	return n
}

// A flightRow is one way to fly, with its fares beside each other.
type flightRow struct {
	laid  *laidOffer // of its best fare
	Fares []*offerListRow
	marks []plan.Mark   // in what it stands out
	Open  *offerListRow // the fare whose rules are shown below, with what can be done with it
}

// An offerListRow is an offer that can be held or chosen: one fare of a flight.
type offerListRow struct {
	*OfferRow
	laid     *laidOffer
	Chosen   bool
	Picked   bool      // for comparison
	Ref      string    // of the open one: the offer as forms carry it
	Booking  string    // of the open one: what a booking of it is identified by, so that a form sent twice books once
	IssuesAt time.Time // of the open one: when it would be issued automatically; zero: it would not
}

// Written returns the flight's row in l and, below it, its open fare. path is the address of the page.
func (r *flightRow) Written(l OfferList, path string) (template.HTML, error) {
	cells, err := r.laid.cellsFor(l.Columns)
	if err != nil {
		return "", err
	}
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	swap := "head stream filters offers"
	if l.Crew {
		swap = "head stream filters crew"
	}
	link := func(kind string, o *offerListRow, opens bool) string {
		to := path
		if opens {
			to += separator + "open=" + o.Key
		}
		return ` id="` + kind + "-" + o.Key + `" href="` + template.HTMLEscapeString(to+"#o-"+o.Key) + `" data-swap="` + swap +
			`" aria-expanded="` + strconv.FormatBool(!opens) + `"`
	}
	var b strings.Builder
	b.WriteString(`<tr class="two offer`)
	if r.Open != nil {
		b.WriteString(" shown")
	}
	b.WriteString(`">` + cells[0] + link("r", r.Fares[0], r.Open == nil) + cells[1])
	for i, m := range r.marks {
		if i == 0 {
			b.WriteString(` <span class="out">`)
		} else {
			b.WriteString(" · ")
		}
		b.WriteString(string(m))
	}
	if len(r.marks) > 0 {
		b.WriteString("</span>")
	}
	b.WriteString(cells[2])
	b.WriteString(`<td class="wide" data-label="Fares"><div class="fares">`)
	for _, o := range r.Fares {
		fare, err := o.laid.fare()
		if err != nil {
			return "", err
		}
		b.WriteString(`<a class="fare`)
		if o.Bar != (gangway.Bar{}) {
			b.WriteString(" off")
		}
		if o.Chosen {
			b.WriteString(" chosen")
		}
		b.WriteString(`"` + link("o", o, r.Open != o) + `>` + string(fare) + `</a>`)
	}
	b.WriteString("</div></td></tr>\n")
	if r.Open != nil {
		open, err := r.laid.render("offer", map[string]any{"O": r.Open, "L": l})
		if err != nil {
			return "", err
		}
		b.WriteString(string(open))
	}
	return template.HTML(b.String()), nil
}

// A sortChoice is an order of the list.
type sortChoice struct {
	Label string
	Query url.Values // that brings it about
	On    bool
}

// A MemberBooking is a booking that a member of a search has already.
type MemberBooking struct {
	ID, Locator string
	State       gangway.State
	Stand       Stand // of the traveller
}

// sortLabels name the orders.
var sortLabels = map[string]string{
	"price": "Fares", "departure": "Departs", "arrival": "Arrives", "duration": "Way",
	"spare": "Buffer",
}

// compared is how many offers can be compared side by side.
const compared = 3

// OfferList lists the flights that were found for a member, and lays out those that are shown.
func (v SearchView) OfferList(member int, choices []plan.Choice) OfferList {
	s, keep, f := v.Search, v.Keep, v.Found.Members[member]
	m, q := s.Members[member], shell.CloneQuery(v.Query)
	open := q.Get("open")
	q.Del("open")
	l := OfferList{
		Search: s.ID, Member: member, Crew: len(s.Members) > 1, Total: plan.CountFlights(choices), Query: q,
		Searching: !f.Done, Passenger: PassengerOf(m.Traveller, v.Found.LongestName), Filtered: keep.On() > 0,
		Legs: len(m.Legs), AutoIssue: v.Settings.AutoIssue, Fares: v.Settings.Fares,
		Barred: v.Settings.Avoid != "" || v.Settings.Transits != "",
	}
	l.Seen, l.For = m.Chosen, v.madeFor(member)
	chosen := v.Chosen(member, choices)
	l.Passenger.Travel = LastDate(m.Legs)
	if len(s.Members) == 1 {
		l.Twice = v.twice
	}
	if gangway.TodayAt(v.Now).Over(gangway.Date(cmp.Or(m.Legs[0].Date, m.Legs[0].ArriveOn))) {
		l.Past = v.Now.UTC().Format(shell.LongUTC)
	}
	if l.Crew {
		l.Who = m.Traveller.LastName + ", " + m.Traveller.FirstName
	}
	if f.Err != nil {
		l.Wrong = WhyMissing(f)
	}
	l.columnsOf(choices, m.Legs)
	kept := keep.apply(choices)
	l.Matching = len(kept)
	sorted := keep.Sort
	if len(kept) > 0 && !kept[0].Best().Wished && !kept[0].Best().Nearest {
		sorted = cmp.Or(sorted, "price")
	}
	l.Sorts = map[string]sortChoice{}
	for by, label := range sortLabels {
		to := shell.CloneQuery(q)
		to.Set("sort", by)
		if by == "price" && l.ruled() {
			label = "Fares crew may use first"
		}
		l.Sorts[by] = sortChoice{label, to, by == sorted}
	}
	if len(kept) > 0 {
		best := slices.MinFunc(kept, func(a, b plan.Flight) int { return plan.CrewByPrice(a.Best(), b.Best()) }).Best()
		l.From, l.FromAny = best.Price(), !best.ForCrew()
	}
	marks, picks := plan.MarksOf(kept, choices, keep.By.Keeps), q["compare"]
	for i, flown := range kept {
		row := &flightRow{marks: marks[flown.Best()]}
		for _, c := range flown.Fares {
			picked := slices.Contains(picks, c.Key) && len(l.Compared) < compared
			if i >= keep.Show && !picked {
				continue
			}
			laid := v.laidOf(member, c)
			o := &offerListRow{OfferRow: laid.row(), laid: laid, Chosen: c.Key == chosen, Picked: picked}
			row.Fares = append(row.Fares, o)
			if picked {
				l.Compared = append(l.Compared, o)
			}
			if c.Key == open {
				o.Ref, o.Booking = v.forms.Offer(member, o.ID), v.forms.Fresh(MemberPlace(member))
				o.IssuesAt = IssuesAt(v.Now, o.TicketBy, o.PriceUntil)
				row.Open = o
			}
		}
		if i < keep.Show {
			row.laid = row.Fares[0].laid
			l.Rows = append(l.Rows, row)
		}
	}
	if l.Matching > keep.Show {
		keep.Show += rowsShown
		l.More = shell.CloneQuery(q)
		l.More.Set("show", strconv.Itoa(keep.Show))
	}
	return l
}

// ruled reports whether crew may not use everything.
func (l *OfferList) ruled() bool { return l.Fares != gangway.FareRule{} || l.Barred }

// columnsOf notes what is the same for all that was found, and so is said once above the list.
func (l *OfferList) columnsOf(choices []plan.Choice, asked []gangway.Leg) {
	var from, to []gangway.Airport
	for i := range choices {
		c := &choices[i]
		segments, ccy := c.Offer.Itinerary.Segments, c.Price().Currency
		if first := segments[0].Origin; !slices.Contains(from, first) {
			from = append(from, first)
		}
		if last := segments[len(segments)-1].Destination; !slices.Contains(to, last) {
			to = append(to, last)
		}
		if i == 0 {
			l.Currency = ccy
		} else if ccy != l.Currency {
			l.Currency = ""
		}
		l.Columns.Spare = l.Columns.Spare || c.Spare.Known()
	}
	if len(to) == 1 && len(asked) == 1 {
		l.Columns.To = to[0]
	}
	l.addRoads(asked[0].Origin, " to ", from)
	before := len(l.Roads)
	l.addRoads(asked[len(asked)-1].Destination, " from ", to)
	l.Columns.Port = len(l.Roads) > before
}

// addRoads notes how far airports are from a port.
func (l *OfferList) addRoads(port gangway.Place, way string, airports []gangway.Airport) {
	var roads []string
	for _, a := range airports {
		if takes := flight.GroundTo(port, a); takes > 0 {
			roads = append(roads, shell.Duration(takes)+way+string(a))
		}
	}
	if slices.Sort(roads); len(roads) > 0 {
		l.Roads = append(l.Roads, strings.TrimSpace(roadWords(port))+" "+strings.Join(roads, ", "))
	}
}

// Shown says how many of the flights are shown.
func (l OfferList) Shown() string {
	switch {
	case l.Total == 0:
		return ""
	case l.Filtered:
		return shell.Number(l.Matching) + " of " + shell.Plural(l.Total, "flight", "flights")
	}
	return shell.Plural(l.Total, "flight", "flights")
}

// Places are the rows kept free while offers are still being found.
func (l OfferList) Places() []struct{} { return make([]struct{}, 10) }
