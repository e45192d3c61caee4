package mapping

import "time"

// workers run the programs of these tests; on a busy machine none of them is nicer than the test that waits for it.
var workers = func() *Workers {
	w := NewWorkers()
	w.Nice = 0
	return w
}()

var _ = time.Second
