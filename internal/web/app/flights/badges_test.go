package flights

import (
	"testing"

	"gangway/internal/gangway"
)

// A state without a badge would be shown by its name on the wire, with no sign.
func TestEveryStateHasABadge(t *testing.T) {
	for _, state := range gangway.States {
		if b := badges[state]; b.words == "" || b.sign == "" {
			t.Errorf("%s has the badge %+v; want a sign and words", state, b)
		}
	}
}
