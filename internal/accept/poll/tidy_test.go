package poll_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// What a long list leaves behind is returned to the system soon after its run, rather than minutes later.
func TestRunsReturnMemory(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	d.set(gangway.TravellersFlow, c.URL)
	var list strings.Builder
	list.WriteString("Crew ID;Surname;Given name;Remark\n")
	for i := range 4000 {
		fmt.Fprintf(&list, "C-%d;Reyes;Ana;%s\n", i, strings.Repeat("x", 1000))
	}
	c.has(list.String())
	collected := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumForcedGC
	}
	before := collected()
	d.run(4000, 4000, 0, 0, 0, 0)
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for collected() == before {
		if soon.Err() != nil {
			t.Fatal("nothing was returned")
		}
		runtime.Gosched()
	}
}
