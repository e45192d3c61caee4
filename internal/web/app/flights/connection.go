package flights

import (
	"strings"
	"time"

	"gangway"
	"gangway/internal/book/plan"
	"gangway/internal/web/app/shell"
)

// hurriedLast is how much more time than it takes at least a change of flights
// needs to be safe where missing it costs a day, since nothing leaves later.
const hurriedLast = 2 * time.Hour

// leastConnection is what a change of flights takes at least.
func leastConnection(c gangway.Connection) time.Duration { return time.Duration(c.Least) * time.Minute }

// connectionRisk says what may go wrong with a change of flights; empty when there is time enough.
func connectionRisk(wait time.Duration, c gangway.Connection) string {
	var words []string
	if plan.Tight(wait, c) {
		words = append(words, "tight: changing takes at least "+shell.Duration(leastConnection(c)))
	}
	if c.Last && wait < leastConnection(c)+hurriedLast {
		words = append(words, "the last flight of the day")
	}
	return strings.Join(words, "; ")
}
