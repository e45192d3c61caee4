package crew

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A crewPage is the flights of everybody who joins or leaves a vessel.
type crewPage struct {
	Search    string
	Vessel    string
	Flag      gangway.Country
	Airport   gangway.Place
	Date      gangway.Date
	At        string       // the text of the airport field
	On        gangway.Date // the value of the date field
	ChangeID  string
	Wanted    []gangway.Date // the first and the last day on which somebody is wanted, where the change has no date
	Sides     []crewSide
	Planned   []crewSide // how many are planned today, without rows
	People    int        // how many are planned today
	Absent    int        // how many of them are not in the search
	Booked    int        // as planned, from this search or another one
	Misfits   int        // bookings that do not fit the plan
	Unneeded  int        // bookings of people who are no longer needed
	Beside    []flights.BesideRow
	Besides   int  // how many of them are not shown
	Cut       bool // there are more bookings than were counted
	Behind    *planChange
	Missing   int // people who are not booked and have no flight
	Chosen    int // not booked, with a flight to book
	Again     int // with a flight, but listed further up already
	Unnamed   int // with a flight, but with a name that cannot stand on a ticket
	Act       int // chosen or booked to arrive late or just in time
	Sum       []gangway.Money
	CO2       int
	Ends      gangway.Deadline // the next deadline of bookings without tickets
	Map       *crewMap
	Timeline  *timeline
	Carried   *carriedNews
	Picked    int      // how many flights are chosen
	Overtaken string   // who has meanwhile chosen another flight or moved the ship, a sentence
	Wrong     string   // what is wrong with the port that the ship has moved to
	Days      []dayRow // how many could be there around the date in the field
	Moving    bool     // the form to move the ship is open
	Filters   flights.FilterForm
	Progress  flights.Progress
	Landing   flights.Landing
	Under     *batchNews // the batch that is under way
	Last      *batchNews // the latest batch
	Query     url.Values
	Open      *crewAlternatives
	Doubts    []store.ChangeQuestion // whether the crew change is another one, moved
}

// A crewSide is the people who join, or those who leave.
type crewSide struct {
	Name   string
	Rows   []*crewRow
	People int // how many are needed
	Gone   int // how many are no longer needed
}

// crewAlternatives are the other flights for one person, below their row.
type crewAlternatives struct {
	Row  *crewRow
	List flights.OfferList
}

// ShowSearch shows the flights of everybody in a search.
func (room *Room) ShowSearch(w http.ResponseWriter, r *http.Request, in store.Scoped, s gangway.Search,
	ss *plan.Session, q url.Values) error {
	booked, err := flights.ReadMemberBookings(r.Context(), in, s)
	if err != nil {
		return err
	}
	p := newCrewPage(room.flights.View(r.Context(), in, ss, s, q, booked))
	if p.Last, err = room.newsOf(r.Context(), in, s.ID, booked); err != nil {
		return err
	}
	if p.Landing, err = room.flights.LandingOf(r.Context(), in, s, len(booked.Booked)); err != nil {
		return err
	}
	if p.Doubts, err = in.ChangeQuestions(r.Context(), s.Change); err != nil {
		return err
	}
	return room.Show(w, r, p.page())
}

func (p crewPage) page() shell.Page {
	title := p.Vessel
	if title == "" {
		title = shell.Plural(p.People, "traveller", "travellers")
	}
	return shell.Page{Template: "crew", Section: "crew-changes", Title: title, Answer: p.answer(), Data: p}
}

func newCrewPage(v flights.SearchView) crewPage {
	s, at := v.Search, v.Planned.Place
	p := crewPage{
		Search: s.ID, Vessel: s.Vessel, Flag: s.Flag, Airport: at, Date: v.Planned.Date, At: flights.PlaceLabel(at),
		On: v.Planned.Date, ChangeID: s.ChangeID,
		Booked: v.Fitting() + len(v.Absent), Misfits: v.Misfits, Unneeded: v.Unneeded, Beside: v.Beside, Cut: v.Cut,
		Behind: planNews(v), Query: v.Query, Progress: v.Progress(),
		Days: dayRows(v.Found.Days),
	}
	if p.Date == "" {
		p.Wanted = wantedDates(s.Members)
	}
	sides := map[gangway.Side]int{}
	var all [][]plan.Choice
	for i, m := range s.Members {
		row, choices := newCrewRow(v, i)
		n, ok := sides[m.Side]
		if !ok {
			n = len(p.Sides)
			sides[m.Side] = n
			p.Sides = append(p.Sides, crewSide{Name: sideNames[m.Side]})
		}
		p.Sides[n].Rows = append(p.Sides[n].Rows, row)
		p.count(row, v.Booked[i], v.Now)
		if v.Planned.Members[i].Unneeded == "" {
			p.People++
			p.Sides[n].People++
		} else {
			p.Sides[n].Gone++
		}
		if row.Shown {
			p.Open = &crewAlternatives{Row: row, List: v.OfferList(i, choices)}
			p.Open.List.Booked = row.Booking
		}
		if row.Booking == nil {
			all = append(all, choices)
		}
	}
	p.Carried = carriedNewsOf(v, p.Sides)
	if v.Batch != nil && v.Batch.Pending > 0 {
		p.Under = batchNewsOf(*v.Batch)
	}
	p.Absent, p.Planned = absentees(v), plannedSides(v, p.Sides)
	p.People += p.Absent
	p.besides()
	p.Days = bookedOn(v, p.Days, at)
	p.Map, p.Timeline = newCrewMap(at, p.Sides), newTimeline(at, p.Sides)
	p.Filters = v.Filters(all...)
	p.Filters.Swap = "head stream filters crew"
	return p
}

// wantedDates returns the first and the last day on which members are wanted: one if they are the
// same, none if nobody has one.
func wantedDates(members []gangway.SearchMember) (span []gangway.Date) {
	for _, m := range members {
		if day := flights.LastDate(m.Legs); day.Valid() {
			span = append(span, day)
		}
	}
	slices.Sort(span)
	span = slices.Compact(span)
	if len(span) > 2 {
		span = []gangway.Date{span[0], span[len(span)-1]}
	}
	return span
}

var sideNames = map[gangway.Side]string{gangway.OnSigner: "Joining", gangway.OffSigner: "Leaving", "": "Travelling"}

// count adds one person to the totals.
func (p *crewPage) count(row *crewRow, b gangway.Booking, now time.Time) {
	if row.Chosen {
		p.Picked++
	}
	switch {
	case row.State == rowOffer && row.Again != "":
		p.Again++
	case row.State == rowOffer && row.Unnamed != "":
		p.Unnamed++
	case row.State == rowOffer:
		p.Chosen++
	case row.State != rowBooked && !row.Unneeded:
		p.Missing++
	}
	if row.Spare.Grade.Urgent() && !row.Spare.Misfit() {
		p.Act++
	}
	if row.State == rowBooked || row.Again == "" { // a person listed twice is booked once
		p.Sum = flights.AddMoney(p.Sum, row.Price)
		p.CO2 += row.CO2
	}
	if e := b.NextDeadline(now); !b.Ticketed() && e.Kind != gangway.Leaves && !e.At.IsZero() &&
		(p.Ends.At.IsZero() || e.At.Before(p.Ends.At)) {
		p.Ends = e
	}
}

// answer sums up the page in one line.
func (p crewPage) answer() string {
	line := bookedWords(p.Booked, shell.Number(p.People), p.Misfits, p.Unneeded)
	if p.Absent > 0 {
		line += "; " + shell.Plural(p.Absent, "is", "are") + " not in this search"
	}
	if p.Progress.Stream != "" {
		return line + " · looking for flights"
	}
	if p.Chosen > 0 {
		line += " · " + shell.Number(p.Chosen) + " ready to book"
	}
	if p.Unnamed > 0 {
		line += " · " + shell.Plural(p.Unnamed, "name", "names") + " to complete"
	}
	if p.Again > 0 {
		line += " · " + shell.Number(p.Again) + " listed twice"
	}
	if p.Missing > 0 {
		line += " · " + shell.Number(p.Missing) + " without a flight"
	}
	if p.Act > 0 {
		line += " · " + shell.Number(p.Act) + " with less than 6 h to spare"
	}
	return line
}

// Parts returns the function that renders the new parts of a crew change's page: first
// who can be there at all, then the row of each person whose search is done, once and
// again when somebody chooses or books for them, and at the end everything that counts
// them.
func (room *Room) Parts(members int) func(out io.Writer, v flights.SearchView) error {
	sent := sentRows{done: make([]bool, members), taken: make([]*taken, members)}
	return func(out io.Writer, v flights.SearchView) error { return room.sendCrew(out, v, &sent) }
}

func (room *Room) sendCrew(out io.Writer, v flights.SearchView, sent *sentRows) error {
	if v.Found.Over {
		p := newCrewPage(v)
		p.Progress.Kept = p.Progress.All > 0
		err := room.PartAt(v.Ahead, out, "crew", "head", p.page())
		for _, part := range []string{"crew-filters", "crew-table", "crew-progress"} {
			if err == nil {
				err = room.PartAt(v.Ahead, out, "crew", part, p)
			}
		}
		return err
	}
	scouted := v.Found.Reach != nil && !sent.reach
	sent.reach = v.Found.Reach != nil
	for i := range v.Members {
		now := takenOf(v, i)
		news := sent.taken[i] != nil && *sent.taken[i] != now
		sent.taken[i] = &now
		if !news && (sent.done[i] || !v.Found.Members[i].Done && !scouted) {
			continue
		}
		sent.done[i] = v.Found.Members[i].Done
		row, _ := newCrewRow(v, i)
		dot := map[string]any{"Row": row, "Search": v.ID}
		if err := room.PartAt(v.Ahead, out, "crew", "crew-row", dot); err != nil {
			return err
		}
	}
	return room.PartAt(v.Ahead, out, "crew", "progress-line", v.Progress())
}

// sentRows says what a stream has sent already.
type sentRows struct {
	done  []bool   // by member: with all flights
	taken []*taken // by member: what was chosen and booked; nil before the first look
	reach bool     // who can be there
}

// A taken is what people have chosen and booked for one member.
type taken struct {
	chosen, by, booking string
	state               gangway.State
}

func takenOf(v flights.SearchView, i int) taken {
	m, b := v.Members[i], v.Booked[i]
	return taken{m.Chosen, m.ChosenBy, b.ID, b.State}
}
