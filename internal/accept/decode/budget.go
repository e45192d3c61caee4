package decode

import (
	"fmt"
)

// A budget is how much memory a value may still take. It is an estimate by what
// Go needs for strings, slices and maps.
type budget struct{ left, whole int64 }

func newBudget(whole int64) *budget { return &budget{whole, whole} }

// What values cost, in bytes beside their text: a value as an element of a list,
// as a member of an object, and an object as such.
const (
	elementCost = 32 + 16 // the slice may be twice as long as it is full; the text's own header
	memberCost  = 96
	objectCost  = 200
)

// spend takes n bytes.
func (b *budget) spend(n int) error {
	if b.left -= int64(n); b.left < 0 {
		return &RecordError{fmt.Sprintf("it would take more than %d MB of memory as one value", max(b.whole>>20, 1))}
	}
	return nil
}
