package crew

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A crewRow is one person of a crew change and how they travel. The table shows values; the sentences
// about them open with the row.
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
	Wrong    string // why there is no flight, in few words
	Strip    []flights.StripLeg
	Flown    flown
	Spare    flights.SpareWords
	Price    gangway.Money
	FareType gangway.FareType
	Fare     string // "marine", "public Flex"
	CO2      int
	Wished   bool
	Chosen   bool   // by a person; else proposed
	ChosenBy string // the name of that person
	Lost     string // the name of the person whose choice is no longer good
	Seat     string // which seats they had that were released
	SeatOf   string // the identifier of that booking
	Offer    flights.OfferRow
	Booking  *flights.MemberBooking
	Notice   bool // the airline has changed the flights and waits for an answer

	Ways    []way // on the map
	flights []gangway.Segment

	Stand    flights.Stand
	judged   gangway.Judgement
	asked    bool // people are asked whether the ship moved
	Unneeded bool // the traveller is no longer needed

	Open  url.Values // the query that shows their alternatives, or hides them
	Shown bool       // the alternatives are shown
}

// A flown is where and when somebody travels, in the cells of a row. Each time has its own day and airport,
// because readers should not have to assume that they are those that were asked for.
type flown struct {
	From, To         gangway.Airport
	Departs, Arrives time.Time
	Takes            time.Duration
	Stops            []flownStop
	There            time.Time // at the port; zero where nobody goes there by road
}

// A flownStop is a connection, or a stay between two legs.
type flownStop struct {
	Airport gangway.Airport
	Wait    time.Duration
	Risk    string // one word or two where it may be missed
}

func flownOf(legs []flights.StripLeg) (f flown) {
	for i, l := range legs {
		if i == 0 {
			f.From, f.Departs = l.From, l.Departure
		} else {
			f.Stops = append(f.Stops, flownStop{Airport: l.From, Wait: l.Departure.Sub(f.Arrives)})
		}
		for _, s := range l.Stops {
			stop := flownStop{Airport: s.Airport, Wait: s.Wait, Risk: s.Risk.Short}
			if s.Tight {
				stop.Risk = "tight" // the rest opens with the row, which keeps to one line
			}
			f.Stops = append(f.Stops, stop)
		}
		f.To, f.Arrives, f.There = l.To, l.Arrival, time.Time{}
		if l.ToRoad.Takes > 0 {
			f.There = l.Arrival.Add(l.ToRoad.Takes)
		}
	}
	f.Takes = f.Arrives.Sub(f.Departs)
	return f
}

// FromDay and ToDay are the days of departure and arrival.
func (f flown) FromDay() string { return f.Departs.Format("Mon 2 Jan") }

// ToDay is FromDay of the arrival.
func (f flown) ToDay() string { return f.Arrives.Format("Mon 2 Jan") }

// A mark is a word beside a name that something has to be read before anything is held.
type mark struct{ Class, Words string }

// Marks are those of the row. Points has their sentences.
func (r *crewRow) Marks() (list []mark) {
	for _, m := range []struct {
		is bool
		mark
	}{
		{r.Seat != "", mark{"act", "seat lost"}},
		{r.Stand.Standing == gangway.BookedElsewhere, mark{"watch", book.StandingWords(r.judged)}},
		{r.judged.Holds(gangway.NewInPlan), mark{"watch", "new"}},
		{r.Again != "", mark{"act", "listed twice"}}, {r.Unnamed != "", mark{"act", "name to complete"}},
		{r.Offer.Bar != gangway.Bar{}, mark{"act", "not for crew"}},
		{len(r.Warnings) > 0, mark{"watch", "to correct"}}, {r.Passport != "", mark{"watch", "passport"}},
	} {
		if m.is {
			list = append(list, m.mark)
		}
	}
	return list
}

// Points are the sentences to read before anything is held.
func (r *crewRow) Points() []string {
	var list []string
	for _, words := range slices.Concat([]string{r.Again, r.Unnamed, flights.BarWords(r.Offer.Bar)}, r.Warnings,
		[]string{r.Passport}) {
		if words != "" {
			list = append(list, words)
		}
	}
	return list
}

// figure writes money without its currency, in a column of that currency: "628.85".
func figure(m gangway.Money) string { return strings.TrimPrefix(shell.Amount(m), m.Currency+" ") }

// Buffer says how long before the ship the traveller arrives.
func (r *crewRow) Buffer() string {
	if r.Spare.Left < 0 {
		return shell.Duration(-r.Spare.Left) + " late"
	}
	return shell.Duration(r.Spare.Left)
}

// Misfit reports whether what is to be said of the booking needs words. A short buffer is told by its hours.
func (r *crewRow) Misfit() bool {
	return r.Booking != nil && !r.Stand.Plain() && !r.judged.MayIssue()
}

// Class is the colour class of the flights: never that of what is as planned while people are asked whether the ship
// moved.
func (r *crewRow) Class() string {
	class := r.Spare.Class
	if r.Booking != nil {
		class = r.Stand.Class
	}
	if r.asked && (class == "good" || r.judged.Good()) {
		return ""
	}
	return class
}

// Stands is how far the person has come, as the head of their group counts it; empty while flights are looked for.
func (r *crewRow) Stands() string {
	switch j := r.judged; {
	case r.Booking != nil && r.Notice:
		return book.StandingWord(gangway.AirlineChanged)
	case r.Booking != nil && (j.Standing == gangway.UnderWay || j.Standing == gangway.Arrived):
		return book.StandingWord(j.Standing)
	case r.Booking != nil && !j.Fit.OK():
		return book.Off(j.Fit)
	case r.Booking != nil:
		return strings.ToLower(flights.StateWords(r.Booking.State))
	case r.Seat != "":
		return "seat lost"
	case r.State == rowOffer && r.Chosen:
		return "chosen"
	case r.State == rowOffer:
		return "proposed"
	case r.State != rowSearching:
		return "without a flight"
	}
	return ""
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
	row.judged, row.Stand, row.asked = v.Crew.Member(i).Judgement, v.Stand(i), v.Crew.Asked
	row.open(v.Query)
	row.Unneeded = planned.Unneeded != ""
	if b, ok := v.Booked[i]; ok {
		row.fly(b.Itinerary, wanted, planned)
		row.State, row.Booking, row.Price = rowBooked, v.BookingOf(i), b.Price.Total
		row.Wanted = shipWords(planned)
		row.CO2 = flights.Footprint(plan.Carbon{Kg: plan.CarbonOf(b.Emissions, v.Settings.RadiativeForcing)}).Kg
		row.Fare, row.FareType = flights.FareWords(b.Terms), b.Terms.FareType
		row.Notice = row.judged.Holds(gangway.AirlineChanged)
		return row, choices
	}
	row.Lost = lostChoice(v, i, choices)
	if b, ok := v.Lost[i]; ok {
		row.Seat, row.SeatOf = flights.LostWords(b), b.ID
	}
	row.Unnamed, row.Again = flights.TicketProblems(m.Traveller, v.Found.LongestName), namesake(v, i)
	chosen := v.Chosen(i, choices)
	n, ok := plan.Proposal(choices, chosen, v.Keep.By.Keeps)
	switch {
	case row.Unneeded:
		row.State, row.Wrong = rowNone, book.Misfit(gangway.Fit{Unneeded: planned.Unneeded}, book.AShip)
	case ok:
		o := v.Offer(i, &choices[n])
		row.flights = choices[n].Offer.Itinerary.Segments
		row.Ways, row.Spare = waysOf(row.flights, nil), o.Spare
		row.State, row.Offer, row.Chosen = rowOffer, o, o.Key == chosen
		if row.Chosen {
			row.ChosenBy = v.Choosers[m.ChosenBy]
		}
		row.Strip, row.Price, row.CO2, row.Wished = o.Strip, o.Price.Total, o.CO2.Kg, o.Wished
		row.Flown = flownOf(row.Strip)
		row.Fare, row.FareType = o.Fare, o.FareType
		return row, choices
	case f.Err != nil:
		row.State, row.Wrong = rowWrong, "Not searched"
	case !f.Done:
		row.State = rowSearching
	case len(choices) > 0 && !anyFits(choices):
		row.State, row.Wrong = rowNone, "None of "+shell.Number(len(choices))+" fits: "+
			book.Misfit(choices[0].Fit, book.AShip)
	case len(choices) > 0 && choices[0].Road > 0:
		row.State, row.Wrong = rowNone, shell.Duration(choices[0].Road)+" by road: no flight proposed"
	case len(choices) > 0 && !anyForCrew(choices):
		row.State, row.Wrong = rowNone, "No fare that crew may use"
	case len(choices) > 0:
		row.State, row.Wrong = rowNone, "Filters leave none of "+shell.Number(len(choices))
	default:
		row.State, row.Wrong = rowNone, "No flights found"
	}
	row.Ways = waysOf(nil, m.Legs)
	return row, choices
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

// fly notes the flights to where the traveller is wanted.
func (row *crewRow) fly(it gangway.Itinerary, wanted []gangway.Leg, p gangway.Plan) {
	m := row.judged.Meeting
	row.flights, row.Ways = it.Segments, waysOf(it.Segments, nil)
	row.Strip, row.Spare = flights.StripTo(it, wanted), flights.SpareOf(plan.SpareBy(p, m, it, wanted), m.Fit)
	for i := range row.Strip {
		row.Strip[i].Day = row.Strip[i].Departure.Format("Mon 2 Jan")
	}
	row.Flown = flownOf(row.Strip)
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

// anyForCrew reports whether crew may use any of the offers that fit the plan.
func anyForCrew(choices []plan.Choice) bool {
	return slices.ContainsFunc(choices, func(c plan.Choice) bool { return c.Fit.OK() && c.ForCrew() })
}

// anyFits reports whether any of the offers fits the plan.
func anyFits(choices []plan.Choice) bool {
	return slices.ContainsFunc(choices, func(c plan.Choice) bool { return c.Fit.OK() })
}
