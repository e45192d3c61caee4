package check

import (
	"sync"

	"gangway/internal/gangway"
)

// checksAtOnce is how many systems one process examines side by side: each may take a
// minute and tens of MiB, and no account has more than one of these places.
const checksAtOnce = 2

// checkTurns are the examinations under way.
type checkTurns struct {
	mu    sync.Mutex
	under map[string]bool // by account
}

// begin takes an account's place. Conflict: there is none now.
func (c *checkTurns) begin(account string) (done func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.under[account] {
		return nil, gangway.Errorf(gangway.Conflict, "a system of this account is being checked already: wait "+
			"for that "+
			"to end, a minute at most")
	}
	if len(c.under) >= checksAtOnce {
		return nil, gangway.Errorf(gangway.Conflict, "other systems are being checked: try again in a minute")
	}
	if c.under == nil {
		c.under = map[string]bool{}
	}
	c.under[account] = true
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.under, account)
	}, nil
}
