package mapping

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
)

// A program is compiled once for many documents, and nothing of one is left for the next: neither what was asked, nor
// what was remembered, nor that the last one took too long.
func TestProgramIsUsedAgain(t *testing.T) {
	m := compiled(t, `.[] | {last_name: .a, first_name: $surname, dob: .b | date("DMY")}`, gangway.TravellersFlow)
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	m.now = func() time.Time { return now }
	mapped := func(doc, surname string) (list []string) {
		records := m.Records(t.Context(), open(t, doc, gangway.DocumentFormat{}), gangway.Ask{Surname: surname})
		for {
			r, err := records.Next()
			if errors.Is(err, io.EOF) {
				if _, again := records.Next(); again != io.EOF {
					t.Errorf("after its end: %v; want io.EOF again", again)
				}
				return list
			} else if err != nil {
				t.Error(err)
				return nil
			}
			list = append(list, string(r.JSON))
		}
	}
	for i := range 3 {
		got := mapped("a;b\nReyes;01.02.85\n", fmt.Sprint("Ana", i))
		if want := fmt.Sprintf(`"first_name":"Ana%d"`, i); len(got) != 1 || !strings.Contains(got[0], want) ||
			!strings.Contains(got[0], "1985-02-01") {
			t.Errorf("mapped: %q; want %s", got, want)
		}
		if n := len(m.machines.idle); n != 1 {
			t.Errorf("%d machines are kept; want one", n)
		}
	}
	used := m.machines.idle[0]
	now = now.Add(machineAge)
	mapped("a;b\nReyes;01.02.85\n", "Ana")
	if m.machines.idle[0] == used {
		t.Error("a machine that is old is used still")
	}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			got := mapped("a;b\n"+strings.Repeat("Reyes;01.02.85\n", 50), fmt.Sprint("Bea", i))
			if len(got) != 50 || !strings.Contains(got[49], fmt.Sprintf(`"Bea%d"`, i)) {
				t.Errorf("beside others: %d records; want 50 of Bea%d", len(got), i)
			}
		})
	}
	all.Wait()
	if n := len(m.machines.idle); n > mostIdle {
		t.Errorf("%d machines are kept; want %d at most", n, mostIdle)
	}
}
