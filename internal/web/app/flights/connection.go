package flights

import (
	"strings"
	"time"

	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// hurriedLast is how much time beyond the minimum makes a connection safe when the
// next flight is the last of the day, so that missing it costs a day.
const hurriedLast = 2 * time.Hour

// leastConnection is the least time that a connection takes.
func leastConnection(c gangway.Connection) time.Duration { return time.Duration(c.Least) * time.Minute }

// connectionRisk says what may go wrong with a connection, or nothing when there is time enough.
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
