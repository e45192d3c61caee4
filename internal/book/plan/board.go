package plan

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"gangway/internal/background"
	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// boardsKept bounds for how many crew changes quotes are kept, and the others for how many they are asked at a time: of
// all accounts, and of one.
const (
	boardsKept      = 200
	boardsQuoted    = 32
	boardsOfAccount = 4
)

// choicesKept is how old a search for the same flights may be, with what people chose there, to be the one of a board.
const choicesKept = 24 * time.Hour

// A Board has what was asked about the people of a crew change that moved: flights by today's plan, and what changing
// or ending their bookings costs. Everybody who looks at the crew change shares it.
type Board struct {
	ss *Sessions

	mu      sync.Mutex
	search  string // for flights by today's plan; it is read anew each time, because erasure does not go through here
	session *Session
	quotes  map[string]boardQuote // by booking
	open    map[string]bool       // the bookings that are being asked about
	changed chan struct{}         // closed, and made anew, whenever there is more
	used    time.Time
}

// A boardQuestion is about a booking as it is, beside its plan as it is.
type boardQuestion struct {
	booking gangway.Booking
	of      string
}

// A boardQuote is the answer to such a question.
type boardQuote struct {
	of    string
	at    time.Time
	quote book.MoveQuote
	err   error
}

// Board returns what was asked about a crew change. It asks nothing.
func (ss *Sessions) Board(in store.Scoped, key string) *Board {
	now, of := ss.now(), fmt.Sprintf("%s %d %s", in.Scope().Account, in.Scope().Ahead, key)
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for other, b := range ss.boards {
		if other != of && (now.Sub(b.used) > life || len(ss.boards) >= boardsKept) {
			delete(ss.boards, other)
		}
	}
	b := ss.boards[of]
	if b == nil {
		b = &Board{ss: ss, quotes: map[string]boardQuote{}, open: map[string]bool{}, changed: make(chan struct{})}
		ss.boards[of] = b
	}
	b.used = now
	return b
}

// Ask begins to ask what is not known of the crew as it is now, or everything again. Each question is asked once,
// however many look.
func (b *Board) Ask(ctx context.Context, in store.Scoped, by gangway.User, crew book.Crew, s gangway.Settings,
	again bool) error {
	if err := b.lookForFlights(ctx, in, by, crew, again); err != nil {
		return err
	}
	now := b.ss.now()
	var asks []boardQuestion
	b.mu.Lock()
	for _, p := range rowsOf(crew.People, now) {
		if !p.quoted() || p.Booking == nil || b.open[p.Booking.ID] {
			continue
		}
		if q, there := b.quotes[p.Booking.ID]; there && !again && q.serves(p.Person, s, now) {
			continue
		}
		b.open[p.Booking.ID] = true
		asks = append(asks, boardQuestion{*p.Booking, questionOf(*p.Booking, p.Plan, s)})
	}
	b.mu.Unlock()
	if len(asks) == 0 {
		return nil
	}
	go b.quote(context.WithoutCancel(ctx), in, by, asks)
	return nil
}

// lookForFlights joins or begins the search for flights by today's plan, if anybody needs some.
func (b *Board) lookForFlights(ctx context.Context, in store.Scoped, by gangway.User, crew book.Crew,
	again bool) error {
	needed := slices.ContainsFunc(crew.People, func(p book.Person) bool {
		return Moved{Person: p}.quoted() && p.Plan.Unneeded == ""
	})
	if !needed || crew.Place == "" {
		return nil
	}
	s := searchOf(crew, by.Email, b.ss.now())
	st, err := b.Look(ctx, in)
	if err != nil || !again && st.current && st.Search.SameFlights(s) {
		return err
	}
	s, err = in.BeginSearch(ctx, s, b.ss.now().Add(-choicesKept))
	if err != nil {
		return err
	}
	session := b.ss.Of(in, s, again)
	b.tell(func() { b.search, b.session = s.ID, session })
	go func() { // whoever waits for the board hears of flights, too
		defer session.Watch()()
		for found := session.Look(); !found.Over; found = session.Look() {
			<-found.More
			b.tell(func() {})
		}
	}()
	return nil
}

// searchOf is the search for flights by today's plan.
func searchOf(crew book.Crew, by string, now time.Time) gangway.Search {
	s := book.SearchForCrewChange(crew.Change, crew.Place, by, now)
	s.Uploaded = true
	return s
}

// quote asks about bookings, side by side.
func (b *Board) quote(ctx context.Context, in store.Scoped, by gangway.User, asks []boardQuestion) {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	err := background.Guard(b.ss.log, "quote for a crew change that moved", func() error {
		release, err := b.ss.quoting.Take(ctx, in.Scope().Account, 1)
		if err != nil {
			return err
		}
		defer release()
		list := make([]gangway.Booking, len(asks))
		for i, ask := range asks {
			list[i] = ask.booking
		}
		return b.ss.desk.QuoteMoves(ctx, in, by, list, func(i int, q book.MoveQuote, err error) {
			b.answered(asks[i], q, err)
		})
	})
	for _, ask := range asks { // those that nobody answered
		b.answered(ask, book.MoveQuote{}, cmp.Or(err, errNotAsked))
	}
}

var errNotAsked = gangway.Errorf(gangway.Unavailable, "the airline has not answered: ask again")

func (b *Board) answered(ask boardQuestion, q book.MoveQuote, err error) {
	b.tell(func() {
		if b.open[ask.booking.ID] {
			delete(b.open, ask.booking.ID)
			b.quotes[ask.booking.ID] = boardQuote{ask.of, b.ss.now(), q, err}
		}
	})
}

func (b *Board) tell(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
	close(b.changed)
	b.changed = make(chan struct{})
}

// questionOf identifies a booking as it is, beside its plan and what needs approval as they are.
func questionOf(b gangway.Booking, p gangway.Plan, s gangway.Settings) string {
	return fmt.Sprintf("%s %d %s %v %s %s %v %v", b.ID, b.Version, p.Unneeded, p.Legs, p.ShipDay, p.Hour, s.Approval,
		s.Moves)
}

func (q boardQuote) serves(p book.Person, s gangway.Settings, now time.Time) bool {
	return q.of == questionOf(*p.Booking, p.Plan, s) && now.Sub(q.at) < life && q.ended(now).IsZero()
}

// ended is when the first of the terms that q told ended since; zero: all still hold.
func (q boardQuote) ended(now time.Time) (at time.Time) {
	until := []time.Time{q.quote.End.Until}
	for _, c := range q.quote.Changes {
		until = append(until, c.Expires)
	}
	for _, t := range until {
		if t.After(q.at) && !now.Before(t) && (at.IsZero() || t.Before(at)) {
			at = t
		}
	}
	return at
}

// rowsOf has everybody who travels once; and, each once, the bookings of those who do not, and replacements that miss
// today's plan where the booking whose place they were to take serves it.
func rowsOf(people []book.Person, now time.Time) (list []Moved) {
	for _, p := range people {
		if p.Plan.Unneeded == "" {
			list = append(list, Moved{Person: p, Member: -1})
		}
		for _, b := range p.Live {
			one := Moved{Person: p, Member: -1, Spare: true}
			one.Live = []gangway.Booking{b}
			one.Judgement = p.Plan.Judge(one.Live, false, now)
			if p.Plan.Unneeded != "" || p.Serves() && !one.Serves() && b.Replaces.Open() &&
				b.Replaces.Booking == p.Booking.ID {
				list = append(list, one)
			}
		}
	}
	return list
}

// quoted reports whether a board asks what can be done for a person: not for those who are booked as planned, on the
// way, or wait for an answer of their own.
func (m Moved) quoted() bool {
	switch m.Standing {
	case gangway.UnderWay, gangway.Arrived, gangway.Changing, gangway.BookedElsewhere:
		return false
	}
	return !m.Good()
}

// A BoardState is what a board has so far.
type BoardState struct {
	Search gangway.Search
	More   <-chan struct{} // closed when there is more

	found  SessionState
	quotes map[string]boardQuote
	open   int // how many bookings are being asked about
	now    time.Time

	current bool // the flights may still be shown
}

// Look returns what there is so far.
func (b *Board) Look(ctx context.Context, in store.Scoped) (BoardState, error) {
	b.mu.Lock()
	st := BoardState{More: b.changed, quotes: maps.Clone(b.quotes), open: len(b.open), now: b.ss.now()}
	search, session := b.search, b.session
	b.mu.Unlock()
	if session == nil {
		return st, nil
	}
	var err error
	if st.Search, err = in.Search(ctx, search); gangway.KindOf(err) == gangway.NotFound {
		return st, nil
	}
	session.serves(st.now, false) // it is looked at
	st.found, st.current = session.Look(), session.current(st.now)
	return st, err
}

// People returns what can be done for each person of the crew for whom something may have to be done.
func (st BoardState) People(crew book.Crew, s gangway.Settings) []Moved {
	find := st.Search.Finder()
	seek := crew.Place != "" && !(st.current && st.Search.SameFlights(searchOf(crew, "", st.now)))
	var list []Moved
	for _, m := range rowsOf(crew.People, st.now) {
		if m.Good() {
			continue
		}
		m.Night, _ = m.Plan.Rules.Night(waitsAt(m.Person, crew.Place)...)
		if i, there := find(m.Traveller, m.Side); there && !seek && !m.Spare {
			m.Member = i
		}
		if m.quoted() {
			m.Open = seek && !m.Spare
			st.fill(&m, s)
		}
		list = append(list, m)
	}
	return list
}

// waitsAt is where somebody waits for the ship: in its port, at the airport of their flights.
func waitsAt(p book.Person, ship gangway.Place) []gangway.Place {
	at := []gangway.Place{p.Plan.AtShip(), ship}
	if p.Booking == nil || len(p.Booking.Itinerary.Segments) == 0 {
		return at
	}
	route := p.Booking.Itinerary.Route()
	if p.Side == gangway.OffSigner {
		return append(at, gangway.Place(route[0]))
	}
	return append(at, gangway.Place(route[len(route)-1]))
}

// fill notes what can be done for a person.
func (st BoardState) fill(m *Moved, s gangway.Settings) {
	if !m.Spare && (m.Fits() || m.MayWait()) {
		m.Options = append(m.Options, Option{Key: "keep", Meeting: m.Meeting, Itinerary: m.Booking.Itinerary})
	}
	var q boardQuote
	if m.Booking != nil {
		switch q = st.quotes[m.Booking.ID]; {
		case !q.serves(m.Person, s, st.now):
			m.Ended, m.Open, q = q.ended(st.now), true, boardQuote{}
		case q.err != nil:
			m.Why = q.err.Error()
		default:
			if m.ends(q.quote); !m.Spare && (q.quote.NoAnew == nil || q.quote.EndsBy != book.WayRelease) {
				m.changes(q.quote)
			}
		}
	}
	if m.Member >= 0 && m.Member < len(st.found.Members) {
		of := st.found.Members[m.Member]
		m.Open = m.Open || !of.Done
		member := st.Search.Members[m.Member]
		choices := st.found.Choices(m.Member, member, m.Plan, s)
		i, ok, chosen := proposalFor(choices, member.Chosen, m.Booking)
		if ok {
			for j := range choices {
				if j != i && choices[j].Fit.OK() && choices[j].ForCrew() {
					m.Others++
				}
			}
			had := len(m.Options)
			if m.anew(q, &choices[i], st.Search, s); chosen && len(m.Options) > had {
				m.Options[had].ChosenBy = member.ChosenBy
			}
			chosen = chosen && len(m.Options) > had
		} else if of.Done && of.Err != nil {
			m.Why = of.Err.Error()
		} else if of.Done {
			m.Why = "no flight that crew may use reaches the ship"
		}
		// What was chosen before a booking was made from this search may be what was booked.
		if !m.Open && !chosen && (m.Booking == nil || m.Booking.Purpose.Search != st.Search.ID) {
			m.Lost = member.ChosenBy
		}
	}
	for i := range m.Options {
		m.Options[i].Key = m.Options[i].key()
	}
}

// proposalFor is the flight that a person chose, by its key, where it serves the plan and is not what is booked; else
// the one that is proposed.
func proposalFor(choices []Choice, key string, b *gangway.Booking) (i int, ok, chosen bool) {
	all := func(*Choice) bool { return true }
	if i, ok = Proposal(choices, key, all); ok && choices[i].Key == key {
		if c := choices[i]; c.Fit.OK() && (b == nil || c.flown != hashFlights(b.Itinerary).Sum64()) {
			return i, true, true
		}
		i, ok = Proposal(choices, "", all)
	}
	return i, ok, false
}

// ends is what ending a booking that nobody needs brings back, or one that takes the place of another: that one is on
// the board then.
func (m *Moved) ends(q book.MoveQuote) {
	if release := q.NoAnew != nil && q.EndsBy == book.WayRelease; !m.Spare && !release {
		return
	}
	if q.NoEnd != nil {
		m.Why = q.NoEnd.Error()
		return
	}
	o := Option{Way: q.EndsBy, Back: q.End.Amount, Unknown: q.End.Unknown, Void: q.End.Void,
		Ends: q.End.Until, ask: book.MoveAsk{Way: q.EndsBy, Booking: m.Booking.ID, Terms: q.End.ActTerms,
			Unneeded: m.Plan.Unneeded}}
	if q.EndsBy == book.WayRelease {
		o.Pay = minus(m.Booking.Price.Total) // as where a hold is replaced
	}
	m.Options = append(m.Options, o)
}

// changes is the best change of the booking that serves the plan.
func (m *Moved) changes(q book.MoveQuote) {
	var best *Option
	for _, c := range q.Changes {
		if c.Stands.Standing != gangway.Fits && c.Stands.Standing != gangway.JustInTime {
			continue
		}
		o := Option{Way: book.WayChange, Itinerary: c.Itinerary, Meeting: c.Stands.Meeting, Ends: c.Expires,
			Pay: c.Amount, Approval: c.Approval, Declined: c.Declined, ask: book.MoveAsk{Way: book.WayChange,
				Booking: m.Booking.ID, Offer: c.ID, Terms: c.ActTerms}}
		if c.Amount.Minor < 0 && m.Booking.Ticketed() {
			o.Pay, o.Back = gangway.Money{}, minus(c.Amount)
		}
		if best == nil || m.cheaper(o, *best, nil) {
			best = &o
		}
	}
	if best != nil {
		m.Options = append(m.Options, *best)
	}
}

// anew is a new booking, in place of the one there is; of two, nobody knows which.
func (m *Moved) anew(q boardQuote, c *Choice, in gangway.Search, s gangway.Settings) {
	o := Option{Way: book.WayHold, Pay: c.Price(), Itinerary: c.Offer.Itinerary, Ends: c.Offer.Expires,
		Meeting: m.Plan.Meet(c.Offer.Itinerary), Held: c.Offer.TicketBy}
	o.ask = book.MoveAsk{Way: book.WayHold, New: &book.BookAsk{Search: in.ID, Member: m.Member, Offer: c.Offer.ID,
		Price: c.Price(), AutoIssue: s.AutoIssue}}
	if m.Booking != nil {
		if q.of == "" || q.err != nil || q.quote.NoEnd != nil || q.quote.NoAnew != nil || len(m.Live) > 1 {
			return
		}
		end := q.quote.End
		o.Way, o.ask.Way, o.ask.Booking, o.ask.Terms = book.WayAnew, book.WayAnew, m.Booking.ID, end.ActTerms
		o.Back, o.Unknown, o.Void = end.Amount, end.Unknown, end.Void
		o.Declined = q.quote.Replacement.WhyDeclined(c.Offer.Itinerary, c.Price())
		o.OneADay = book.OneADay(m.Booking.Itinerary, c.Offer.Itinerary)
		o.ask.New.OneADay = o.OneADay
		if unpaid := m.Booking.Price.Total; !m.Booking.Ticketed() && unpaid.Currency == o.Pay.Currency {
			o.Pay = o.Pay.Sub(unpaid)
		}
		if !end.Until.IsZero() && end.Until.Before(o.Ends) {
			o.Ends = end.Until
		}
	}
	o.flown = c.Key
	m.Options = append(m.Options, o)
}

// key identifies what a person is shown. A supplier may give the same offer another identifier each time it is asked.
func (o Option) key() string {
	ask := o.ask
	ask.Offer = ""
	if ask.New != nil {
		ask.New = &book.BookAsk{Price: ask.New.Price}
	}
	doc, _ := json.Marshal(ask) // it has only strings and numbers
	h := hashFlights(o.Itinerary)
	fmt.Fprintf(h, "%s %s", o.flown, doc)
	return strconv.FormatUint(h.Sum64(), 36)
}

// Asking reports whether more is to come.
func (st BoardState) Asking() bool { return st.open > 0 || st.Search.ID != "" && !st.found.Over }

// Wait returns when there is no more to come, after patience, or when the reader leaves.
func (b *Board) Wait(ctx context.Context, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for ctx.Err() == nil {
		b.mu.Lock()
		more, over := b.changed, len(b.open) == 0 && (b.session == nil || b.session.Look().Over)
		b.mu.Unlock()
		if over {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
		}
	}
}

// Key identifies a person on a board, or a booking that nobody needs.
func (m Moved) Key() string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s", m.Side, m.Traveller.RecordKey())
	if m.Spare {
		h.Write([]byte(m.Booking.ID))
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// Ask is what is asked of the desk for an option, as it was quoted.
func (m Moved) Ask(o Option) book.MoveAsk {
	ask := o.ask
	ask.ID = book.NewID()
	if ask.New != nil {
		fresh := *ask.New
		fresh.ID = ask.ID
		ask.New = &fresh
	}
	return ask
}
