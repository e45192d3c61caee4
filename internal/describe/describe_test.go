package describe_test

import (
	"strings"
	"testing"

	"gangway/internal/describe"
	"gangway/internal/gangway"
	"gangway/internal/schema"
	"gangway/internal/wire"
)

// There is a sample of the booking after each event of its life, and so of each action, in each state.
func TestEveryActionHasASample(t *testing.T) {
	events, states := map[gangway.Event]int{}, map[gangway.State]int{}
	for _, s := range describe.BookingSamples() {
		events[s.Event]++
		states[s.After]++
		if s.About == "" || !strings.Contains(string(s.Body), `"action":"`+string(s.After)+`"`) {
			t.Errorf("the sample of %q says %q: %.200s", s.Event, s.About, s.Body)
		}
	}
	for _, event := range gangway.Events {
		if events[event] != 1 {
			t.Errorf("%q has %d samples; want one", event, events[event])
		}
	}
	page, policy := describe.Surface{Schemas: wire.Schemas()}.Page()
	for _, state := range gangway.States {
		if states[state] == 0 {
			t.Errorf("%q has no sample", state)
		}
		if !strings.Contains(string(page), `id="state-`+string(state)+`"><code>`) {
			t.Errorf("%q is not on the page", state)
		}
	}
	if strings.Contains(string(page), "<script") || !strings.HasPrefix(policy, "default-src 'none'; style-src "+
		"'sha256-") {
		t.Errorf("the page needs more than itself: %s", policy)
	}
}

// Every member of every record is told in words, and what stands for the words of a list is in them.
func TestEveryMemberIsTold(t *testing.T) {
	var look func(path string, of schema.Schema)
	look = func(path string, of schema.Schema) {
		for _, p := range of.Properties {
			at, one := path+"."+p.Name, p.NotNull()
			if !strings.HasSuffix(one.Description, ".") {
				t.Errorf("%s is told as %q; want a sentence", at, one.Description)
			}
			look(at, one)
			for _, inner := range append(one.AnyOf, deref(one.Items)...) {
				look(at, inner)
			}
		}
	}
	for _, one := range wire.Schemas() {
		if one.Description == "" {
			t.Errorf("%s is not told", one.Name)
		}
		look(one.Name, one.Schema)
	}
}

func deref(s *schema.Schema) []schema.Schema {
	if s == nil {
		return nil
	}
	return []schema.Schema{*s}
}
