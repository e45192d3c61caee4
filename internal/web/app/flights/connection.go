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

// A risk is what may go wrong with a connection: in a row's few words, and with the minimum connecting time. Both are
// empty when there is time enough.
type risk struct{ Short, Long string }

// connectionRisk says what may go wrong with a connection.
func connectionRisk(wait time.Duration, c gangway.Connection) risk {
	var short, long []string
	if plan.Tight(wait, c) {
		short, long = append(short, "tight"), append(long, "tight (min. "+shell.Duration(leastConnection(c))+")")
	}
	if c.Last && wait < leastConnection(c)+hurriedLast {
		short, long = append(short, "no later flight"), append(long, "no later flight")
	}
	return risk{strings.Join(short, " · "), strings.Join(long, " · ")}
}
