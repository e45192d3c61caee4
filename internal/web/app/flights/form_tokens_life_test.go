package flights

import (
	"testing"
	"time"

	"gangway/internal/web/app/shell"

	"gangway/internal/gangway"
)

// TestFormsEnd holds that an identifier is good for a day, as long as the key that it was
// made with is still among the keys.
func TestFormsEnd(t *testing.T) {
	at := time.Date(2036, 11, 20, 9, 0, 0, 0, time.UTC)
	f := Forms{Keys: shell.FormKeys{[]byte("old")}, now: at, account: "a",
		visitor: shell.Visitor{User: gangway.User{ID: "u"}}, Search: gangway.Search{ID: "s",
			Members: make([]gangway.SearchMember, 2)}}
	carried, offer := f.Carry(MemberPlace(0), "b1"), f.Offer(0, "off_1.x")
	later := func(after time.Duration, keys ...string) Forms {
		g := f
		g.now, g.Keys = at.Add(after), nil
		for _, k := range keys {
			g.Keys = append(g.Keys, []byte(k))
		}
		return g
	}
	tests := []struct {
		name  string
		f     Forms
		place string
		id    string
		old   bool
	}{
		{"at once", f, MemberPlace(0), "b1", false},
		{"after a day", later(formLife, "old"), MemberPlace(0), "b1", false},
		{"after more", later(formLife+time.Second, "old"), MemberPlace(0), "b1", true},
		{"with a newer key beside it", later(0, "new", "old"), MemberPlace(0), "b1", false},
		{"without its key", later(0, "new"), MemberPlace(0), "", false},
		{"for another member", f, MemberPlace(1), "", false},
		{"for the batch", f, BatchPlace, "", false},
	}
	for _, tt := range tests {
		if id, old := tt.f.Identifier(tt.place, carried); id != tt.id || id != "" && old != tt.old {
			t.Errorf("%s: %q, old %v; want %q, %v", tt.name, id, old, tt.id, tt.old)
		}
	}
	if got := f.FoundOffer(0, offer); got != "off_1.x" {
		t.Errorf("the offer comes back as %q", got)
	}
	if got := f.FoundOffer(1, offer); got != "" {
		t.Errorf("another member is given the offer %q", got)
	}
}
