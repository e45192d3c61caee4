package today

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A todayPage lists what needs somebody now, and then the work that is planned.
type todayPage struct {
	Above  []above // by role, what leads to other pages
	Groups []group
	Note   flights.Note
}

// An above is a line above the lists.
type above struct{ Words, Path, Link string }

// A group is a part of the list.
type group struct {
	Name, About string // what is so of all its rows
	Rows        []row
	See         *see   // marks all of them as seen
	More        string // where the others are; empty: these are all
	MoreWords   string
}

// A see is what the button sends that marks bookings as seen.
type see struct {
	IDs       []string
	Words, Of string
	Back      string
}

// A row leads to the page that solves it.
type row struct {
	Sign, Class     string
	Path            string
	Name, About     string
	Day             gangway.Date // after About
	What            string
	At              *time.Time // after What: an instant
	Booked, Of      int        // of a crew change
	Left, Since     *time.Time // the time that is left, or has passed
	When            string
	LongName        bool // it breaks where the others keep one line
	LongAbout       bool
	LongWhen        bool
	Links           []link
	Again           *again
	See             *see
	Handled, Search *form
}

type link struct{ Path, Words, Of string }

type again struct{ ID, Who string }

// A form is a button that acts on the row.
type form struct {
	Path, Words, Of string
	Fields          map[string]string
}

// rowsShown bounds each list of what needs somebody, and the others those of what is planned.
const (
	rowsShown     = 30
	plansShown    = 20
	requestsShown = 10
)

// daysAhead is how far ahead what is planned is listed.
const daysAhead = 14

// Today shows the page.
func (room *Room) Today(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	t := listing{ctx: r.Context(), in: in, room: room, v: v, now: in.Now(room.Now())}
	t.until = v.DutyEnds(t.now)
	var err error
	if t.Needed, err = book.NeededNow(t.ctx, in, t.now, t.until, rowsShown); err != nil {
		return err
	}
	var p todayPage
	if p.Above, err = t.above(); err != nil {
		return err
	}
	groups := []group{t.oldPlans(), t.lost(), t.changed(), t.ending(), t.person(), t.issued()}
	for _, list := range []func() (group, error){t.crewChanges, t.requests} {
		g, err := list()
		if err != nil {
			return err
		}
		groups = append(groups, g)
	}
	p.Groups = slices.DeleteFunc(groups, func(g group) bool { return len(g.Rows) == 0 })
	for _, g := range p.Groups {
		for i := range g.Rows {
			r := &g.Rows[i]
			r.LongName, r.LongAbout, r.LongWhen = len(r.Name) > 28, len(r.About) > 24, len(r.When) > 24
		}
	}
	note, err := in.ShiftNote(t.ctx)
	if err != nil {
		return err
	}
	p.Note = flights.NoteFor(note, "/")
	answer := "Nothing needs you now"
	if n := t.Waits.Today(); n > 0 {
		answer = shell.CountedPlural(n, "thing needs you", "things need you") + flights.NextEnd(t.now, t.next)
	}
	answer += " · " + t.now.UTC().Format("Mon 2 Jan, 15:04 UTC")
	return room.Show(w, r, shell.Page{Template: "today", Section: "today", Title: "Today", Answer: answer, Data: p,
		Waits: &t.Waits})
}

// First leads to the page from an address that it had before.
func (room *Room) First(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	return room.Redirect(w, r, "/")
}

// A listing reads the lists of the page for a reader.
type listing struct {
	ctx        context.Context
	in         store.Scoped
	room       *Room
	v          shell.Visitor
	now, until time.Time
	book.Needed

	next []gangway.Booking // of which something ends
}

func (t *listing) above() (list []above, err error) {
	role := t.v.User.Role
	ended, cut, err := book.Unseated(t.ctx, t.in, t.now)
	if n := len(ended); n > 0 {
		words := shell.CountedPlural(n, "booking", "bookings") + " ended by a person, nobody booked instead"
		list = append(list, above{map[bool]string{true: "At least "}[cut] + words, "/deadlines", "Deadlines"})
	}
	if n := t.Waits.Approver; n > 0 && role.CanApprove() {
		list = append(list, above{shell.CountedPlural(n, "booking waits", "bookings wait") + " for approval",
			"/approvals", "Approvals"})
	}
	if err != nil || !role.May(gangway.ToAdminister) {
		return list, err
	}
	feeds, err := t.in.Feeds(t.ctx) // of outlets every page tells
	for _, f := range feeds {
		c := gangway.ConditionOfFeed(f.Feed, gangway.FeedFacts{Failing: f.Failing, Good: f.GoodAt})
		if c.Failing() && len(list) < plansShown {
			list = append(list, above{"Feed " + f.Name + " is failing", "/settings/feeds/" + url.PathEscape(f.Name),
				"Open feed " + f.Name})
		}
	}
	return list, err
}

func who(b gangway.Booking) string { return b.Passenger.LastName + ", " + b.Passenger.FirstName }

func path(b gangway.Booking, more string) string { return "/bookings/" + url.PathEscape(b.ID) + more }

// signs go with the colour classes of rows.
var signs = map[string]string{"act": "!", "watch": "△"}

func bookingRow(b gangway.Booking, class string) row {
	return row{Sign: signs[class], Class: class, Path: path(b, ""), Name: who(b), About: b.Purpose.Vessel}
}

// cut says where the rest of a list is whose first rows are shown.
func (g *group) cut(all int, path, words string) {
	if all > len(g.Rows) {
		g.More, g.MoreWords = path, shell.Counted(all-len(g.Rows))+" more"+words
	}
}

// lost are the bookings whose seats are gone, and issued those that issued themselves.
func (t *listing) lost() group { return t.endings("Seats lost", true) }

func (t *listing) issued() group { return t.endings("Issued automatically", false) }

func (t *listing) endings(name string, lost bool) group {
	g := group{Name: name, See: &see{Words: "Mark all as seen", Back: "/"}}
	for _, e := range t.Ended {
		if e.Ending.Lost() != lost {
			continue
		}
		class := map[bool]string{true: "act"}[lost]
		line := bookingRow(e.Booking, class)
		at := e.EndedAt
		line.What, line.At, line.Since = flights.EndingWords(e.Ending), &at, &at
		if lost && e.MayHoldAgain(t.now) && e.Supplier != flight.Elsewhere {
			line.Again = &again{e.ID, line.Name}
		}
		line.See = &see{IDs: []string{e.ID}, Words: "Seen", Of: line.Name, Back: "/"}
		g.Rows, g.See.IDs = append(g.Rows, line), append(g.See.IDs, e.ID)
	}
	if len(t.Ended) == 2*rowsShown && !lost {
		g.cut(t.Waits.Ended-2*rowsShown+len(g.Rows), "/deadlines", ", once these are seen")
	}
	return g
}

func (t *listing) changed() group {
	g := group{Name: "Schedule changes", About: "answer the airline"}
	for _, b := range t.Answer {
		line := bookingRow(b, "act")
		line.Path, line.What = path(b, "/schedule-change"), flights.AirlineChange(b)
		ends := b.NextDeadline(t.now)
		line.Left = &ends.At
		line.Links = []link{{line.Path, "Compare", line.Name}}
		g.Rows = append(g.Rows, line)
	}
	t.next = append(t.Answer, t.next...)
	g.cut(t.Waits.Answer, "/bookings?state=change_pending", "")
	return g
}

func (t *listing) ending() group {
	g := group{Name: "Ends before " + flights.DutyWords(t.v, t.now, t.until)}
	var sum []gangway.Money
	for _, b := range t.Ending {
		line := bookingRow(b, "watch")
		ends := b.NextDeadline(t.now)
		line.What, line.At, line.Left = endsWords[ends.Kind], &ends.At, &ends.At
		if stand := flights.StandBy(t.Plans, b, t.now); !stand.Plain() {
			line.What = stand.Words + " · " + line.What
			if stand.Class == "act" {
				line.Class, line.Sign = "act", signs["act"]
			}
		}
		if c := b.Change; c != nil && c.Approval != "" {
			whose, _ := t.room.desk.Whose(t.ctx, t.in, b) // else the booking's own page names them
			by := strings.TrimSuffix(" by "+strings.Join(whose, " or "), " by ")
			line.What = "change waits for approval" + by + ", until"
		}
		line.Links = t.decisions(b)
		g.Rows, sum = append(g.Rows, line), gangway.AddMoney(sum, b.Price.Total)
	}
	t.next = append(t.Ending, t.next...)
	g.About = shell.CountedPlural(t.Waits.Deciding, "booking", "bookings")
	if len(t.Ending) == t.Waits.Deciding {
		for _, m := range sum {
			g.About += " · " + shell.Amount(m)
		}
	}
	g.cut(t.Waits.Deciding, "/deadlines", " on Deadlines")
	return g
}

var endsWords = map[gangway.DeadlineKind]string{gangway.PriceEnds: "fare until", gangway.SeatsEnd: "seats until",
	gangway.AnswerEnds: "change offered until", gangway.Leaves: "leaves"}

// decisions are what the reader can do about a booking that ends.
func (t *listing) decisions(b gangway.Booking) (list []link) {
	of, approves := who(b), b.MayBeApprovedBy(t.v.Person(), t.v.Account.Settings)
	switch c := b.Change; {
	case c != nil && c.Approval != "" && approves:
		return []link{{"/approvals", "Approvals", of}}
	case c != nil && c.Approval != "":
		return nil
	case b.State == gangway.ChangePending:
		return []link{{path(b, ""), "Confirm…", of}}
	case b.State == gangway.ApprovalRequired && approves:
		list = append(list, link{path(b, ""), "Approve…", of})
	case b.Can(gangway.Issue) && t.Plans.Misfit(b) != "":
		list = append(list, link{path(b, ""), "Open", of})
	case b.Can(gangway.Issue):
		list = append(list, link{path(b, "/issue"), "Issue", of})
	}
	return append(list, link{path(b, "/cancel"), "Release", of})
}

func (t *listing) person() group {
	g := group{Name: "Not issued, or changed by others", About: "needs a person"}
	for _, b := range t.Person {
		line := bookingRow(b, "act")
		line.What, line.Since = b.Attention.Why, &b.Attention.At
		if ends := b.NextDeadline(t.now); b.State == gangway.Confirmed && !ends.At.IsZero() {
			line.Left, line.Since = &ends.At, nil
			t.next = append(t.next, b)
		}
		done, end := "Handled", gangway.Booking{}
		if r := b.Replaces; r.Open() && r.Person == b.Attention.Why {
			done = "Keep both"
			end, _ = t.room.desk.Surplus(t.ctx, t.in, b) // else the booking's own page says why
		}
		if b.Can(gangway.Issue) && end.ID != b.ID && t.Plans.Misfit(b) == "" {
			line.Links = []link{{path(b, "/issue"), "Issue", line.Name}}
		}
		if end.ID != "" {
			line.Links = append(line.Links, link{path(end, "/cancel"), "Cancel " + end.Locator, line.Name})
		}
		line.Handled = &form{path(b, "/handled"), done, line.Name, map[string]string{"back": "/"}}
		g.Rows = append(g.Rows, line)
	}
	ends := func(r row) time.Time { // what does not end comes last
		if r.Left == nil {
			return t.now.AddDate(10, 0, 0)
		}
		return *r.Left
	}
	slices.SortStableFunc(g.Rows, func(x, y row) int { return ends(x).Compare(ends(y)) })
	g.cut(t.Waits.Person, "/", ", once these are handled")
	return g
}

// oldPlans has a row for each crew change, and for each booking that is for none.
func (t *listing) oldPlans() group {
	g := group{Name: "Not booked as planned"}
	for _, b := range t.OldPlans {
		line := bookingRow(b.Booking, "act")
		line.What = t.Plans.Misfit(b.Booking)
		line.Links = []link{{line.Path, "Open", line.Name}}
		if b.Purpose.Change != "" {
			line.Name, line.About = b.Purpose.Vessel, shell.Tally(gangway.Each(b.All, flights.Stands))
			line.Path = flights.BoardPath(b.Purpose.Change)
			line.Links = []link{{line.Path, "Board", line.Name}}
		}
		if ends := flights.Next(t.now, b.All); !ends.At.IsZero() {
			line.Left = &ends.At
		}
		t.next, g.Rows = append(t.next, b.All...), append(g.Rows, line)
	}
	g.cut(t.Waits.OldPlans, "/crew-changes", " on Crew changes")
	return g
}

func (t *listing) crewChanges() (group, error) {
	g := group{Name: "Crew changes, next 14 days"}
	today := gangway.DateOf(t.now.UTC())
	keys, err := t.in.CrewChangeKeys(t.ctx, "", today, today.AddDays(daysAhead), plansShown+1)
	if err != nil {
		return g, err
	}
	list, err := t.room.desk.ProgressOf(t.ctx, t.in, keys[:min(len(keys), plansShown)])
	slices.SortStableFunc(list, func(a, b book.Progress) int { return strings.Compare(string(a.Date), string(b.Date)) })
	for _, c := range list {
		class := []string{"", "watch", "act"}[c.Urgency(today.DaysTo(c.Date))]
		line := row{Sign: signs[class], Class: class, Path: "/crew-changes/plan?key=" + url.QueryEscape(c.Key),
			Name: c.Vessel, Day: c.Date,
			Booked: c.Booked, Of: c.Size()}
		if c.Place != "" {
			line.About = flights.CityName(c.Place)
		}
		if c.Sent != "" {
			line.When = "moved"
		}
		if line.What = shell.Tally(c.Misfits); c.Unneeded > 0 {
			line.What = strings.TrimPrefix(line.What+", "+strconv.Itoa(c.Unneeded)+" removed, still booked", ", ")
		}
		missing := c.Size() - c.Booked
		switch open := (link{line.Path, "Open", c.Vessel}); {
		case len(c.Misfits) > 0 || c.Unneeded > 0:
			line.Path = flights.BoardPath(c.Key)
			line.Links = []link{{line.Path, "Board", c.Vessel}}
		case missing > 0 && c.Place != "":
			line.Search = &form{"/crew-changes/search", "Find flights (" + strconv.Itoa(missing) + ")", c.Vessel,
				map[string]string{"key": c.Key, "airport": flights.PlaceLabel(c.Place)}}
		case c.Search != "":
			open.Path = "/searches/" + url.PathEscape(c.Search)
			fallthrough
		default:
			line.Links = []link{open}
		}
		g.Rows = append(g.Rows, line)
	}
	g.About = strconv.Itoa(len(g.Rows))
	if len(keys) > plansShown {
		g.About, g.More, g.MoreWords = "the first "+g.About, "/crew-changes", "All crew changes"
	}
	return g, err
}

func (t *listing) requests() (group, error) {
	g := group{Name: "Requests without flights"}
	today := gangway.DateOf(t.now.UTC())
	list, more, err := t.in.RequestsWithoutBooking(t.ctx, today, today.AddDays(daysAhead), requestsShown)
	for _, q := range list {
		key := flights.RequestKey{ID: q.RequestID, Sub: q.SubRequestID}
		asked := key.Values()
		asked.Set("on", string(q.Flight.Starts()))
		line := row{Path: "/book?" + asked.Encode(), Name: q.Traveller.LastName + ", " + q.Traveller.FirstName,
			Day: q.Flight.Starts(), About: string(q.Flight.Origin) + " → " + string(q.Flight.Destination),
			When: strings.TrimSuffix(key.ID+"/"+key.Sub, "/")}
		if q.Vehicle != nil {
			line.What = q.Vehicle.Name
		}
		line.Search = &form{"/requests/search", "Find flights", line.Name, map[string]string{"only": key.String()}}
		g.Rows = append(g.Rows, line)
	}
	g.About = strconv.Itoa(len(g.Rows))
	if more {
		g.About, g.More, g.MoreWords = "the first "+g.About, "/requests?week=on", "All requests"
	}
	return g, err
}

// WriteNote writes the note for the next shift.
func (room *Room) WriteNote(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	seen, _ := strconv.ParseInt(r.PostFormValue("seen"), 10, 64) // what cannot be read is none that was seen
	n := store.ShiftNote{Words: strings.TrimSpace(r.PostFormValue("note")), Stamp: gangway.StampOf(v.User, room.Now())}
	if len([]rune(n.Words)) > noteLength {
		return gangway.Errorf(gangway.Invalid, "a note has at most %d letters", noteLength)
	}
	said := "The note is saved."
	if err := in.WriteShiftNote(r.Context(), n, seen); gangway.KindOf(err) == gangway.Conflict {
		said = shell.SentenceOf(err) + " Yours was not saved: " + n.Words
	} else if err != nil {
		return err
	}
	room.Sessions.SetFlash(r.Context(), said)
	return room.Redirect(w, r, shell.Local(r.PostFormValue("back")))
}

const noteLength = 500
