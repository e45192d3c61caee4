package plan

import (
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

// toBook is the kind of batch that makes a booking for each member of a search. An item is always
// one repeatable call of the desk, so that another process can take over a batch.
const toBook = "book"

// A Batch is one request for many bookings, as it stands now.
type Batch struct {
	ID, Search string
	By         gangway.User // Email and Name alone
	At         time.Time    // when it was begun
	Issues     bool         // its bookings are to be issued automatically
	Items      []Item
}

// An Item is one booking of a batch.
type Item struct {
	Member  int
	Booking string           // the identifier that the booking has, or will have
	Price   gangway.Money    // what the booker agreed to; none once the traveller was erased
	Made    *gangway.Booking // nil: there is none yet
	State   store.ItemState
	Why     string // why it was not done, in words
	Unbegun bool   // the airline was not asked: the same request can be made again
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
	for _, i := range kept.Items {
		ask, err := readAsk(i)
		if err != nil {
			return Batch{}, err
		}
		item := Item{Member: i.Member, Booking: i.Booking, Price: ask.Price, Made: i.Made, State: i.State,
			Why: i.Outcome}
		if i.State == store.ItemUnanswered && i.Made == nil && i.Intent != nil && !i.Intent.Open {
			item.State, item.Why = store.ItemRefused, i.Intent.Outcome
		}
		item.Unbegun = strings.HasSuffix(item.Why, unbegun)
		b.Issues = b.Issues || ask.AutoIssue
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

// An itemRequest is what is stored of an item: the request, and how often it failed to reach the
// airline.
type itemRequest struct {
	book.BookAsk
	Lost int `json:"lost,omitempty"`
}

func readAsk(i store.BatchItem) (itemRequest, error) {
	var ask itemRequest
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
