package crew

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A boardPage says what to do for everybody whose booking does not serve today's plan, and does it together.
type boardPage struct {
	Key      string
	Address  string // with what the reader changed
	News     string // what last changed the crew change
	Planned  string // identifies what is planned, for the script
	Flights  string // the search for flights by today's plan; empty: nobody looks for any yet
	Search   string // always empty: who answers whether it moved comes back to the crew change
	Aims     []boardAim
	Groups   []boardGroup
	UnderWay []boardRow // they are talked to
	Ccy      string     // of the column of amounts
	Run      string     // identifies the run that the form begins, as the form carries it
	Button   string
	Do       int    // how many rows are ticked
	Bar      string // what else is to be known before the button is pressed
	People   int    // how many are quoted for
	Asked    int    // of them, how many have all their quotes
	Stream   string // where the rest comes from; empty: nothing is to come
	Wait     string // this page, once everything is there
	Unplaced bool   // nobody has said where the ship is
	Cut      bool   // there are more bookings than were read
	Refused  string // why nothing was done, a sentence
	Doubts   []store.ChangeQuestion

	title, answer string
}

// A boardAim is one of the ways to answer for everybody, with what it costs.
type boardAim struct {
	Aim       plan.Aim
	Name, Sum string
	Words     string // what is done, and what is not counted
	On        bool
}

// A boardGroup is people of whom the same is so.
type boardGroup struct {
	Name, Words string
	Rows        []boardRow
}

// A boardRow is one person.
type boardRow struct {
	ID, Name, Rank string
	Path           string // of the booking, or else of the flights
	Stand          flights.Stand
	Locator, State string
	Rest           []gangway.Booking // their other bookings that stand
	Flight         string            // where and when it meets the ship
	Options        []boardOption
	Picked         int // the option that is selected; -1: none
	Ticked         bool
	Ends           string
	Else, ElsePath string
	Beside         string // who comes in their place
	Note           string // why nothing can be done, or what was refused
	Open           bool   // more is to come
	Call           string // of somebody under way: a telephone number
}

// A boardOption is something that can be done for them.
type boardOption struct {
	Value    string // as the form carries it: the way, the key, and the money that is shown
	Words    string
	Way      book.Way
	Money    string
	Arrives  string
	Buffer   string
	Class    string
	Sums     []gangway.Money // Money for the script to add up
	AtOnce   []gangway.Money // of that, what is paid or comes back at once
	Approval book.MoveApproval
	Until    string // until when it may be given, for the script: a number to compare, and words
	OneADay  string // the airline that may cancel one of the two bookings
}

// Now is the option that is selected.
func (r boardRow) Now() boardOption {
	if r.Picked < 0 {
		return boardOption{}
	}
	return r.Options[r.Picked]
}

// Board shows what to do about a crew change that moved. It asks airlines what is not known, unless the page is only
// brought up to date.
func (room *Room) Board(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	ask, live := readBoardAsk(r), shell.IsLive(r)
	if !live {
		patience := boardGlance
		if r.FormValue("wait") != "" {
			patience = flights.AllPatience
		}
		if err := room.askBoard(r.Context(), in, ask, patience); err != nil {
			return err
		}
	}
	return room.InTurn(func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		_, p, err := room.boardNow(r.Context(), in, ask)
		if err != nil {
			return err
		}
		if !live {
			p.Run = room.flights.Forms(r.Context(), in, gangway.Search{}).Fresh(boardPlace)
		}
		return room.Show(w, r, p.page(http.StatusOK))
	})(w, r, in)
}

// askBoard asks what is not known, and waits for answers with patience.
func (room *Room) askBoard(ctx context.Context, in store.Scoped, ask boardAsk, patience time.Duration) error {
	v, _ := shell.VisitorOf(ctx)
	ask.by = &v.User
	_, err := room.viewBoard(ctx, in, ask)
	room.searches.Board(in, ask.key).Wait(ctx, patience)
	return err
}

// boardGlance is how long the page waits for its first quotes.
const boardGlance = 300 * time.Millisecond

// boardPlace is the place in the form of the run that it begins.
const boardPlace = "board"

// BoardStream sends each person's row as it is quoted, and what all of it adds up to.
func (room *Room) BoardStream(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	ask := readBoardAsk(r)
	ask.by = &v.User
	out, sent := room.NewStream(w, r), map[string]boardRow{}
	for {
		b, err := room.viewBoard(r.Context(), in, ask) // the plan may have changed meanwhile
		if err != nil {
			return err
		}
		p := b.page()
		over, err := out.SendPart(!b.state.Asking(), func(part io.Writer) error {
			return room.sendBoard(part, in.Scope().Ahead, p, sent)
		})
		if err != nil || over || !room.Pause(r.Context(), b.state.More) {
			return err
		}
	}
}

// sendBoard sends rows first: a browser that has read other elements of a part takes no rows from it.
func (room *Room) sendBoard(part io.Writer, ahead time.Duration, p boardPage, sent map[string]boardRow) error {
	for _, g := range p.Groups {
		for _, row := range g.Rows {
			if reflect.DeepEqual(sent[row.ID], row) {
				continue
			}
			sent[row.ID] = row
			if err := room.PartAt(ahead, part, "board", "board-row", map[string]any{"Row": row, "P": p}); err != nil {
				return err
			}
		}
	}
	for _, name := range []string{"head", "board-aims", "board-progress", "board-bar"} {
		var dot any = p
		if name == "head" {
			dot = p.page(0)
		}
		if err := room.PartAt(ahead, part, "board", name, dot); err != nil {
			return err
		}
	}
	return nil
}

// A boardAsk is what a reader wants to see of a board.
type boardAsk struct {
	key  string
	aim  plan.Aim
	kept map[string]keptRow
	by   *gangway.User // what is not known is asked for them; nil: nothing is asked
}

// boardNow reads the page as it is now.
func (room *Room) boardNow(ctx context.Context, in store.Scoped, ask boardAsk) (b boardView, p boardPage, err error) {
	if b, err = room.viewBoard(ctx, in, ask); err != nil {
		return b, p, err
	}
	p = b.page()
	p.Doubts, err = in.ChangeQuestions(ctx, ask.key)
	return b, p, err
}

// viewBoard reads what the page is made from.
func (room *Room) viewBoard(ctx context.Context, in store.Scoped, ask boardAsk) (b boardView, err error) {
	if !slices.Contains(plan.Aims, ask.aim) {
		ask.aim = plan.AimCheapest
	}
	v, _ := shell.VisitorOf(ctx)
	b = boardView{boardAsk: ask, settings: shell.Settings(ctx), now: in.Now(room.Now()), reader: v.Person(),
		approvals: map[gangway.Money]book.MoveApproval{}}
	if b.crew, err = book.CrewOf(ctx, in, ask.key, b.now); err != nil {
		return b, err
	}
	board := room.searches.Board(in, ask.key)
	if ask.by != nil {
		if err := board.Ask(ctx, in, *ask.by, b.crew, b.settings, false); err != nil {
			return b, err
		}
	}
	if b.state, err = board.Look(ctx, in); err != nil {
		return b, err
	}
	b.people = b.state.People(b.crew, b.settings)
	slices.SortStableFunc(b.people, func(x, y plan.Moved) int { // what ends first comes first
		ends, other := endsAt(x, b.now), endsAt(y, b.now)
		return cmp.Or(plan.CompareBool(x.Plan.Unneeded != "", y.Plan.Unneeded != ""),
			plan.CompareBool(ends.IsZero(), other.IsZero()), ends.Compare(other),
			strings.Compare(x.Traveller.LastName, y.Traveller.LastName))
	})
	b.news, b.ccy = room.changeNews(ctx, b.crew.Change), b.settings.Currency
	b.rates = func(m gangway.Money) (gangway.Money, bool) {
		in, _, known := b.settings.Rates.Convert(m, b.settings.Currency)
		return in, known
	}
	b.name = func(email string) string { return cmp.Or(room.NameOf(ctx, email), "somebody") }
	longest := room.desk.LongestName(ctx, in)
	for i := range b.people {
		for _, o := range b.people[i].Options {
			b.ccy = cmp.Or(b.ccy, o.Pay.Currency, o.Back.Currency)
			price := o.New()
			if _, known := b.approvals[price]; known || price.Currency == "" || b.state.Asking() {
				continue
			}
			if b.approvals[price], err = room.desk.MoveApproval(ctx, in, b.reader, ask.key, price); err != nil {
				return b, err
			}
		}
		if why := unready(b.people[i], longest, b.crew.Date); why != "" {
			b.people[i].Options, b.people[i].Why = nil, why
		}
	}
	return b, nil
}

func (p boardPage) page(status int) shell.Page {
	return shell.Page{Template: "board", Section: "crew-changes", Title: p.title, Answer: p.answer, Status: status,
		Data: p}
}

// A boardView makes the page.
type boardView struct {
	boardAsk
	crew     book.Crew
	state    plan.BoardState
	people   []plan.Moved
	settings gangway.Settings
	reader   gangway.User
	ccy      string // of the column of amounts
	news     string // what last changed the crew change
	rates    plan.Rates
	now      time.Time
	name     func(email string) string
	// whether a new booking at a price needs approval: it is looked up once all are quoted
	approvals map[gangway.Money]book.MoveApproval
}

// approval says whose approval an option needs.
func (b boardView) approval(o plan.Option) book.MoveApproval {
	a, known := b.approvals[o.New()]
	if !known {
		return o.Approval.Of(b.reader, b.settings)
	}
	a.Until = cmp.Or(a.Until, o.Held)
	return a
}

func (b boardView) page() boardPage {
	p := boardPage{Key: b.key, Address: b.address(), News: b.news, Flights: b.state.Search.ID, Ccy: b.ccy,
		Cut: b.crew.Cut, Unplaced: b.crew.Place == "", Planned: fmt.Sprint(b.crew.Place, " ", b.crew.Date)}
	if n := b.crew.Change.News; n != nil {
		p.Planned += fmt.Sprint(" ", n.At.UnixMilli())
	}
	total := b.aims(&p)
	total = plan.Add(b.keep(total.Picks), b.people)
	sides := []gangway.Side{gangway.OnSigner, gangway.OffSigner, ""}
	groups := []boardGroup{{Name: sideNames[sides[0]]}, {Name: sideNames[sides[1]]}, {Name: sideNames[sides[2]]},
		{Name: "No longer travelling"}}
	beside, taken := b.beside(), map[int]bool{}
	states := []string{}
	var ticked []boardOption
	for i, m := range b.people {
		row := b.row(m, total.Picks[i])
		if m.Standing == gangway.UnderWay || m.Standing == gangway.Arrived {
			p.UnderWay = append(p.UnderWay, row)
			continue
		}
		if p.People++; !m.Open {
			p.Asked++
		}
		if row.Ticked {
			p.Do++
			ticked = append(ticked, row.Now())
		}
		of := &groups[slices.Index(sides, m.Side)]
		if m.Plan.Unneeded != "" {
			if of = &groups[len(sides)]; taken[i] {
				continue
			}
			states = append(states, flights.StateWords(m.Booking.State))
		}
		of.Rows = append(of.Rows, row)
		if j, ok := beside[i]; ok && m.Plan.Unneeded == "" {
			old := b.row(b.people[j], total.Picks[j])
			old.Beside, taken[j] = row.Name+" replaces", true
			of.Rows = append(of.Rows, old)
		}
	}
	groups[len(sides)].Words = shell.Tally(states)
	waiting, stay := b.waiting()
	p.Groups = slices.DeleteFunc(append(groups, waiting), func(g boardGroup) bool { return len(g.Rows) == 0 })
	p.Button, p.Bar = boardButton(p.Do, total.Due), barWords(ticked)
	if b.state.Asking() || slices.ContainsFunc(b.people, func(m plan.Moved) bool { return m.Open }) {
		q := b.query()
		p.Stream = "/crew-changes/board/stream?" + q.Encode()
		q.Set("wait", "1")
		p.Wait = "0; url=?" + q.Encode()
	}
	p.title = crewPage{Vessel: b.crew.Change.Vessel, Place: b.crew.Place, Date: b.crew.Date}.title()
	_, held := heldWords(b.crew.People, b.now)
	p.answer = strings.TrimPrefix(b.news+" · "+held+stay, " · ")
	return p
}

// waiting groups the people whose replacement fits and is not sure yet, and says which old bookings stay until then.
func (b boardView) waiting() (g boardGroup, stay string) {
	g.Name = "Replacements not sure yet"
	var olds []book.Person
	for _, p := range b.crew.People {
		if !p.Good() || !p.Booking.Replaces.Open() {
			continue
		}
		row := b.row(plan.Moved{Person: p, Member: -1}, -1)
		sure := map[bool]string{true: "approved", false: "sure"}[p.Booking.State == gangway.ApprovalRequired]
		row.Note = p.Booking.Replaces.Locator + " stays until this is " + sure
		for i := range p.Live {
			if old := (plan.Moved{}); p.Live[i].ID == p.Booking.Replaces.Booking {
				old.Booking = &p.Live[i]
				olds = append(olds, old.Person)
				if at := endsAt(old, b.now); !at.IsZero() {
					row.Note += map[bool]string{true: ", void free", false: ", held"}[old.Booking.Ticketed()] +
						" until " + soonWords(at, b.now)
				}
			}
		}
		g.Rows = append(g.Rows, row)
	}
	if len(olds) > 0 {
		_, stay = heldWords(olds, b.now)
		stay = " · " + strings.Replace(stay, " booked:", " more to be replaced:", 1)
	}
	return g, stay
}

// endsAt is when something ends of the booking that a person has: its hold or price, or free voiding.
func endsAt(m plan.Moved, now time.Time) time.Time {
	switch {
	case m.Booking != nil && !m.Booking.Ticketed():
		return m.Booking.NextDeadline(now).At
	case m.Booking != nil && now.Before(m.Booking.VoidUntil):
		return m.Booking.VoidUntil
	}
	return time.Time{}
}

// beside finds people who come in the place of somebody: of the same side, rank and home. Each is with one other.
func (b boardView) beside() map[int]int {
	pairs := map[int]int{}
	for i, m := range b.people {
		if m.Standing != gangway.NotBooked {
			continue
		}
		for j, old := range b.people {
			_, used := pairs[j]
			if !used && old.Plan.Unneeded != "" && old.Side == m.Side && old.Rank == m.Rank && m.Rank != "" &&
				old.Traveller.HomeAirport == m.Traveller.HomeAirport {
				pairs[i], pairs[j] = j, i
				break
			}
		}
	}
	return pairs
}

// value is an option as the form carries it.
func (b boardView) value(o plan.Option) string {
	return strings.Join([]string{string(o.Way), o.Key, b.moneyWords(o)}, " ")
}

// row makes the row of a person, for whom an option is picked; below zero: none.
func (b boardView) row(m plan.Moved, pick int) boardRow {
	row := boardRow{ID: m.Key(), Name: m.Traveller.LastName + ", " + m.Traveller.FirstName,
		Rank: m.Rank, Open: m.Open, Picked: pick, Ticked: pick >= 0 && m.Options[pick].Way != ""}
	row.Stand = flights.StandOf(m.Judgement, book.AShip, b.crew.Asked)
	if m.Booking != nil {
		if !m.Serves() {
			row.Note = m.Booking.Unchanged()
		}
		row.Path = "/bookings/" + url.PathEscape(m.Booking.ID)
		row.Locator, row.State = m.Booking.Locator, flights.Stands(*m.Booking)
		row.Flight = shipEnd(m.Side, m.Booking.Itinerary)
		row.Rest = slices.DeleteFunc(slices.Clone(m.Live), func(b gangway.Booking) bool { return b.ID == m.Booking.ID })
	}
	if at := endsAt(m, b.now); !at.IsZero() {
		row.Ends = map[bool]string{true: "void "}[m.Booking.Ticketed()] + soonWords(at, b.now)
	} else if pick >= 0 && !m.Options[pick].Ends.IsZero() {
		row.Ends = "quote " + soonWords(m.Options[pick].Ends, b.now)
	}
	if m.Member >= 0 {
		alternatives := flights.SearchPath(b.state.Search.ID, url.Values{"member": {shell.Number(m.Member)}})
		row.Path = cmp.Or(row.Path, alternatives)
		if m.Booking == nil && m.Others > 0 { // nobody can take them beside a booking
			row.Else, row.ElsePath = shell.Plural(m.Others, "other", "others"), alternatives
		}
	}
	switch m.Standing {
	case gangway.UnderWay, gangway.Arrived:
		row.Call = cmp.Or(m.Booking.Passenger.Phone, m.Traveller.Phone)
		row.Flight = shipEnd(gangway.OnSigner, m.Booking.Itinerary)
	case gangway.AirlineChanged:
		row.Else, row.ElsePath = "answer the airline", row.Path+"/schedule-change"
	case gangway.Changing:
		row.Else, row.ElsePath = "decide", row.Path
		if c := m.Booking.Change; c.Approval != "" {
			row.Note = "Waits for approval until " + soonWords(c.Expires, b.now) + " UTC."
		}
	case gangway.BookedElsewhere:
		row.Note = "Open the booking first."
	}
	for _, o := range m.Options {
		row.Options, row.Note = append(row.Options, b.option(m, o)), cmp.Or(row.Note, o.Declined)
	}
	if old := m.Booking; old != nil && old.Replaces.Open() {
		row.Note = cmp.Or(old.Replaces.Person, shell.AsSentence(old.MayBeReplaced().Error()))
	}
	if !m.Ended.IsZero() {
		row.Note = "Its terms ended at " + m.Ended.UTC().Format("15:04") + " and are asked anew."
	}
	if len(m.Options) == 0 && !m.Open && m.Why != "" {
		row.Note = shell.AsSentence(m.Why)
	}
	if row.Picked < 0 && len(row.Options) > 0 { // not done; yet something is selected
		row.Picked = max(0, slices.IndexFunc(m.Options, func(o plan.Option) bool { return o.ChosenBy != "" }))
	}
	b.compare(&row, m)
	if m.Lost != "" {
		row.Note = "The flight that " + b.name(m.Lost) +
			" chose cannot be had or does not meet the ship: look at the others."
	}
	if code := row.Now().OneADay; code != "" {
		row.Note = code + " may cancel one of two bookings of one person on one day. Tick to book anyway."
	}
	return row
}

// compare shows what the reader made of the row, and says what is otherwise than it was shown.
func (b boardView) compare(row *boardRow, m plan.Moved) {
	k, at, is := b.keptFor(m)
	if is && at >= 0 {
		row.Picked = at
	}
	_, shown, _ := strings.Cut(strings.TrimPrefix(k.value, k.way+" "), " ")
	switch {
	case !k.on || at >= 0 && b.shows(k, m.Options[at]) || k.value == "" && (m.Open || len(m.Options) == 0):
	case at >= 0:
		row.Note = "It was " + shown + " and is now " + row.Options[at].Money + "."
	default:
		row.Note = strings.Replace("What was shown ("+shown+") is no longer possible.", "shown ()", "ticked", 1)
	}
}

// option puts an option into words.
func (b boardView) option(m plan.Moved, o plan.Option) boardOption {
	row := boardOption{Way: o.Way, Words: wayWords(m, o), Money: b.moneyWords(o), OneADay: o.OneADay,
		Value: b.value(o), Sums: o.Sum(), Approval: b.approval(o)}
	if row.Approval.Why == "" {
		row.AtOnce = m.AtOnce(o)
	}
	if at := row.Approval.Until; !at.IsZero() {
		row.Until = fmt.Sprint(at.Unix(), " ") + soonWords(at, b.now)
	}
	if m.Plan.Unneeded == "" {
		row.Arrives = strings.TrimPrefix(shipEnd(m.Side, o.Itinerary), string(m.Plan.AtShip())+" ")
	}
	if o.ChosenBy != "" {
		row.Arrives += " · chosen by " + b.name(o.ChosenBy)
	}
	row.Buffer, row.Class = bufferWords(m, o)
	return row
}

// moneyWords is what an option costs or brings: "+ 91.00".
func (b boardView) moneyWords(o plan.Option) string {
	var words []string
	for _, sum := range o.Sum() {
		text := strings.TrimPrefix(shell.Amount(unsigned(sum)), b.ccy+" ")
		words = append(words, map[int]string{-1: "− ", 0: "", 1: "+ "}[cmp.Compare(sum.Minor, 0)]+text)
	}
	if o.Unknown {
		words = append(words, "refund not known")
	}
	return cmp.Or(strings.Join(words, ", "), "0.00")
}

// unsigned is the amount without its sign.
func unsigned(m gangway.Money) gangway.Money {
	m.Minor = max(m.Minor, -m.Minor)
	return m
}

// shipEnd says where and when flights meet the ship.
func shipEnd(side gangway.Side, it gangway.Itinerary) string {
	if len(it.Segments) == 0 {
		return ""
	}
	first, last := it.Segments[0], it.Segments[len(it.Segments)-1]
	if side == gangway.OffSigner {
		return string(first.Origin) + " " + first.Departure.Format("Mon 2 Jan 15:04")
	}
	return string(last.Destination) + " " + last.Arrival.Format("Mon 2 Jan 15:04")
}
