package manual

import (
	"encoding/json"
	"fmt"
	"slices"

	"gangway/internal/book/flight"
	"gangway/internal/erasure"
)

// Forget removes what is known about the traveller from what was typed into an order that
// is over: who sold it, and the airlines' locators.
func Forget(doc []byte, known erasure.OwnValues) ([]byte, error) {
	var rec record
	if err := json.Unmarshal(doc, &rec); err != nil {
		return nil, fmt.Errorf("read manual order: %w", err)
	}
	rec.PNRs = without(rec.PNRs, known)
	for _, e := range append([]*flight.Entry{&rec.Entry}, pointers(rec.Changes)...) {
		e.Agency, e.PNRs = known.Without(e.Agency), without(e.PNRs, known)
	}
	return json.Marshal(rec)
}

func without(list []string, known erasure.OwnValues) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = known.Without(list[i])
	}
	return list
}

func pointers(list []flight.Entry) (each []*flight.Entry) {
	for i := range list {
		each = append(each, &list[i])
	}
	return each
}
