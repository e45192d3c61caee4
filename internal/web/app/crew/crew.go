package crew

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// A crewPage is the flights of everybody who joins or leaves a vessel.
type crewPage struct {
	Search    string
	Vessel    string
	Flag      gangway.Country
	Place     gangway.Place
	Date      gangway.Date
	At        string       // the text of the airport field
	On        gangway.Date // the value of the date field
	ChangeID  string
	Key       string         // of the crew change that a customer has sent; empty: none
	View      string         // what is open above the table: "map", "move" or nothing
	Wanted    []gangway.Date // the first and the last day on which somebody is wanted, where the change has no date
	Due       string         // by when on-signers have to be on board, in words
	Sides     []crewSide
	People    int    // how many are planned today
	Absent    int    // how many of them are not in the search
	Booked    int    // from this search or another one
	Held      string // what is booked, in words
	NoMarine  string // why no marine fares are found, a sentence
	Beside    []flights.BesideRow
	Cut       bool       // there are more bookings than were counted
	From, To  int        // which of the people in the search are shown, counted from 1
	All       int        // how many people of the search could be
	More      url.Values // the query that shows the next ones; nil: there are none
	Behind    *planChange
	SeatsLost int // people who are not booked any more
	Missing   int // people who are not booked and have no flight
	Chosen    int // not booked, with a flight to book
	Again     int // with a flight, but listed further up already
	Unnamed   int // with a flight, but with a name that cannot stand on a ticket
	Act       int // chosen or booked to arrive late or just in time
	Sum       []gangway.Money
	Ccy       string           // the currency of all prices; empty: they differ
	Usual     gangway.FareType // the fare type of most; rows say others
	Others    int              // how many have another one
	ByRoad    bool             // somebody goes to the port by road
	CO2       int
	Ends      gangway.Deadline // the next deadline of bookings without tickets
	Map       *crewMap
	Timeline  *timeline
	Carried   *carriedNews
	Picked    int      // how many flights are chosen
	Overtaken string   // who has meanwhile chosen another flight or moved the ship, a sentence
	Wrong     string   // what is wrong with the port that the ship has moved to
	Days      []dayRow // how many could be there around the date in the field
	Filters   flights.FilterForm
	Progress  flights.Progress
	Landing   flights.Landing
	Under     *batchNews // the batch that is under way
	Last      *batchNews // the latest batch
	Query     url.Values
	Open      *crewAlternatives
	Doubts    []store.ChangeQuestion // whether the crew change is another one, moved
	News      string                 // what last changed the crew change
	now       time.Time
}

// A crewSide is the people who join, or those who leave.
type crewSide struct {
	Side    gangway.Side
	Rows    []*crewRow
	People  int      // how many are needed
	Missing int      // how many of them are not in the search
	Stands  []string // how far those in the search have come
}

// Name names the side.
func (s crewSide) Name() string { return sideNames[s.Side] }

// Words counts how far its people have come: "17 on hold, 2 issued".
func (s crewSide) Words() string {
	words := shell.Tally(s.Stands)
	if s.Missing > 0 {
		words = strings.TrimPrefix(words+", "+shell.Number(s.Missing)+" not in this search", ", ")
	}
	return words
}

// crewAlternatives are the other flights for one person, below their row.
type crewAlternatives struct {
	Row  *crewRow
	List flights.OfferList
}

// The parts that can be open above the table.
const (
	viewMap  = "map"
	viewMove = "move"
)

// peopleShown is how many people a page shows.
const peopleShown = 100

// ShowSearch shows the flights of everybody in a search.
func (room *Room) ShowSearch(w http.ResponseWriter, r *http.Request, in store.Scoped, s gangway.Search,
	ss *plan.Session, q url.Values) error {
	p, _, err := room.readCrewPage(r.Context(), in, s, ss, q)
	if err != nil {
		return err
	}
	if p.Doubts, err = in.ChangeQuestions(r.Context(), s.Change); err != nil {
		return err
	}
	lines, err := in.CrewChangeLines(r.Context(), map[string][]gangway.Traveller{s.Change: nil})
	if err != nil {
		return err
	}
	p.News = room.changeNews(r.Context(), lines[s.Change].CrewChange)
	return room.Show(w, r, p.page())
}

// readCrewPage reads what the page of a search shows: the flights that ss has found, what is booked and what is new.
func (room *Room) readCrewPage(ctx context.Context, in store.Scoped, s gangway.Search, ss *plan.Session,
	q url.Values) (p crewPage, v flights.SearchView, err error) {
	booked, err := flights.ReadMemberBookings(ctx, in, s, room.Now())
	if err != nil {
		return p, v, err
	}
	v = room.flights.View(ctx, in, ss, s, q, booked)
	p = newCrewPage(v)
	if p.Last, err = room.newsOf(ctx, in, booked); err != nil {
		return p, v, err
	}
	p.Landing, err = room.flights.LandingOf(ctx, in, s, len(booked.Booked))
	return p, v, err
}

func (p crewPage) page() shell.Page {
	return shell.Page{Template: "crew", Section: "crew-changes", Title: p.title(), Answer: p.answer(), Data: p}
}

func (p crewPage) title() string {
	title := cmp.Or(p.Vessel, shell.Plural(p.People, "traveller", "travellers"))
	if p.Place != "" {
		title += " · " + portName(p.Place)
	}
	days := p.Wanted
	if p.Date.Valid() {
		days = []gangway.Date{p.Date}
	}
	for i, day := range days {
		title += []string{" · ", " to "}[i] + shell.DayInWords(day)
	}
	return title
}

// portName names a port as people call it, and anything else with its code.
func portName(place gangway.Place) string {
	if p, ok := world.PlaceOf(string(place)); ok && p.Kind == world.PortPlace {
		return strings.TrimPrefix(flights.PlaceName(p), "port of ")
	}
	return flights.PlaceLabel(place)
}

func newCrewPage(v flights.SearchView) crewPage {
	s, at := v.Search, v.Planned.Place
	p := crewPage{
		Search: s.ID, Vessel: s.Vessel, Flag: s.Flag, Place: at, Date: v.Planned.Date, At: flights.PlaceLabel(at),
		On: v.Planned.Date, ChangeID: s.ChangeID, View: v.Query.Get("view"), Due: dueWords(v),
		Beside: v.Beside, Cut: v.Crew.Cut,
		NoMarine: v.NoMarine(),
		Behind:   planNews(v), Query: v.Query, Progress: v.Progress(), Usual: gangway.Marine, now: v.Now,
		Days: bookedOn(v, dayRows(v.Found.Days), at),
	}
	p.Booked, p.Held = heldWords(v.Crew.People, v.Now)
	for _, b := range v.Beside {
		p.Sum = gangway.AddMoney(p.Sum, b.Price)
	}
	if v.Planned.Uploaded() {
		p.Key = s.Change
	}
	if p.Date == "" {
		p.Wanted = wantedDates(s.Members)
	}
	var all [][]plan.Choice
	sides := map[gangway.Side]*crewSide{}
	for side, missing := range v.Planned.Missing {
		sides[side] = &crewSide{Side: side, People: missing, Missing: missing}
		p.Absent += missing
	}
	for i, m := range s.Members {
		row, choices := newCrewRow(v, i)
		if row.Booking == nil {
			all = append(all, choices)
		}
		if row.Unneeded { // a booking of theirs is below the others
			continue
		}
		side := sides[m.Side]
		if side == nil {
			side = &crewSide{Side: m.Side}
			sides[m.Side] = side
		}
		side.Rows = append(side.Rows, row)
		side.People++
		if stand := row.Stands(); stand != "" {
			side.Stands = append(side.Stands, stand)
		}
		p.count(row, v.Booked[i], v.Now)
		if row.Shown {
			p.Open = &crewAlternatives{Row: row}
			if row.Booking == nil {
				p.Open.List = v.OfferList(i, choices)
			}
		}
	}
	for _, side := range []gangway.Side{gangway.OnSigner, gangway.OffSigner, ""} {
		if of := sides[side]; of != nil && of.People > 0 {
			p.Sides = append(p.Sides, *of)
			p.People += of.People
		}
	}
	p.Carried = carriedNewsOf(v, p.Sides)
	if v.Batch != nil && v.Batch.Pending > 0 {
		p.Under = batchNewsOf(*v.Batch)
	}
	p.fares()
	if p.View == viewMap {
		p.Map, p.Timeline = newCrewMap(at, p.Sides), newTimeline(at, p.Sides)
	}
	p.cut(v.Query.Get("after"))
	p.Filters = v.Filters(all...)
	p.Filters.Swap = "head stream filters crew"
	return p
}

// cut leaves the people after a member, at most as many as a page shows.
func (p *crewPage) cut(after string) {
	var all []*crewRow
	for _, side := range p.Sides {
		all = append(all, side.Rows...)
	}
	first := 1 + slices.IndexFunc(all, func(r *crewRow) bool { return strconv.Itoa(r.Member) == after })
	last := min(len(all), first+peopleShown)
	p.From, p.To, p.All = min(first+1, last), last, len(all)
	if last < len(all) {
		p.More = shell.CloneQuery(p.Query)
		p.More.Del("member")
		p.More.Set("after", strconv.Itoa(all[last-1].Member))
	}
	at := 0
	for i := range p.Sides {
		rows := p.Sides[i].Rows
		p.Sides[i].Rows = rows[min(len(rows), max(0, first-at)):max(0, min(len(rows), last-at))]
		at += len(rows)
	}
	p.Sides = slices.DeleteFunc(p.Sides, func(s crewSide) bool { return len(s.Rows) == 0 && s.Missing == 0 })
}

// fares finds what most prices have in common, which stands in the head of the table.
func (p *crewPage) fares() {
	of, ccy, all := map[gangway.FareType]int{}, map[string]bool{}, 0
	for _, side := range p.Sides {
		for _, row := range side.Rows {
			if row.Price.Currency != "" {
				of[row.FareType]++
				ccy[row.Price.Currency] = true
				p.Ccy = row.Price.Currency
				all++
			}
		}
	}
	for fare, n := range of {
		if n > of[p.Usual] || n == of[p.Usual] && fare < p.Usual {
			p.Usual = fare
		}
	}
	p.Others = all - of[p.Usual]
	if len(ccy) > 1 {
		p.Ccy = ""
	}
}

// Toggle is the query of the page with a part above the table open, or closed if it is.
func (p crewPage) Toggle(view string) url.Values {
	q := shell.CloneQuery(p.Query)
	q.Del("wait")
	if q.Set("view", view); p.View == view {
		q.Del("view")
	}
	return q
}

// First is the query of the first people.
func (p crewPage) First() url.Values {
	q := shell.CloneQuery(p.Query)
	q.Del("after")
	return q
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

// dueWords says by when on-signers have to be on board and, where a coordinator set an hour, from when off-signers may
// leave.
func dueWords(v flights.SearchView) string {
	var list []string // "2036-12-01 24:00"
	leave := ""
	for _, p := range v.Planned.Members {
		if day, by := p.DueBy(); day != "" {
			list = append(list, string(day)+" "+by)
		}
		if p.Side == gangway.OffSigner && p.Unneeded == "" && p.Hour != "" && p.ShipDay.Valid() {
			leave = ", off-signers from " + shell.DayInWords(p.ShipDay) + " " + p.Hour
		}
	}
	if len(list) == 0 {
		return strings.TrimPrefix(leave, ", ")
	}
	words := "due on board by "
	if slices.Sort(list); list[0] != list[len(list)-1] {
		words = "first " + words
	}
	day, by, _ := strings.Cut(list[0], " ")
	if by == "24:00" {
		words, by = words+"the end of ", ""
	}
	return strings.TrimSpace(words+shell.DayInWords(gangway.Date(day))+" "+by) + leave
}

var sideNames = map[gangway.Side]string{gangway.OnSigner: "On-signers", gangway.OffSigner: "Off-signers",
	"": "Travellers"}

// count adds one person to the totals.
func (p *crewPage) count(row *crewRow, b gangway.Booking, now time.Time) {
	if row.Chosen {
		p.Picked++
	}
	if row.Seat != "" {
		p.SeatsLost++
	}
	p.ByRoad = p.ByRoad || !row.Flown.There.IsZero()
	switch {
	case row.State == rowOffer && row.Again != "":
		p.Again++
	case row.State == rowOffer && row.Unnamed != "":
		p.Unnamed++
	case row.State == rowOffer:
		p.Chosen++
	case row.State != rowBooked:
		p.Missing++
	}
	if row.Spare.Grade.Urgent() && !row.Spare.Misfit() {
		p.Act++
	}
	if row.State == rowBooked || row.Again == "" { // a person listed twice is booked once
		p.Sum = gangway.AddMoney(p.Sum, row.Price)
		p.CO2 += row.CO2
	}
	if e := b.NextDeadline(now); !b.Ticketed() && e.Kind != gangway.Leaves && !e.At.IsZero() &&
		(p.Ends.At.IsZero() || e.At.Before(p.Ends.At)) {
		p.Ends = e
	}
}

// answer sums up the page in one line.
func (p crewPage) answer() string {
	line := p.Held
	add := func(n int, words string) {
		if n > 0 {
			line += " · " + shell.Number(n) + " " + words
		}
	}
	add(p.Absent, "not in this search")
	if p.Progress.Stream == "" {
		add(p.SeatsLost, map[bool]string{true: "seat", false: "seats"}[p.SeatsLost == 1]+" lost")
		add(p.Chosen, "ready to book")
		add(p.Unnamed, map[bool]string{true: "name", false: "names"}[p.Unnamed == 1]+" to complete")
		add(p.Again, "listed twice")
		add(p.Missing, "without a flight")
		add(p.Act, "with less than 6 h buffer")
	}
	if p.Due != "" {
		line += " · " + p.Due
	}
	if p.Progress.Stream != "" {
		return line + " · looking for flights"
	}
	if words := firstEnd(p.now, p.Ends); words != "" {
		line += " · " + words
	}
	for _, sum := range p.Sum {
		line += " · " + shell.Amount(sum)
	}
	if p.Others > 0 {
		line += ", " + string(p.Usual) + " but " + shell.Number(p.Others)
	}
	return line
}

// firstEnds name the deadline that comes first.
var firstEnds = map[gangway.DeadlineKind]string{gangway.PriceEnds: "first fare ", gangway.SeatsEnd: "first hold ",
	gangway.AnswerEnds: "first answer "}

// firstEnd says when the first deadline of several ends or ended: the day too where it is not within a day.
func firstEnd(now time.Time, e gangway.Deadline) string {
	if e.At.IsZero() {
		return ""
	}
	verb, layout := "ends ", "15:04 UTC"
	if !now.Before(e.At) {
		verb = "ended "
	}
	if e.At.Sub(now).Abs() >= 24*time.Hour {
		layout = shell.LongUTC
	}
	return firstEnds[e.Kind] + verb + e.At.UTC().Format(layout)
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
		dot := map[string]any{"Row": row, "Search": v.ID, "Ccy": "", "Usual": gangway.Marine}
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
