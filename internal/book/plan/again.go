package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gangway"
	"gangway/internal/book"
	"gangway/internal/store"
)

// lostAtMost is how often one of many is asked for again of which the airline
// knows nothing. After that a person looks: it is not chance any more.
const lostAtMost = 3

// renew makes of an item that the airline never received one that can be asked
// for anew. It has another identifier: under the one before, a process that
// only seemed dead may still ask, and gives back what it then gets.
//
// Decided: docs/choices.md, "One of many that the airline never received".
func (bs *Batches) renew(
	ctx context.Context, in store.Scoped, b store.Batch, item store.BatchItem,
) (fresh store.BatchItem, renewed bool, err error) {
	err = bs.mayBegin(ctx, b)
	var no *gangway.Error
	if errors.As(err, &no) && !errors.Is(err, store.ErrAway) {
		return fresh, false, nil // it stays as it is
	}
	if err != nil {
		return fresh, false, err
	}
	ask, err := readAsk(item)
	if err != nil || ask.ID == "" || ask.Lost >= lostAtMost { // erased, or lost too often
		return fresh, false, err
	}
	ask.ID = book.NewID()
	ask.Lost++
	doc, err := json.Marshal(ask)
	if err != nil {
		return fresh, false, fmt.Errorf("write what is asked for %s: %w", ask.ID, err)
	}
	fresh = store.BatchItem{Booking: ask.ID, Member: item.Member, Doc: doc, State: store.ItemOpen}
	renewed, err = in.RenewItem(ctx, b.ID, item.Booking, fresh)
	return fresh, renewed, err
}
