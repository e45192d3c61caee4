package decode

import (
	"fmt"
)

// A budget is how much memory a value may still take, estimated from what Go needs for strings, slices
// and maps.
type budget struct {
	left, whole int64
	heavy       func() error // of Limits; nil: it was called
}

func newBudget(limits Limits) *budget { return &budget{limits.Whole, limits.Whole, limits.Heavy} }

// What values cost, in bytes besides their text: each element of a list, each member of an object, and
// each object.
const (
	elementCost = 32 + 16 // a slice may have twice the capacity it needs; the header of a string
	memberCost  = 96
	objectCost  = 200
)

// spend takes n bytes of the budget.
func (b *budget) spend(n int) error {
	if b.left -= int64(n); b.left < 0 {
		return &RecordError{fmt.Sprintf("it would take more than %d MB of memory as one value", max(b.whole>>20, 1))}
	}
	if b.whole-b.left > heavyValue && b.heavy != nil {
		heavy := b.heavy
		b.heavy = nil
		return heavy()
	}
	return nil
}
