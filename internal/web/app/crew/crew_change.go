package crew

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A crewChangePage is a crew change as it is planned today: who joins, who leaves, and
// who is no longer in it.
type crewChangePage struct {
	Key         string
	Vessel      string
	Flag        gangway.Country
	Date        gangway.Date
	RequestedAs string
	CameFrom    string // in words
	Unbooked    int    // how many have no booking
	At          string // the text of the field with the port
	Wrong       string // what is wrong with it
	Latest      string // the latest search for it that somebody booked from
	Sides       []plannedSide
	Dropped     []droppedRow
	MoreDropped int        // how many are not among them
	Under       *batchNews // the batch that is under way

	Doubts []store.ChangeQuestion // whether it is another one, moved
	Search string                 // empty: an answer leads to this page
	Moved  *gangway.DateMove      // the latest move to another date
	Mover  string
	Undo   bool // the move can be undone
}

// A plannedSide is the people who join, or those who leave.
type plannedSide struct {
	Name string
	All  int
	Rows []plannedRow
}

// A plannedRow is one member.
type plannedRow struct {
	Who, About, Rank string
	Page             string       // of the person; empty: they are not on record
	Where            string       // where the plan of today meets the ship
	Date             gangway.Date // and when
	Booking          *flights.MemberBooking
}

// A droppedRow is a person whom a later upload left out, with the booking that was made
// before and still stands.
type droppedRow struct {
	plannedRow
	Side string
	At   time.Time
}

// plannedShown and droppedShown are how many members a page shows.
const (
	plannedShown = 500
	droppedShown = 200
)

// PlannedCrewChange shows a crew change as it is planned today.
func (room *Room) PlannedCrewChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	c, err := in.CrewChange(r.Context(), r.FormValue("key"))
	if err != nil {
		return err
	}
	at, _ := c.Where()
	return room.showPlan(w, r, in, c, flights.PlaceLabel(at), "")
}

// showPlan shows the plan with the text of the field with the port, and what is wrong with that.
func (room *Room) showPlan(w http.ResponseWriter, r *http.Request, in store.Scoped, c gangway.CrewChange, at,
	wrong string) error {
	p := crewChangePage{Key: c.Key(), Vessel: c.Vessel, Flag: c.Flag, RequestedAs: c.TravelRequestID,
		CameFrom: flights.CameFrom(c.Origin), At: at, Wrong: wrong}
	bookings, _, err := in.Bookings(r.Context(), store.BookingQuery{Change: p.Key, Live: true, Limit: 1000})
	if err != nil {
		return err
	}
	booked := p.bookings(c, bookings)
	if _, day := c.Where(); day < in.SearchesFrom(room.Now()).AddDays(7) { // as in book.Progress
		p.Latest = ""
	}
	if err := p.plan(r.Context(), in, c, gangway.OnSigner, c.OnSigners, booked); err != nil {
		return err
	}
	if err := p.plan(r.Context(), in, c, gangway.OffSigner, c.OffSigners, booked); err != nil {
		return err
	}
	p.drop(c, booked)
	under, err := in.BatchesUnderWay(r.Context())
	if err != nil {
		return err
	}
	if b, is := under[p.Key]; is {
		p.Under = batchNewsOf(b)
	}
	_, p.Date = c.Where()
	if p.Doubts, err = in.ChangeQuestions(r.Context(), p.Key); err != nil {
		return err
	}
	status := http.StatusOK
	if wrong != "" {
		status = http.StatusUnprocessableEntity
	}
	if n := len(c.Moves); n > 0 && !c.Moves[n-1].Undone {
		p.Moved, p.Mover, p.Undo = &c.Moves[n-1], "by the rule", c.Undoable(room.Now()) == n-1
		if by := p.Moved.By; by != "" {
			p.Mover = "by " + room.NameOf(r.Context(), by)
		}
	}
	answer := flights.CrewCounts(c) + " · " + shell.DateInWords(p.Date)
	if n := len(c.Dropped); n > 0 {
		answer += " · " + shell.Number(n) + " removed"
	}
	return room.Show(w, r, shell.Page{Template: "crew_change", Section: "crew-changes", Title: c.Vessel, Answer: answer,
		Status: status, Data: p})
}

// A bookingOf finds the booking of somebody who is or was in a crew change; nil: there is none.
type bookingOf func(gangway.Traveller, gangway.Side) *flights.MemberBooking

// bookings compares bookings of a crew change, newest first, with its plan. Of two for a person, one that fits
// counts.
func (p *crewChangePage) bookings(c gangway.CrewChange,
	list []gangway.Booking) bookingOf {
	var all gangway.Search
	add := func(t gangway.Traveller, side gangway.Side) {
		all.Members = append(all.Members, gangway.SearchMember{Traveller: t, Side: side})
	}
	for _, m := range c.OnSigners {
		add(m.Traveller, gangway.OnSigner)
	}
	for _, m := range c.OffSigners {
		add(m.Traveller, gangway.OffSigner)
	}
	for _, d := range c.Dropped {
		add(d.Traveller, d.Side)
	}
	planned, find, booked := book.CrewPlanned(c, ""), all.Finder(), map[int]*flights.MemberBooking{}
	for _, b := range list {
		p.Latest = cmp.Or(p.Latest, b.Purpose.Search)
		i, there := find(b.Passenger, b.Purpose.Side)
		if old := booked[i]; !there || old != nil && old.Misfit == "" {
			continue
		}
		made := flights.BookingOf(b, true)
		if made.Misfit = book.Misfit(planned.Fit(b), book.AShip); made.Misfit == "" || booked[i] == nil {
			booked[i] = made
		}
	}
	return func(t gangway.Traveller, side gangway.Side) *flights.MemberBooking {
		if i, there := find(t, side); there {
			return booked[i]
		}
		return nil
	}
}

func (p *crewChangePage) plan(ctx context.Context, in store.Scoped, c gangway.CrewChange, side gangway.Side,
	members []gangway.CrewMember, booked bookingOf) error {
	if len(members) == 0 {
		return nil
	}
	s := plannedSide{Name: sideNames[side], All: len(members)}
	for _, m := range members {
		if booked(m.Traveller, side) == nil {
			p.Unbooked++
		}
	}
	members = members[:min(len(members), plannedShown)]
	list := make([]gangway.Traveller, len(members))
	for i, m := range members {
		list[i] = m.Traveller
	}
	pages, err := flights.PersonPaths(ctx, in, list...)
	for _, m := range members {
		row := planned(c, m, side, booked)
		row.Page = pages[m.RecordKey()]
		s.Rows = append(s.Rows, row)
	}
	p.Sides = append(p.Sides, s)
	return err
}

func planned(c gangway.CrewChange, m gangway.CrewMember, side gangway.Side, booked bookingOf) plannedRow {
	place, date := c.Wanted(m, side)
	return plannedRow{Who: m.LastName + ", " + m.FirstName, About: flights.About(m.Traveller), Rank: m.Metadata["rank"],
		Where: flights.PlaceLabel(place), Date: date, Booking: booked(m.Traveller, side)}
}

// drop lists the people who are no longer in c, each with the booking that nobody needs
// any more.
func (p *crewChangePage) drop(c gangway.CrewChange, booked bookingOf) {
	for _, d := range c.Dropped[:min(len(c.Dropped), droppedShown)] {
		p.Dropped = append(p.Dropped, droppedRow{planned(c, d.CrewMember, d.Side, booked),
			strings.ToLower(strings.TrimSuffix(sideNames[d.Side], "s")), d.At})
	}
	p.MoreDropped = len(c.Dropped) - len(p.Dropped)
}
