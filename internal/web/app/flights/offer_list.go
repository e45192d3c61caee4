package flights

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strconv"

	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// An OfferList is the offers for one member of a search. The template "offers" shows
// it on the page of one traveller and within a crew change.
type OfferList struct {
	Search    string
	Member    int
	Who       string // named above the list where it is one of several
	Crew      bool   // one of several, so that offers can be chosen as well as held
	Rows      []*offerListRow
	Total     int // found
	Matching  int // of those, how many pass the filters
	Sorts     []sortChoice
	More      url.Values // the query that shows further rows; nil when all are shown
	Query     url.Values // the page's own
	Searching bool
	Past      string        // what the account's clock says, where the day asked for is over by it
	Wrong     string        // why there may be offers that were not found
	AutoIssue bool          // the account's policy is to issue holds automatically
	From      gangway.Money // the cheapest that passes the filters
	Passenger PassengerForm
	Twice     []TwiceRow // what the traveller has booked around the same days
	Booked    *MemberBooking
	Seen      string // the chosen offer
	For       string // the plan that the offers are for
	Filtered  bool
	Compared  []*offerListRow
	Spare     bool // arrivals are wanted by some time
	Legs      int
	asked     string // what its forms ask for, or ask to be acknowledged
	encoded   string // the query
}

// An offerListRow is an offer that can be held or chosen.
type offerListRow struct {
	OfferRow
	laid    *laidOffer
	Booking string // the identifier that a booking of it will have, so that a form sent twice books once
	Chosen  bool
	Picked  bool // for comparison
	holds   buttonsAs
}

// Buttons returns the buttons that hold the offer.
func (r *offerListRow) Buttons() (template.HTML, error) { return r.laid.buttonsFor(r.holds) }

// A sortChoice is an order of the list.
type sortChoice struct {
	Value, Label string
	On           bool
}

// A MemberBooking is a booking that a member of a search has already.
type MemberBooking struct {
	ID, Locator string
	State       gangway.State
	Misfit      string // how it differs from the plan; empty: it fits
}

// sortLabels name the orders, in the order in which they are offered.
var sortLabels = []sortChoice{
	{Value: "price", Label: "Price"}, {Value: "departure", Label: "Departure"}, {Value: "arrival", Label: "Arrival"},
	{Value: "duration", Label: "Duration"}, {Value: "spare", Label: "To spare"},
}

// compared is how many offers can be compared side by side.
const compared = 3

// OfferList lists the offers that were found for a member, and lays out those that are shown.
func (v SearchView) OfferList(member int, choices []plan.Choice) OfferList {
	s, q, keep, f := v.Search, v.Query, v.Keep, v.Found.Members[member]
	m := s.Members[member]
	l := OfferList{
		Search: s.ID, Member: member, Crew: len(s.Members) > 1, Total: len(choices), Query: q, Searching: !f.Done,
		Passenger: PassengerOf(m.Traveller, v.Found.LongestName), Filtered: keep.Any(), Legs: len(m.Legs),
		AutoIssue: v.Settings.AutoIssue,
	}
	l.Seen, l.For = m.Chosen, v.madeFor(member)
	chosen := v.Chosen(member, choices)
	l.Passenger.Travel = LastDate(m.Legs)
	if l.encoded = q.Encode(); len(s.Members) == 1 {
		l.Twice = v.twice
	}
	if gangway.TodayAt(v.Now).Over(gangway.Date(cmp.Or(m.Legs[0].Date, m.Legs[0].ArriveOn))) {
		l.Past = v.Now.UTC().Format(shell.LongUTC)
	}
	l.asks()
	if l.Crew {
		l.Who = m.Traveller.LastName + ", " + m.Traveller.FirstName
	}
	if f.Err != nil {
		l.Wrong = WhyMissing(f)
	}
	for i := range choices {
		l.Spare = l.Spare || choices[i].Spare.Known()
	}
	for _, c := range sortLabels {
		if c.Value != "spare" || l.Spare {
			c.On = c.Value == keep.Sort
			l.Sorts = append(l.Sorts, c)
		}
	}
	kept := keep.apply(choices)
	l.Matching = len(kept)
	picks := q["compare"]
	ref := v.forms.offers(member)
	for i, c := range kept {
		l.From = cheaper(l.From, c.Price())
		picked := slices.Contains(picks, c.Key)
		if i >= keep.Show && (!picked || len(l.Compared) == compared) {
			continue
		}
		laid := v.laidOf(member, c)
		row := &offerListRow{
			OfferRow: laid.row(), laid: laid,
			Booking: v.forms.Fresh(MemberPlace(member)), Chosen: c.Key == chosen, Picked: picked,
		}
		row.Ref = ref(row.ID)
		row.holds = buttonsAs{issuesAt(v.Now, row.TicketBy, row.PriceUntil), l.AutoIssue, !l.Crew}
		if row.Picked && len(l.Compared) < compared {
			l.Compared = append(l.Compared, row)
		}
		if i < keep.Show {
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

// cheaper returns the lower of two prices; a price without a currency is none.
func cheaper(a, b gangway.Money) gangway.Money {
	if a.Currency == "" || b.Minor < a.Minor {
		return b
	}
	return a
}

// Shown says how many of the offers are shown.
func (l OfferList) Shown() string {
	switch {
	case l.Total == 0:
		return ""
	case l.Filtered:
		return shell.Number(l.Matching) + " of " + shell.Plural(l.Total, "offer", "offers")
	}
	return shell.Plural(l.Total, "offer", "offers")
}

// Places are the rows kept free while offers are still being found.
func (l OfferList) Places() []struct{} { return make([]struct{}, 10) }
