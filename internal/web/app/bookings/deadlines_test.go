package bookings_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestDeadlinesByDay holds that deadlines are listed by the day they end on, and that a phone folds
// the later days once there are more than fit on two screens.
func TestDeadlinesByDay(t *testing.T) {
	c := apptest.NewSite(t).SignedIn(t, gangway.Booker)
	c.Booked("fare=marine")
	const open, folded = `<input type="checkbox" checked>`, `<input type="checkbox">`
	c.Get("/deadlines").Has(open, `Thu 20 Nov 2036 <span class="muted">1 booking</span>`).Lacks(folded)
	for range 5 {
		c.Booked("fare=marine")
	}
	c.Disturbed() // its answer is due on another day
	c.Get("/deadlines").Has(open, `Thu 20 Nov 2036 <span class="muted">6 bookings</span>`, folded, "1 booking</span>")
}
