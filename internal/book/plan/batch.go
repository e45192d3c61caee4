package plan

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// toBook is the kind of batch that makes a booking for each member of a search, and Moves does for each person of a
// crew change what somebody chose; every other kind is an act on bookings. An item is always one repeatable call of
// the desk, so that another process can take over a batch.
const (
	toBook = "book"
	Moves  = book.Act("move")
)

// A Batch is one request about many bookings, as it stands now.
type Batch struct {
	ID, Search string
	Act        book.Act     // what is done to bookings; empty: they are made
	By         gangway.User // Email and Name alone
	At         time.Time    // when it was begun
	Issues     bool         // its bookings are to be issued automatically
	Items      []Item
}

// An Item is one booking of a batch.
type Item struct {
	ID      string // of the booking that is made, or of the request to act on one
	Member  int
	Booking string            // the identifier that the booking has, or will have
	Price   gangway.Money     // what the booker agreed to; none once the traveller was erased
	Terms   book.ActTerms     // of an act: what was agreed to
	Way     book.Way          // of a move
	Who     gangway.Traveller // for whom a move makes a booking
	Made    *gangway.Booking  // or acted on; nil: there is none yet
	State   store.ItemState
	Why     string // why it was not done, in words
	Unbegun bool   // the airline was not asked: the same request can be made again
}

// Sum is what was agreed to: a price, what comes back of a cancellation, or what a move costs less what comes back.
func (i Item) Sum() (sum []gangway.Money) {
	switch i.Way {
	case book.WayRelease, book.WayCancel:
		return gangway.AddMoney(nil, minus(i.Terms.Amount))
	case book.WayAnew, book.WayHold:
		if sum = gangway.AddMoney(nil, i.Price); i.Made != nil && i.Made.Replaces != nil {
			sum = gangway.AddMoney(sum, minus(i.Made.Replaces.Back))
		}
		return sum
	}
	return gangway.AddMoney(nil, i.Terms.Amount)
}

// Made are the bookings that were made or acted on.
func (b Batch) Made() (list []gangway.Booking) {
	for _, item := range b.Items {
		if item.Made != nil {
			list = append(list, *item.Made)
		}
	}
	return list
}

// Settled is how many items have an outcome.
func (b Batch) Settled() int {
	n := 0
	for _, item := range b.Items {
		if item.State != store.ItemOpen {
			n++
		}
	}
	return n
}

// Batch returns a batch as it stands now, with its bookings in their present state, late answers of
// airlines included. NotFound: no batch was begun under this identifier, or it is so old that it is
// no longer kept.
func (bs *Batches) Batch(ctx context.Context, in store.Scoped, id string) (Batch, error) {
	kept, err := in.Batch(ctx, id)
	if err != nil {
		return Batch{}, err
	}
	b := Batch{ID: id, Search: kept.Search, By: kept.By, At: kept.CreatedAt}
	if kept.Kind != toBook {
		b.Act = book.Act(kept.Kind)
	}
	for _, i := range kept.Items {
		item := Item{ID: i.Booking, Member: i.Member, Booking: cmp.Or(i.ActsOn, i.Booking), Made: i.Made,
			State: i.State, Why: i.Outcome}
		switch b.Act {
		case "":
			ask, err := readAsk[itemRequest](i)
			if err != nil {
				return Batch{}, err
			}
			item.Price, b.Issues = ask.Price, b.Issues || ask.AutoIssue
		case Moves:
			ask, err := readAsk[itemMove](i)
			if err != nil {
				return Batch{}, err
			}
			item.Terms, item.Way = ask.Terms, ask.Way
			if ask.New != nil && ask.Passenger != nil {
				item.Price, item.Who = ask.New.Price, *ask.Passenger
			}
		default:
			ask, err := readAsk[book.ActAsk](i)
			if err != nil {
				return Batch{}, err
			}
			item.Terms = ask.Terms
		}
		switch closed := i.State == store.ItemUnanswered && i.Intent != nil && !i.Intent.Open; {
		case closed && i.Intent.Outcome == store.Done:
			item.State, item.Why = store.ItemDone, ""
		case closed:
			item.State, item.Why = store.ItemRefused, i.Intent.Outcome
		}
		if made := i.Made; made != nil && item.State == store.ItemDone {
			switch item.Way {
			case book.WayChange:
				if i.Intent == nil { // it waited for an approver
					item.Why = made.Unchanged()
				}
			case book.WayAnew, book.WayHold:
				item.Why = made.Unapproved()
			}
			if item.Why != "" {
				item.State = store.ItemRefused
			}
		}
		item.Unbegun = strings.Contains(item.Why, unbegun)
		b.Items = append(b.Items, item)
	}
	return b, nil
}

// largest bounds how many are asked for in one batch.
const largest = 1000

// newBatch returns the batch that makes the bookings asked for. A booking that was asked for twice
// is in it once.
func newBatch(id string, s gangway.Search, by gangway.User, asks []book.BookAsk) (store.Batch, error) {
	b := store.Batch{ID: id, Kind: toBook, Search: s.ID, Change: s.Change, By: by}
	seen := map[string]bool{}
	for _, ask := range asks {
		if seen[ask.ID] {
			continue
		}
		seen[ask.ID] = true
		// By these keys erasure finds the traveller's records.
		who := s.Members[ask.Member].Traveller
		if ask.Passenger.LastName == "" {
			ask.Passenger = who
		}
		ask.Passenger.ID = who.ID
		doc, err := json.Marshal(ask)
		if err != nil {
			return b, fmt.Errorf("write the request %s: %w", ask.ID, err)
		}
		b.Items = append(b.Items, store.BatchItem{Booking: ask.ID, Member: ask.Member, Doc: doc})
	}
	if len(b.Items) > largest {
		return b, gangway.Errorf(gangway.Invalid,
			"at most %d travellers are booked at once; these are %d", largest, len(b.Items))
	}
	return b, nil
}

// newActBatch returns the batch that does what was asked for to bookings. A booking that was asked
// for twice is in it once.
func newActBatch(id string, act book.Act, by gangway.User, asks []book.ActAsk) (store.Batch, error) {
	b := store.Batch{ID: id, Kind: string(act), By: by}
	seen := map[string]bool{}
	for _, ask := range asks {
		if seen[ask.Booking] {
			continue
		}
		seen[ask.Booking] = true
		ask.ID, ask.Act = book.NewID(), act
		doc, err := json.Marshal(ask)
		if err != nil {
			return b, fmt.Errorf("write the request for %s: %w", ask.Booking, err)
		}
		b.Items = append(b.Items, store.BatchItem{Booking: ask.ID, ActsOn: ask.Booking, Doc: doc})
	}
	if len(b.Items) > largest {
		return b, gangway.Errorf(gangway.Invalid,
			"at most %d bookings are dealt with at once; these are %d", largest, len(b.Items))
	}
	return b, nil
}

// An itemRequest is what is stored of an item that makes a booking: the request, and how often it
// failed to reach the airline.
type itemRequest struct {
	book.BookAsk
	Lost int `json:"lost,omitempty"`
}

// An itemMove is what is stored of an item of moves. The traveller for whom a booking is made stands apart, where
// erasure looks.
type itemMove struct {
	book.MoveAsk
	Passenger *gangway.Traveller `json:"passenger,omitempty"`
	Lost      int                `json:"lost,omitempty"`
}

// newMoveBatch returns the batch that does what was asked for people of a crew change. searches has those that new
// bookings are made from. What was asked for a booking or a person twice is in it once.
func newMoveBatch(id, change string, by gangway.User, asks []book.MoveAsk,
	searches map[string]gangway.Search) (store.Batch, error) {
	b := store.Batch{ID: id, Kind: string(Moves), Change: change, By: by}
	seen := map[string]bool{}
	for _, ask := range asks {
		i := itemMove{MoveAsk: ask}
		item := store.BatchItem{ActsOn: ask.Booking}
		if ask.New != nil {
			s := searches[ask.New.Search]
			if ask.New.Member < 0 || ask.New.Member >= len(s.Members) {
				return b, gangway.Errorf(gangway.NotFound, "this search has no such traveller")
			}
			who, anew := ask.New.Passenger, *ask.New
			if who.LastName == "" {
				who = s.Members[anew.Member].Traveller
			}
			who.ID = s.Members[anew.Member].Traveller.ID
			anew.Passenger = gangway.Traveller{}
			i.New, i.Passenger, item.ActsOn, item.Member = &anew, &who, "", anew.Member
			if ask.Booking == "" {
				ask.Booking = fmt.Sprint(anew.Search, " ", anew.Member)
			}
		}
		if seen[ask.Booking] {
			continue
		}
		seen[ask.Booking] = true
		i.ID = cmp.Or(ask.ID, book.NewID())
		doc, err := json.Marshal(i)
		if err != nil {
			return b, fmt.Errorf("write the request for %s: %w", ask.Booking, err)
		}
		item.Booking, item.Doc = i.ID, doc
		b.Items = append(b.Items, item)
	}
	if len(b.Items) > largest {
		return b, gangway.Errorf(gangway.Invalid, "at most %d people are moved at once; these are %d", largest,
			len(b.Items))
	}
	return b, nil
}

func readAsk[T itemRequest | itemMove | book.ActAsk](i store.BatchItem) (ask T, err error) {
	if err := json.Unmarshal(i.Doc, &ask); err != nil {
		return ask, fmt.Errorf("read the request %s: %w", i.Booking, err)
	}
	return ask, nil
}

// outcomeOf says what the desk's answer means for an item. If settled is false the
// database is away, and the item stays open.
func outcomeOf(err error) (state store.ItemState, why string, settled bool) {
	var said *gangway.Error
	switch {
	case err == nil:
		return store.ItemDone, "", true
	case errors.Is(err, store.ErrAway):
		return store.ItemOpen, "", false
	case errors.Is(err, store.ErrUnderWay):
		return store.ItemBusy, store.ErrUnderWay.Error(), true
	case !errors.As(err, &said) || said.Kind == gangway.Internal:
		return store.ItemRefused, "something went wrong on our side. Trying again is safe", true
	case said.Kind == gangway.Unavailable:
		return store.ItemUnanswered, said.Msg, true
	}
	return store.ItemRefused, said.Msg, true
}
