package poll_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// What a long list leaves behind is returned to the system by its run.
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
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for collected() == before { // or the test does not end: the runtime by itself forces none
		<-look.C
	}
}
