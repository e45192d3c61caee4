package accept

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// An error or panic while rows are written reaches the caller: a panic in that goroutine would
// otherwise end the process.
func TestWritingDownBeside(t *testing.T) {
	fill := func(p *portion[gangway.Traveller], n int) (err error) {
		for i := 0; i < n && err == nil; i++ {
			err = p.keep(&gangway.Traveller{ID: fmt.Sprint(i)}, 10)
		}
		return err
	}
	t.Run("an error", func(t *testing.T) {
		full := errors.New("no room")
		p := portion[gangway.Traveller]{asStored: func([]gangway.Traveller) ([]store.Row, error) { return nil, full }}
		if err := fill(&p, 2*writtenAtOnce); !errors.Is(err, full) {
			t.Errorf("err = %v; want %v", err, full)
		}
	})
	t.Run("a panic", func(t *testing.T) {
		defer func() {
			if r := recover(); !strings.Contains(fmt.Sprint(r), "out of range") || !strings.Contains(fmt.Sprint(r),
				"portion_test.go") {
				t.Errorf("recovered %v; want the panic, and where it was", r)
			}
		}()
		p := portion[gangway.Traveller]{asStored: func(list []gangway.Traveller) ([]store.Row, error) {
			panic("out of range")
		}}
		fill(&p, 2*writtenAtOnce)
	})
}
