package crew

import (
	"context"
	"net/http"
	"strings"
	"time"

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
}

// A droppedRow is a person whom a later upload left out, with the booking that was made
// before and still stands.
type droppedRow struct {
	plannedRow
	Side    string
	At      time.Time
	Booking *flights.MemberBooking
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
	p := crewChangePage{Key: c.Key(), Vessel: c.Vessel, Flag: c.Flag, RequestedAs: c.TravelRequestID,
		CameFrom: flights.CameFrom(c.Origin)}
	for _, s := range []struct {
		side    gangway.Side
		members []gangway.CrewMember
	}{{gangway.OnSigner, c.OnSigners}, {gangway.OffSigner, c.OffSigners}} {
		if err := p.plan(r.Context(), in, c, s.side, s.members); err != nil {
			return err
		}
	}
	if len(c.Dropped) > 0 {
		bookings, _, err := in.Bookings(r.Context(), store.BookingQuery{Change: p.Key, Limit: 1000})
		if err != nil {
			return err
		}
		p.drop(c, bookings)
	}
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
	if n := len(c.Moves); n > 0 && !c.Moves[n-1].Undone {
		p.Moved, p.Mover, p.Undo = &c.Moves[n-1], "by the rule", c.Undoable(room.Now()) == n-1
		if by := p.Moved.By; by != "" {
			p.Mover = "by " + room.NameOf(r.Context(), by)
		}
	}
	answer := flights.CrewCounts(c) + " · " + shell.DateInWords(p.Date)
	if n := len(c.Dropped); n > 0 {
		answer += " · " + shell.Number(n) + " no longer in it"
	}
	return room.Show(w, r, shell.Page{Template: "crew_change", Section: "crew-changes", Title: c.Vessel, Answer: answer,
		Data: p})
}

func (p *crewChangePage) plan(ctx context.Context, in store.Scoped, c gangway.CrewChange, side gangway.Side,
	members []gangway.CrewMember) error {
	if len(members) == 0 {
		return nil
	}
	s := plannedSide{Name: sideNames[side], All: len(members)}
	members = members[:min(len(members), plannedShown)]
	list := make([]gangway.Traveller, len(members))
	for i, m := range members {
		list[i] = m.Traveller
	}
	pages, err := flights.PersonPaths(ctx, in, list...)
	for _, m := range members {
		row := planned(c, m, side)
		row.Page = pages[m.RecordKey()]
		s.Rows = append(s.Rows, row)
	}
	p.Sides = append(p.Sides, s)
	return err
}

func planned(c gangway.CrewChange, m gangway.CrewMember, side gangway.Side) plannedRow {
	place, date := c.Wanted(m, side)
	return plannedRow{Who: m.LastName + ", " + m.FirstName, About: flights.About(m.Traveller), Rank: m.Metadata["rank"],
		Where: flights.PlaceLabel(place), Date: date}
}

// drop lists the people who are no longer in c, each with the booking that nobody needs
// any more.
func (p *crewChangePage) drop(c gangway.CrewChange, bookings []gangway.Booking) {
	live := map[string]gangway.Booking{}
	for _, b := range bookings {
		if b.Live() {
			live[string(b.Purpose.Side)+b.Passenger.Person()] = b
		}
	}
	for _, d := range c.Dropped[:min(len(c.Dropped), droppedShown)] {
		row := droppedRow{plannedRow: planned(c, d.CrewMember, d.Side), Side: strings.ToLower(sideNames[d.Side]),
			At: d.At}
		if b, ok := live[string(d.Side)+d.Person()]; ok && d.Key() != "" {
			row.Booking = &flights.MemberBooking{ID: b.ID, Locator: b.Locator, State: b.State}
		}
		p.Dropped = append(p.Dropped, row)
	}
	p.MoreDropped = len(c.Dropped) - len(p.Dropped)
}
