package gangway_test

import (
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
)

// TestDailyMailHours holds that there is one daily mail on each day, also when clocks change.
func TestDailyMailHours(t *testing.T) {
	in := calltest.Must(time.LoadLocation("Europe/Oslo"))(t)
	at := time.Date(2026, 3, 28, 6, 59, 59, 0, in)
	m := gangway.Mails{Hour: 7, Zone: "Europe/Oslo"}
	for day := 28; day < 31; day++ {
		next := m.Next(at, in)
		if want := time.Date(2026, 3, day, 7, 0, 0, 0, in); !next.Equal(want) {
			t.Errorf("after %s the next is at %s; want %s", at, next, want)
		}
		at = next
	}
	if next := (gangway.Mails{Hour: 7}).Next(at, nil); !next.IsZero() {
		t.Errorf("without a zone the next is at %s", next)
	}
}
