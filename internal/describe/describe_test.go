package describe_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/describe"
	"gangway/internal/gangway"
	"gangway/internal/schema"
)

// A document is what these tests look at.
type document struct {
	Webhooks struct {
		SyncFlights struct {
			Post struct {
				RequestBody struct {
					Content map[string]struct {
						Examples map[string]struct {
							Value struct {
								Actions  []struct{ Action gangway.State }
								State    gangway.State
								Metadata struct {
									Before gangway.State `json:"previous_state"`
								}
							}
						}
					}
				}
			}
		}
	}
	Components struct{ Schemas schema.Properties }
}

func described(t *testing.T) (d document) {
	t.Helper()
	calltest.Done(t, json.Unmarshal(schema.AsLocal(describe.Of(describe.Installation{}).OpenAPI), &d))
	return d
}

// There is a sample of the booking after each event of its life, and so of each action, in each state.
func TestEveryActionHasASample(t *testing.T) {
	samples := described(t).Webhooks.SyncFlights.Post.RequestBody.Content["application/json"].Examples
	states := map[gangway.State]bool{}
	for _, event := range gangway.Events {
		s, there := samples[strings.ReplaceAll(string(event), " ", "_")]
		b := gangway.Booking{State: s.Value.Metadata.Before, Change: &gangway.PendingChange{Was: gangway.Issued}}
		if _, err := b.Move(event, gangway.System, time.Now()); err != nil || !there || b.State != s.Value.State ||
			len(s.Value.Actions) != 1 || s.Value.Actions[0].Action != b.State {
			t.Errorf("the sample of %q is %+v, %v; want one that it leads to", event, s.Value, err)
		}
		states[b.State] = true
	}
	if len(samples) != len(gangway.Events) {
		t.Errorf("there are %d samples of %d events", len(samples), len(gangway.Events))
	}
	page, policy := describe.Of(describe.Installation{}).Page()
	for _, state := range gangway.States {
		if !states[state] || !strings.Contains(string(page), `id="state-`+string(state)+`"><code>`) {
			t.Errorf("%q has no sample, or is not on the page", state)
		}
	}
	if strings.Contains(string(page), "<script") || !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha") {
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
			if one.Items != nil {
				look(at, *one.Items)
			}
			for _, inner := range one.AnyOf {
				look(at, inner)
			}
		}
	}
	for _, one := range described(t).Components.Schemas {
		if one.Description == "" {
			t.Errorf("%s is not told", one.Name)
		}
		look(one.Name, one.Schema)
	}
}

// Bookings are written with no member and no word that their schema does not have.
func TestBookingsAreAsDescribed(t *testing.T) {
	booking := *described(t).Components.Schemas.Of("Booking")
	var look func(path string, value any, of *schema.Schema)
	look = func(path string, value any, of *schema.Schema) {
		if list, is := value.([]any); is {
			for _, item := range list {
				look(path, item, of.Items)
			}
		}
		members, _ := value.(map[string]any)
		for name, inner := range members {
			member := of.Properties.Of(name)
			if member == nil {
				member = of.AdditionalProperties
			}
			if member != nil {
				look(path+"."+name, inner, member)
			} else if !strings.HasSuffix(name, "_flight_id") {
				t.Errorf("%s.%s is written, and is not described", path, name)
			}
		}
	}
	golden, err := filepath.Glob("../wire/testdata/*.json")
	if err != nil || len(golden) < 5 {
		t.Fatalf("there are %d bookings: %v", len(golden), err)
	}
	for _, file := range golden {
		var value any
		doc, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(doc, &value)
		}
		calltest.Done(t, err)
		if _, several := value.([]any); several {
			look(file, value, &schema.Schema{Items: &booking})
		} else {
			look(file, value, &booking)
		}
	}
	terms := booking.Properties.Of("terms").Properties
	same(t, booking.Properties.Of("state").Enum, gangway.States)
	same(t, booking.Properties.Of("metadata").Properties.Of("previous_state").Enum, gangway.States)
	same(t, booking.Properties.Of("segments").Items.Properties.Of("cabin_class").Enum, gangway.Cabins)
	same(t, terms.Of("fare_type").Enum, gangway.FareTypes)
	same(t, terms.Of("cancellations").Enum, gangway.CancelRules)
	same(t, terms.Of("changes").Enum, gangway.ChangeRules)
}

func same[T ~string](t *testing.T, described []string, ours []T) {
	t.Helper()
	if !slices.EqualFunc(described, ours, func(a string, b T) bool { return a == string(b) }) {
		t.Errorf("the words are described as %q; they are %q", described, ours)
	}
}
