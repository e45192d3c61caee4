package app

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gangway"
	"gangway/internal/book"
)

// A crewRow is one person of a crew change and how she travels.
type crewRow struct {
	Member   int
	Name     string
	Rank     string
	About    string
	Home     gangway.Airport
	Passport string
	Warnings []string
	Ticket   string // her name as the ticket will have it, where that is another
	Again    string // that the same person stands further up, a sentence
	Unnamed  string // why she cannot be held until somebody has typed her name for the ticket, a sentence
	Wanted   string // "there on Tue 1 Dec"
	Can      canWords

	State    rowState
	Wrong    string // why there is no flight
	Strip    []stripLeg
	Slack    slack
	Price    gangway.Money
	Fare     string // "marine", "public Flex"
	FareType gangway.FareType
	CO2      int
	Wished   bool
	Chosen   bool // by hand; else proposed
	Others   int  // offers besides the one shown
	Offer    offerRow
	Booking  *memberBooking

	Ways    []way // on the map
	flights []gangway.Segment

	Unneeded bool // nobody is to travel

	Open  url.Values // the query that shows her alternatives, or takes them away
	Shown bool       // they are shown
}

// Points are the sentences to be looked at before anything is held.
func (r crewRow) Points() []string {
	var list []string
	for _, words := range slices.Concat([]string{r.Again, r.Unnamed}, r.Warnings, []string{r.Passport}) {
		if words != "" {
			list = append(list, words)
		}
	}
	return list
}

// A rowState is how far a person is.
type rowState string

const (
	rowSearching rowState = "searching"
	rowOffer     rowState = "offer"  // a flight is chosen or proposed
	rowNone      rowState = "none"   // no flight was found, or none within the filters
	rowWrong     rowState = "wrong"  // it could not be looked for
	rowBooked    rowState = "booked" //
)

// row lays out one member, and returns her offers: none while she is looked for.
func (v searchView) row(i int) (crewRow, []offerRow) {
	m, f, plan := v.Members[i], v.members[i], v.planned.Members[i]
	wanted := atPlan(m.Legs, plan)
	offers := v.offers(i)
	row := crewRow{
		Member: i, Name: m.Traveller.LastName + ", " + m.Traveller.FirstName, Rank: m.Rank, About: about(m.Traveller),
		Home: m.Traveller.HomeAirport, Passport: passport(m.Traveller, lastDate(m.Legs)), Warnings: m.Warnings, Ticket: ticketWords(m.Traveller),
	}
	if len(m.Legs) > 0 {
		row.Wanted = legWhen(m.Legs[len(m.Legs)-1], dayInWords)
	}
	if v.reach != nil {
		row.Can = canBe(v.reach[i], m)
	}
	row.open(v.query)
	row.Unneeded = plan.Unneeded != ""
	if b, ok := v.booked[i]; ok {
		row.fly(b.Itinerary, wanted)
		row.hold(v.fits[i])
		row.State, row.Booking, row.Price = rowBooked, bookingOf(b, ok), b.Price.Total
		row.Booking.Misfit, row.Wanted = book.Misfit(v.fits[i], book.AShip), shipWords(plan)
		row.CO2, row.Fare, row.FareType = footprint(carbon(b.Emissions, v.settings.RadiativeForcing), 0).Kg, fareWords(b.Terms), b.Terms.FareType
		return row, offers
	}
	row.Unnamed, row.Again = ticketProblems(m.Traveller, v.longest), v.twin(i)
	o, ok := proposal(offers, m.Chosen, v.keep)
	switch {
	case row.Unneeded:
		row.State, row.Wrong = rowNone, capital(book.Misfit(gangway.Fit{Unneeded: plan.Unneeded}, book.AShip))+"."
	case ok:
		row.fly(o.itinerary, wanted)
		row.hold(o.Fit)
		row.State, row.Offer, row.Chosen = rowOffer, o, o.Key == m.Chosen
		row.Strip, row.Price, row.CO2, row.Wished = o.Strip, o.Price.Total, o.CO2.Kg, o.Wished
		row.Fare, row.FareType, row.Others = o.Fare, o.FareType, len(offers)-1
		return row, offers
	case f.Err != nil:
		row.State, row.Wrong = rowWrong, f.why()
	case !f.Done:
		row.State = rowSearching
	case len(offers) > 0 && !fitting(offers):
		row.State, row.Wrong, row.Others = rowNone, "None of "+plural(len(offers), "offer", "offers")+" fits: "+book.Misfit(offers[0].Fit, book.AShip)+".", len(offers)
	case len(offers) > 0:
		row.State, row.Wrong, row.Others = rowNone, "The filters leave none of "+plural(len(offers), "offer", "offers")+".", len(offers)
	default:
		row.State, row.Wrong = rowNone, "No flights found."
	}
	row.Ways = waysOf(nil, m.Legs)
	return row, offers
}

// twin says that a member stands further up already.
func (v searchView) twin(i int) string {
	first, ok := v.again[i]
	if !ok {
		return ""
	}
	m := v.Members[first]
	return "This is the same person as " + m.Traveller.LastName + ", " + m.Traveller.FirstName + " further up, under “" + sideNames[m.Side] + "”: “Book all” leaves this second entry out."
}

// open notes whether her alternatives are shown, and the query that shows
// them or takes them away.
func (row *crewRow) open(q url.Values) {
	row.Open = cloneQuery(q)
	row.Open.Del("show")
	row.Open.Del("compare")
	if row.Shown = q.Get("member") == strconv.Itoa(row.Member); row.Shown {
		row.Open.Del("member")
	} else {
		row.Open.Set("member", strconv.Itoa(row.Member))
	}
}

// fly notes the flights to where the traveller is wanted. Each stands with its
// own day: that it is the one that was asked for is not taken for granted.
func (row *crewRow) fly(it gangway.Itinerary, wanted []gangway.Leg) {
	row.flights, row.Ways = it.Segments, waysOf(it.Segments, nil)
	row.Strip, row.Slack = stripTo(it, wanted), slackOf(it, wanted)
	for i := range row.Strip {
		row.Strip[i].Day = row.Strip[i].Departure.Format("Mon 2 Jan")
	}
}

// hold holds the flights against the plan: what does not fit has no time to spare.
func (row *crewRow) hold(f gangway.Fit) { row.Slack.against(f) }

// shipWords says when a plan has the traveller at the ship: the ship's day is
// named as the ship's only where it is.
func shipWords(p gangway.Plan) string {
	_, date := p.Ship()
	switch {
	case date.Valid() && p.Own:
		return book.WantedWords(p.Side, date)
	case date.Valid():
		return "ship there on " + dayInWords(date)
	}
	return ""
}

// offers returns the offers for a member, each held against the plan.
func (v searchView) offers(i int) []offerRow {
	m, plan := v.Members[i], v.planned.Members[i]
	m.Legs = atPlan(m.Legs, plan)
	rows := offerRows(v.members[i].Offers, m, v.settings.RadiativeForcing)
	for j := range rows {
		rows[j].Ref = v.forms.offer(i, rows[j].ID)
		rows[j].Fit = plan.Fit(rows[j].itinerary)
		rows[j].Slack.against(rows[j].Fit)
	}
	return rows
}

// fitting reports whether any of the offers fits the plan.
func fitting(offers []offerRow) bool {
	return slices.ContainsFunc(offers, func(o offerRow) bool { return o.Fit.OK() })
}

// fareWords names a fare; the brand of a marine fare says nothing more.
func fareWords(t gangway.Terms) string {
	if t.Brand == "" || strings.EqualFold(t.Brand, string(t.FareType)) {
		return string(t.FareType)
	}
	return string(t.FareType) + " " + t.Brand
}

// flexibleWorth is how much more, in percent of the cheapest, a fare may cost
// that can be changed and refunded, and still be proposed: ships move.
const flexibleWorth = 25

// proposal returns the flight for a person: the one that was chosen; else, of
// those that fit the plan and that the filters let through, the one that her company asked
// for; else the cheapest of those that arrive in good time, or do not leave the
// ship before noon, on a fare that can be changed and refunded where that costs
// little more.
func proposal(offers []offerRow, chosen string, keep filter) (offerRow, bool) {
	if i := slices.IndexFunc(offers, func(o offerRow) bool { return o.Key == chosen }); i >= 0 {
		return offers[i], true
	}
	var kept, flexible []offerRow
	for _, o := range offers {
		if !o.Fit.OK() || !keep.keeps(o, "") {
			continue
		}
		kept = append(kept, o)
		if len(rules(o)) == 2 {
			flexible = append(flexible, o)
		}
	}
	if len(kept) == 0 {
		return offerRow{}, false
	}
	best := slices.MinFunc(kept, better)
	if len(flexible) == 0 {
		return best, true
	}
	free := slices.MinFunc(flexible, better)
	if free.Wished == best.Wished && free.early == best.early && free.Slack.urgency() == best.Slack.urgency() && free.Price.Total.Minor*100 <= best.Price.Total.Minor*(100+flexibleWorth) {
		return free, true
	}
	return best, true
}

// better compares two offers as proposals. Of those that arrive late or just
// in time, the earlier is better whatever it costs.
func better(a, b offerRow) int {
	if c := compareBool(b.Wished, a.Wished); c != 0 {
		return c
	}
	if c := compareBool(a.early, b.early); c != 0 {
		return c
	}
	if c := cmp.Compare(a.Slack.urgency(), b.Slack.urgency()); c != 0 {
		return c
	}
	if a.Slack.Class == "act" {
		return cmp.Or(cmp.Compare(b.Slack.Left, a.Slack.Left), byPrice(a, b))
	}
	return cmp.Or(cmp.Compare(a.Price.Total.Minor, b.Price.Total.Minor), cmp.Compare(a.Duration, b.Duration), byPrice(a, b))
}

var urgency = map[string]int{"": 0, "good": 0, "watch": 1, "act": 2}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
