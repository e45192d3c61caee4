package bookings

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A deadlinesPage lists the holds that need somebody now, or all, by vessel and day.
type deadlinesPage struct {
	All          bool
	Needs, Holds int
	Until        string // before when a hold has to end to need somebody now
	Changes      []changeRow
	Ended        []endedGroup
	Groups       []holdGroup
	N            int
	More         bool // there are others, which end later
	Note         flights.Note
}

// A holdGroup is the holds for a vessel where it is met on a day.
type holdGroup struct {
	flights.VesselDay
	Sum  []gangway.Money
	Rows []deadlineRow
}

// Name is the group in words.
func (g holdGroup) Name() string {
	if g.Vessel == "" {
		return "No vessel"
	}
	words := g.Vessel
	if g.Place != "" {
		words += " · " + g.Place
	}
	if g.Date.Valid() {
		words += " · " + shell.DayInWords(g.Date)
	}
	return words
}

// A deadlineRow is a booking whose seats are held and not ticketed, or whose flights are being changed.
type deadlineRow struct {
	bookingRow
	PriceUntil, Seat time.Time // until when the price is guaranteed, and the seat is held
	Then             string    // what happens automatically, where it is not that the seats are released
	Decide           bool      // it waits for an approver, or a change for its confirmation
}

// Apart reports whether price and seat end at different times.
func (r deadlineRow) Apart() bool { return !r.PriceUntil.Equal(r.Seat) }

// A changeRow is a booking whose flights the airline has changed.
type changeRow struct {
	bookingRow
	What string // has changed, in few words
}

// An endedGroup is bookings that ended and that nobody has marked as seen.
type endedGroup struct {
	Name string
	Rows []endedRow
	IDs  []string
	Cut  bool // there are others, which ended before
}

// An endedRow is one of them.
type endedRow struct {
	bookingRow
	gangway.Ending
	At    time.Time
	Words string
	Again bool // its seats may be held again
}

// IDs is the booking as the button that marks it as seen sends it.
func (r endedRow) IDs() []string { return []string{r.ID} }

// holdsShown bounds the lists of what ends. The others move up as these are settled.
const holdsShown = 200

// endedShown bounds the list of what ended by itself.
const endedShown = 50

// Deadlines lists what ends.
func (room *Room) Deadlines(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	ctx, now := r.Context(), in.Now(room.Now())
	until := v.DutyEnds(now)
	waits, err := in.Waits(ctx, now, until)
	if err != nil {
		return err
	}
	p := deadlinesPage{All: r.FormValue("show") == "all", Needs: waits.Due(), Holds: waits.Deadline - waits.Answer,
		Until: flights.DutyWords(v, now, until)}
	changed, err := in.BookingsToAnswer(ctx, holdsShown)
	if err != nil {
		return err
	}
	for _, b := range changed {
		row := changeRow{newBookingRow(b), flights.AirlineChange(b)}
		row.Ends = b.NextDeadline(now)
		p.Changes = append(p.Changes, row)
	}
	if err := room.ended(r, in, &p); err != nil {
		return err
	}
	var list []gangway.Booking
	all := waits.Deciding
	if p.All {
		list, err = in.BookingsByDeadline(ctx, holdsShown)
		list = slices.DeleteFunc(list, func(b gangway.Booking) bool { return b.Needs() == gangway.NeedsAnswer })
		all = p.Holds
	} else {
		list, err = in.BookingsUndecided(ctx, now, until, holdsShown)
	}
	if err != nil {
		return err
	}
	if p.Groups, err = groupsOf(r, in, now, list); err != nil {
		return err
	}
	note, err := in.ShiftNote(ctx)
	if err != nil {
		return err
	}
	p.Note = flights.NoteFor(note, "/deadlines")
	p.N, p.More = len(list), all > len(list)
	answer := "Nothing needs you before " + p.Until
	if p.Needs > 0 {
		answer = shell.CountedPlural(p.Needs, "needs", "need") + " you before " + p.Until
	}
	if p.Holds > 0 {
		answer += " · " + shell.Counted(p.Holds) + " on hold, released unless issued"
	}
	return room.Show(w, r, shell.Page{Template: "deadlines", Section: "deadlines", Title: "Deadlines",
		Answer: answer + flights.NextEnd(now, list), Data: p, Waits: &waits})
}

func (room *Room) ended(r *http.Request, in store.Scoped, p *deadlinesPage) error {
	now := in.Now(room.Now())
	add := func(g endedGroup, list []gangway.EndedBooking) {
		for _, e := range list {
			g.Rows = append(g.Rows, endedRow{newBookingRow(e.Booking), e.Ending, e.EndedAt, flights.EndedWords(e),
				e.Ending != gangway.IssuedItself && e.MayHoldAgain(now) && e.Supplier != flight.Elsewhere})
			g.IDs = append(g.IDs, e.ID)
		}
		if len(g.Rows) > 0 {
			p.Ended = append(p.Ended, g)
		}
	}
	list, err := in.UnseenEndings(r.Context(), endedShown)
	if err != nil {
		return err
	}
	add(endedGroup{Name: "Ended by themselves"}, list)
	list, cut, err := book.Unseated(r.Context(), in, now)
	add(endedGroup{Name: "Ended by a person, nobody booked instead", Cut: cut}, list)
	return err
}

// groupsOf groups bookings, which are by deadline, by vessel and day: the group in which something ends first comes
// first.
func groupsOf(r *http.Request, in store.Scoped, now time.Time, list []gangway.Booking) (groups []holdGroup, err error) {
	plans, err := book.PlansOf(r.Context(), in, list)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(x, y gangway.Booking) int {
		return cmp.Or(x.NextDeadline(now).At.Compare(y.NextDeadline(now).At), strings.Compare(x.Locator, y.Locator))
	})
	at := map[string]int{}
	for _, b := range list {
		of := flights.VesselDayOf(b)
		i, there := at[of.Key]
		if !there {
			i = len(groups)
			at[of.Key], groups = i, append(groups, holdGroup{VesselDay: of})
		}
		g := &groups[i]
		g.Rows, g.Sum = append(g.Rows, holdDeadline(b, now, plans)), gangway.AddMoney(g.Sum, b.Price.Total)
	}
	return groups, nil
}

func holdDeadline(b gangway.Booking, now time.Time, plans book.Plans) deadlineRow {
	row := deadlineRow{bookingRow: newBookingRow(b)}
	row.Ends, row.Stand = b.NextDeadline(now), flights.StandBy(plans, b, now)
	row.PriceUntil, row.Seat = b.Deadlines()
	switch at := b.IssuesAt(); {
	case b.State == gangway.ApprovalRequired:
		row.Then, row.Decide = "waits for approver", true
	case b.State == gangway.ChangePending:
		row.Decide = true
	case !at.IsZero() && b.PriceEnded(now):
		row.Then = "not issued, fare ended"
	case !at.IsZero() && plans.Misfit(b) == "":
		row.Then = "issues itself"
	}
	return row
}

// See marks bookings that ended by themselves as seen, and what happened to them as handled.
func (room *Room) See(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	r.ParseForm() // an unreadable form names no booking
	ids := r.PostForm["booking"]
	by, n := gangway.StampOf(v.User, in.Now(room.Now())), 0
	for _, id := range ids[:min(len(ids), 2*endedShown)] {
		first, err := room.see(r, in, id, by)
		if err != nil {
			return err
		}
		if first {
			n++
		}
	}
	room.Sessions.SetFlash(r.Context(), shell.Plural(n, "booking", "bookings")+" marked as seen.")
	return room.Redirect(w, r, shell.Local(r.PostForm.Get("back")))
}

func (room *Room) see(r *http.Request, in store.Scoped, id string, by gangway.Stamp) (first bool, err error) {
	if first, err = in.SeeEnding(r.Context(), id, by); err != nil || !first {
		return false, err
	}
	v, _ := shell.VisitorOf(r.Context())
	if _, err = room.desk.Handled(r.Context(), in, v.User, id); gangway.KindOf(err) == gangway.Conflict {
		err = nil // it needed nobody
	}
	return true, err
}

// Handled records that the reader has dealt with what a booking needed a person for, and returns to
// the page where the button was.
func (room *Room) Handled(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	b, err := room.desk.Handled(r.Context(), in, by, id)
	switch {
	case gangway.KindOf(err) == gangway.Conflict:
		room.Sessions.SetFlash(r.Context(), shell.SentenceOf(err))
	case err != nil:
		return err
	default:
		room.Sessions.SetFlash(r.Context(), b.Locator+": handled.")
	}
	return room.Redirect(w, r, shell.Local(cmp.Or(r.PostFormValue("back"), "/bookings/"+r.PathValue("id"))))
}
