package crew

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strconv"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A crewRow is one person of a crew change and how they travel.
type crewRow struct {
	Member   int
	Name     string
	Rank     string
	About    string
	Home     gangway.Airport
	Passport string
	Warnings []string
	Ticket   string // the name on the ticket, where it differs
	Again    string // that the same person is listed further up, a sentence
	Unnamed  string // why they cannot be held until somebody has typed their name for the ticket, a sentence
	Wanted   string // "there on Tue 1 Dec"
	Can      canWords

	State    rowState
	Wrong    string // why there is no flight
	Strip    []flights.StripLeg
	Spare    flights.SpareWords
	Price    gangway.Money
	Fare     string // "marine", "public Flex"
	FareType gangway.FareType
	CO2      int
	Wished   bool
	Chosen   bool   // by a person; else proposed
	ChosenBy string // the name of that person
	Lost     string // the name of the person whose choice is no longer good
	Others   int    // offers besides the one shown
	Offer    flights.OfferRow
	Booking  *flights.MemberBooking

	Ways    []way // on the map
	flights []gangway.Segment

	Unneeded bool // the traveller is no longer needed

	drawn func() (template.HTML, error) // the strip of an offer; nil: of none

	Open  url.Values // the query that shows their alternatives, or hides them
	Shown bool       // the alternatives are shown
}

// Drawn returns the strip of an offer, drawn once for all readers, or nothing where the
// flights are not an offer's.
func (r *crewRow) Drawn() (template.HTML, error) {
	if r.drawn == nil {
		return "", nil
	}
	return r.drawn()
}

// Points are the sentences to read before anything is held.
func (r *crewRow) Points() []string {
	var list []string
	for _, words := range slices.Concat([]string{r.Again, r.Unnamed}, r.Warnings, []string{r.Passport}) {
		if words != "" {
			list = append(list, words)
		}
	}
	return list
}

// A rowState is how far the search or booking for a person has come.
type rowState string

const (
	rowSearching rowState = "searching"
	rowOffer     rowState = "offer" // a flight is chosen or proposed
	rowNone      rowState = "none"  // no flight was found, or none within the filters
	rowWrong     rowState = "wrong" // no search was possible
	rowBooked    rowState = "booked"
)

// newCrewRow lays out one member, and returns the offers to choose from: none while the search is under way.
func newCrewRow(v flights.SearchView, i int) (*crewRow, []plan.Choice) {
	m, f, planned := v.Members[i], v.Found.Members[i], v.Planned.Members[i]
	wanted := flights.AtPlan(m.Legs, planned)
	choices := v.Choices(i)
	row := &crewRow{
		Member: i, Name: m.Traveller.LastName + ", " + m.Traveller.FirstName, Rank: m.Rank,
		About: flights.About(m.Traveller),
		Home:  m.Traveller.HomeAirport, Passport: flights.Passport(m.Traveller, flights.LastDate(m.Legs)),
		Warnings: m.Warnings, Ticket: flights.TicketWords(m.Traveller),
	}
	if len(m.Legs) > 0 {
		row.Wanted = flights.LegWhen(m.Legs[len(m.Legs)-1], shell.DayInWords)
	}
	if v.Found.Reach != nil {
		row.Can = canBe(v.Found.Reach[i], m)
	}
	defer row.undecided(v.Asked)
	row.open(v.Query)
	row.Unneeded = planned.Unneeded != ""
	if b, ok := v.Booked[i]; ok {
		row.fly(b.Itinerary, wanted, v.Fits[i])
		row.State, row.Booking, row.Price = rowBooked, flights.BookingOf(b, ok), b.Price.Total
		row.Booking.Misfit, row.Wanted = book.Misfit(v.Fits[i], book.AShip), shipWords(planned)
		row.CO2 = flights.Footprint(plan.Carbon{Kg: plan.CarbonOf(b.Emissions, v.Settings.RadiativeForcing)}).Kg
		row.Fare, row.FareType = flights.FareWords(b.Terms), b.Terms.FareType
		return row, choices
	}
	row.Lost = lostChoice(v, i, choices)
	row.Unnamed, row.Again = flights.TicketProblems(m.Traveller, v.Found.LongestName), namesake(v, i)
	chosen := v.Chosen(i, choices)
	n, ok := plan.Proposal(choices, chosen, v.Keep.By.Keeps)
	switch {
	case row.Unneeded:
		row.State, row.Wrong = rowNone, shell.Capital(book.Misfit(gangway.Fit{Unneeded: planned.Unneeded}, book.AShip))+
			"."
	case ok:
		o := v.Offer(i, &choices[n])
		row.drawn = v.Drawn(i, &choices[n])
		row.flights = choices[n].Offer.Itinerary.Segments
		row.Ways, row.Spare = waysOf(row.flights, nil), o.Spare
		row.State, row.Offer, row.Chosen = rowOffer, o, o.Key == chosen
		if row.Chosen {
			row.ChosenBy = v.Choosers[m.ChosenBy]
		}
		row.Strip, row.Price, row.CO2, row.Wished = o.Strip, o.Price.Total, o.CO2.Kg, o.Wished
		row.Fare, row.FareType, row.Others = o.Fare, o.FareType, len(choices)-1
		return row, choices
	case f.Err != nil:
		row.State, row.Wrong = rowWrong, flights.WhyMissing(f)
	case !f.Done:
		row.State = rowSearching
	case len(choices) > 0 && !anyFits(choices):
		row.State, row.Others = rowNone, len(choices)
		row.Wrong = "None of " + shell.Plural(len(choices), "offer", "offers") + " fits: " + book.Misfit(choices[0].Fit,
			book.AShip) + "."
	case len(choices) > 0:
		row.State, row.Others = rowNone, len(choices)
		row.Wrong = "The filters leave none of " + shell.Plural(len(choices), "offer", "offers") + "."
	default:
		row.State, row.Wrong = rowNone, "No flights found."
	}
	row.Ways = waysOf(nil, m.Legs)
	return row, choices
}

// undecided takes the green marks off r while people are asked whether the crew change moved.
func (r *crewRow) undecided(asked bool) {
	if asked && r.Spare.Class == "good" {
		r.Spare.Class, r.Spare.Sign = "", ""
	}
	if asked && r.Booking != nil {
		r.Booking.Misfit = cmp.Or(r.Booking.Misfit, book.Undecided)
	}
}

// namesake says that a member is listed further up already.
func namesake(v flights.SearchView, i int) string {
	first, ok := v.Doubles[i]
	if !ok {
		return ""
	}
	m := v.Members[first]
	return "This is the same person as " + m.Traveller.LastName + ", " + m.Traveller.FirstName +
		" further up, under “" + sideNames[m.Side] + "”: “Book all” leaves this second entry out."
}

// open notes whether the person's alternatives are shown, and the query that shows or
// hides them.
func (row *crewRow) open(q url.Values) {
	row.Open = shell.CloneQuery(q)
	row.Open.Del("show")
	row.Open.Del("compare")
	if row.Shown = q.Get("member") == strconv.Itoa(row.Member); row.Shown {
		row.Open.Del("member")
	} else {
		row.Open.Set("member", strconv.Itoa(row.Member))
	}
}

// fly notes the flights to where the traveller is wanted. Each shows its own day, because
// readers should not have to assume that it is the day that was asked for.
func (row *crewRow) fly(it gangway.Itinerary, wanted []gangway.Leg, f gangway.Fit) {
	row.flights, row.Ways = it.Segments, waysOf(it.Segments, nil)
	row.Strip, row.Spare = flights.StripTo(it, wanted), flights.SpareOf(plan.SpareOf(it, wanted).Against(f), f)
	for i := range row.Strip {
		row.Strip[i].Day = row.Strip[i].Departure.Format("Mon 2 Jan")
	}
}

// shipWords says when a plan has the traveller at the ship. It calls a day the ship's
// only where it is.
func shipWords(p gangway.Plan) string {
	_, date := p.Ship()
	switch {
	case date.Valid() && p.Own:
		return book.WantedWords(p.Side, date)
	case date.Valid():
		return "ship there on " + shell.DayInWords(date)
	}
	return ""
}

// anyFits reports whether any of the offers fits the plan.
func anyFits(choices []plan.Choice) bool {
	return slices.ContainsFunc(choices, func(c plan.Choice) bool { return c.Fit.OK() })
}
