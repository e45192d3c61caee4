package flights

import (
	"testing"

	"gangway/internal/gangway"
)

// Words that say which way the money goes need no sign.
func TestMoneyBackHasNoSign(t *testing.T) {
	for words, want := range map[string]int64{"Comes back": 1100, "Came back": 1100, "Still to come back": 1100,
		"Paid so far": -1100} {
		if got := (QuoteLine{words, gangway.Money{Minor: -1100, Currency: "USD"}, false}).Shown(); got.Minor != want {
			t.Errorf("%s is shown as %v; want %d", words, got, want)
		}
	}
}
