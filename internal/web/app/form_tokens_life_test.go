package app

import (
	"testing"
	"time"

	"gangway/internal/web/app/shell"

	"gangway"
)

// TestFormsEnd holds that an identifier is good for a day, under the key that it
// was made with as long as that is still among the keys.
func TestFormsEnd(t *testing.T) {
	at := time.Date(2036, 11, 20, 9, 0, 0, 0, time.UTC)
	f := forms{keys: shell.FormKeys{[]byte("old")}, now: at, account: "a", user: "u", search: gangway.Search{ID: "s", Members: make([]gangway.SearchMember, 2)}}
	carried, offer := f.carry(memberPlace(0), "b1"), f.offer(0, "off_1.x")
	later := func(after time.Duration, keys ...string) forms {
		g := f
		g.now, g.keys = at.Add(after), nil
		for _, k := range keys {
			g.keys = append(g.keys, []byte(k))
		}
		return g
	}
	tests := []struct {
		name  string
		f     forms
		place string
		id    string
		old   bool
	}{
		{"at once", f, memberPlace(0), "b1", false},
		{"after a day", later(formLife, "old"), memberPlace(0), "b1", false},
		{"after more", later(formLife+time.Second, "old"), memberPlace(0), "b1", true},
		{"with a newer key beside it", later(0, "new", "old"), memberPlace(0), "b1", false},
		{"without its key", later(0, "new"), memberPlace(0), "", false},
		{"for another member", f, memberPlace(1), "", false},
		{"for the batch", f, batchPlace, "", false},
	}
	for _, tt := range tests {
		if id, old := tt.f.identifier(tt.place, carried); id != tt.id || id != "" && old != tt.old {
			t.Errorf("%s: %q, old %v; want %q, %v", tt.name, id, old, tt.id, tt.old)
		}
	}
	if got := f.foundOffer(0, offer); got != "off_1.x" {
		t.Errorf("the offer comes back as %q", got)
	}
	if got := f.foundOffer(1, offer); got != "" {
		t.Errorf("another member is given the offer %q", got)
	}
}
