package crew

import (
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
	Elsewhere   bool // somebody meets the ship elsewhere
	RequestedAs string
	CameFrom    string // in words
	Unbooked    int    // how many have no booking
	Booked      int
	At          string // the text of the field with the port
	Wrong       string // what is wrong with it
	Latest      string // the latest search for it that somebody booked from
	Sides       []plannedSide
	Dropped     []droppedRow
	Under       *batchNews // the batch that is under way
	News        string     // what last changed it

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
	Where            string       // where the plan of today meets the ship, if that is not the crew change's port
	Date             gangway.Date // and when
	Stand            flights.Stand
	Booking          *flights.MemberBooking
}

// A droppedRow is a person whom a later upload left out, with the booking that was made
// before and still stands.
type droppedRow struct {
	plannedRow
	Side string
	At   time.Time
}

// plannedShown is how many members of a side a page shows.
const plannedShown = 500

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
	now := in.Now(room.Now())
	crew, err := book.CrewOf(r.Context(), in, p.Key, now)
	if err != nil {
		return err
	}
	var held string
	p.Booked, held = heldWords(crew.People, now)
	booked := p.standings(crew)
	if _, day := c.Where(); day < in.SearchesFrom(room.Now()).AddDays(7) { // as in book.Progress
		p.Latest = ""
	}
	for _, side := range []gangway.Side{gangway.OnSigner, gangway.OffSigner} {
		if err := p.plan(r.Context(), in, c, side, booked); err != nil {
			return err
		}
	}
	p.drop(c, booked)
	p.News = room.changeNews(r.Context(), c)
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
	answer := flights.CrewCounts(c) + " · " + strings.TrimPrefix(portName(crew.Place)+" · ", " · ") +
		shell.DateInWords(p.Date)
	if hour := c.Rules.BoardBy; hour != "" {
		answer += " · on board by " + hour
	}
	if hour := c.Rules.LeaveFrom; hour != "" {
		answer += " · off-signers from " + hour
	}
	answer += " · " + held
	if crew.Cut {
		answer += " · not all bookings were read"
	}
	return room.Show(w, r, shell.Page{Template: "crew_change", Section: "crew-changes", Title: c.Vessel, Answer: answer,
		Status: status, Data: p})
}

// changeNews says what last changed a crew change.
func (room *Room) changeNews(ctx context.Context, c gangway.CrewChange) string {
	return flights.CrewNews(c, room.Now(), func(by string) string { return room.NameOf(ctx, by) })
}

// A standingOf finds how somebody who is or was in a crew change stands, with their booking.
type standingOf func(gangway.Traveller, gangway.Side) (flights.Stand, *flights.MemberBooking)

// standings puts how everybody stands into words.
func (p *crewChangePage) standings(crew book.Crew) standingOf {
	var newest time.Time
	for _, of := range crew.People {
		for _, b := range of.Live {
			if b.Purpose.Search != "" && !b.CreatedAt.Before(newest) {
				newest, p.Latest = b.CreatedAt, b.Purpose.Search
			}
		}
	}
	find := crew.Finder()
	return func(t gangway.Traveller, side gangway.Side) (flights.Stand, *flights.MemberBooking) {
		i, there := find(t, side)
		if !there {
			return flights.Stand{}, nil
		}
		of := crew.People[i]
		stand := flights.StandOf(of.Judgement, book.AShip, crew.Asked)
		if b := of.Booking; b != nil {
			return stand, &flights.MemberBooking{ID: b.ID, Locator: b.Locator, State: b.State, Stand: stand}
		}
		return stand, nil
	}
}

func (p *crewChangePage) plan(ctx context.Context, in store.Scoped, c gangway.CrewChange, side gangway.Side,
	booked standingOf) error {
	members := c.OnSigners
	if side == gangway.OffSigner {
		members = c.OffSigners
	}
	if len(members) == 0 {
		return nil
	}
	s := plannedSide{Name: sideNames[side], All: len(members)}
	list := make([]gangway.Traveller, len(members))
	for i, m := range members {
		if list[i] = m.Traveller; i < plannedShown {
			row := planned(c, m, side, booked)
			s.Rows, p.Elsewhere = append(s.Rows, row), p.Elsewhere || row.Where != ""
		}
		if _, b := booked(m.Traveller, side); b == nil {
			p.Unbooked++
		}
	}
	pages, err := flights.PersonPaths(ctx, in, list[:len(s.Rows)]...)
	for i := range s.Rows {
		s.Rows[i].Page = pages[members[i].RecordKey()]
	}
	p.Sides = append(p.Sides, s)
	return err
}

func planned(c gangway.CrewChange, m gangway.CrewMember, side gangway.Side, booked standingOf) plannedRow {
	place, date := c.Wanted(m, side)
	row := plannedRow{Who: m.LastName + ", " + m.FirstName, About: flights.About(m.Traveller), Rank: m.Metadata["rank"],
		Date: date}
	if at, _ := c.Where(); place != at {
		row.Where = flights.PlaceLabel(place)
	}
	row.Stand, row.Booking = booked(m.Traveller, side)
	return row
}

// drop lists the people who are no longer in c, each with the booking that nobody needs
// any more.
func (p *crewChangePage) drop(c gangway.CrewChange, booked standingOf) {
	for _, d := range c.Dropped {
		p.Dropped = append(p.Dropped, droppedRow{planned(c, d.CrewMember, d.Side, booked),
			strings.ToLower(strings.TrimSuffix(sideNames[d.Side], "s")), d.At})
	}
}
