package mapping

import (
	"testing"

	"gangway/internal/gangway"
)

// A document that is the first of a list may be another one than the passport: that is said of each field that is
// taken from it.
func TestFirstOfAListIsDoubted(t *testing.T) {
	doc := open(t, `[{"last_name": "Santos", "first_name": "Maria", "documents": [{"type": "Seaman book",
		"passport_number": "SB123456", "passport_expiry": "2031-05-05"}]},
		{"last_name": "Cruz", "first_name": "Ana", "documents": [{"type": "Seaman book", "passport_number": "SB223456",
		"passport_expiry": "2031-05-05"}, {"type": "Passport", "passport_number": "P1234567"}]}]`, gangway.DocumentFormat{})
	proposal, err := Propose(t.Context(), runner, gangway.TravellersFlow, doc)
	if err != nil {
		t.Fatal(err)
	}
	doubted := map[string]bool{}
	for _, u := range proposal.Unsure {
		doubted[u.Field] = doubted[u.Field] || len(u.Why) > 0 && u.Source != ""
	}
	if !doubted["doc_number"] || !doubted["doc_expire"] {
		t.Errorf("%s\nunsure: %+v; want both fields of the passport doubted", proposal.Program, proposal.Unsure)
	}
}
