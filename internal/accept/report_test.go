package accept

import (
	"testing"

	"gangway/internal/gangway"
)

// TestRemarksOnDocumentsHaveRoom: what is said of a whole document is not lost behind what is said of its records.
func TestRemarksOnDocumentsHaveRoom(t *testing.T) {
	var r Remarks
	for range MaxRemarks + 1 {
		r.add(gangway.FeedRemark{Message: "left out"})
	}
	r.add(gangway.FeedRemark{Message: "guessed", Whole: true})
	if n := len(r.List); n != MaxRemarks+1 || r.List[n-1].Message != "guessed" || !r.Truncated {
		t.Errorf("%d remarks, cut %v; want one more than %d, and that there were others", n, r.Truncated, MaxRemarks)
	}
}
