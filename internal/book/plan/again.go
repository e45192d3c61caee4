package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// lostAtMost is how often an item that never reached the airline is requested
// again. After that a person decides, because it is no longer a coincidence.
const lostAtMost = 3

// renew turns an item that the airline never received into one that can be
// requested again. It gets another identifier: a process that only seemed dead may
// still use the old one, and then releases what it gets.
//
// Decided: docs/choices.md, "One of many that the airline never received".
func (bs *Batches) renew(
	ctx context.Context, in store.Scoped, b store.Batch, item store.BatchItem,
) (fresh store.BatchItem, renewed bool, err error) {
	_, err = bs.mayBegin(ctx, b)
	var no *gangway.Error
	if errors.As(err, &no) && !errors.Is(err, store.ErrAway) {
		return fresh, false, nil // it stays as it is
	}
	if err != nil {
		return fresh, false, err
	}
	var ask struct {
		ID   string `json:"id"`
		Lost int    `json:"lost"`
	}
	doc := map[string]json.RawMessage{}
	err = errors.Join(json.Unmarshal(item.Doc, &ask), json.Unmarshal(item.Doc, &doc))
	if err != nil || ask.ID == "" || ask.Lost >= lostAtMost { // erased, or lost too often
		return fresh, false, err
	}
	fresh = store.BatchItem{Booking: book.NewID(), ActsOn: item.ActsOn, Member: item.Member, State: store.ItemOpen}
	doc["id"], doc["lost"] = json.RawMessage(strconv.Quote(fresh.Booking)), json.RawMessage(strconv.Itoa(ask.Lost+1))
	if fresh.Doc, err = json.Marshal(doc); err != nil {
		return fresh, false, fmt.Errorf("write the request %s: %w", fresh.Booking, err)
	}
	renewed, err = in.RenewItem(ctx, b.ID, item.Booking, fresh)
	return fresh, renewed, err
}
