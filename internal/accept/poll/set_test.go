package poll_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// feedTo is a feed to an address, with credentials unless these are empty.
func feedTo(flow gangway.Flow, url, auth string) gangway.Feed {
	settings := map[string]any{"url": url}
	if auth != "" {
		settings["auth"] = json.RawMessage(auth)
	}
	doc, _ := json.Marshal(settings)
	return gangway.Feed{Name: "crew", Flow: flow, Transport: gangway.Transport{Kind: "endpoint", Settings: doc}}
}

func TestSecretsAreKeptForTheSameSystemOnly(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		set := func(url, auth string) error {
			_, err := d.poller.Set(t.Context(), d.in, storetest.Operator, feedTo(gangway.TravellersFlow, url, auth))
			return err
		}
		kept := func() string {
			t.Helper()
			f := d.stored()
			if strings.Contains(string(f.Transport.Settings), "tide-tables") {
				t.Errorf("what may be shown is %s", f.Transport.Settings)
			}
			return string(f.Transport.Secrets)
		}
		must(t, set("https://hr.example/crew/a", `{"kind":"basic","user":"u","password":"tide-tables"}`))
		if got := kept(); !strings.Contains(got, "tide-tables") {
			t.Errorf("kept: %s; want the password", got)
		}
		for _, auth := range []string{``, `{"kind":"basic","user":"u"}`, `{"kind":"basic","user":"u","password":null}`} {
			if err := set("https://hr.example/crew/b", auth); err != nil || !strings.Contains(kept(), "tide-tables") {
				t.Errorf("set without the password, auth %s: %v; kept %s", auth, err, kept())
			}
		}
		for _, tt := range []struct{ url, auth string }{
			{"https://other.example/crew/b", ``}, {"https://hr.example:8443/crew/b", ``}, {"https://hr.example/~b", ``},
			{"https://hr.example/crew/b", `{"kind":"basic","user":"somebody"}`},
		} {
			if err := set(tt.url, tt.auth); gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(),
				"is another than before") || strings.Contains(err.Error(), "tide-tables") {
				t.Errorf("set to %s, auth %s: %v; want it refused", tt.url, tt.auth, err)
			}
		}
		if err := set("https://other.example/b", `{"kind":"none"}`); err != nil || kept() != "" {
			t.Errorf("set without credentials: %v; kept %s", err, kept())
		}
	})
}

func TestFeedsThatCannotBeAreNotSet(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		good := feedTo(gangway.TravellersFlow, "https://hr.example", "")
		for _, tt := range []struct {
			change func(*gangway.Feed)
			want   string
		}{
			{func(f *gangway.Feed) { f.Name = "crew list" }, "name must be"},
			{func(f *gangway.Feed) { f.Flow = "people" }, "flow must be travellers, "},
			{func(f *gangway.Feed) { f.Transport.Kind = "pigeon" }, `transport.kind: there is no "pigeon": there are endpoint`},
			{func(f *gangway.Feed) { f.Mapping = ".[" }, "line 1"},
			{func(f *gangway.Feed) { f.Every = time.Second }, "every must be"},
			{func(f *gangway.Feed) { f.Transport.Settings = []byte(`{}`) }, "transport: url is missing"},
			{func(f *gangway.Feed) { f.Transport.Settings = []byte(`{"url":"https://10.0.0.1"}`) }, "transport: url: "},
		} {
			f := good
			tt.change(&f)
			_, err := d.poller.Set(t.Context(), d.in, storetest.Operator, f)
			if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%+v: %v; want %s", f, err, tt.want)
			}
		}
		if list, err := d.in.Feeds(t.Context()); err != nil || len(list) > 0 {
			t.Errorf("feeds: %+v, %v; want none", list, err)
		}
	})
}

// TestTwoSaveTheSameFeed holds that of several who have seen the same version of a feed, or that there is none, and
// save it at the same moment, one does and the others are told.
func TestTwoSaveTheSameFeed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		for seen := range int64(3) {
			const savers = 8
			var at sync.WaitGroup
			told := make(chan error, savers)
			for i := range savers {
				f := feedTo(gangway.TravellersFlow, fmt.Sprintf("https://hr.example/%d", i), "")
				at.Go(func() {
					_, err := d.poller.SetOver(t.Context(), d.in, storetest.Operator, f, seen)
					told <- err
				})
			}
			at.Wait()
			saved := 0
			for range savers {
				switch err := <-told; {
				case err == nil:
					saved++
				case !errors.Is(err, poll.ErrOverwrites):
					t.Errorf("saved over version %d: %v; want that it would overwrite", seen, err)
				}
			}
			if got := d.stored().Version; saved != 1 || got != seen+1 {
				t.Errorf("%d have saved over version %d, which became %d; want one", saved, seen, got)
			}
		}
	})
}

// TestDeletedFeedLeavesNothing holds that what only a feed has brought goes with it, also what it brought for a flow
// that it does not serve any more; what somebody else has sent stays.
func TestDeletedFeedLeavesNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d, system := newDesk(t, db), newCustomer(t)
		remove := func() error {
			_, err := d.poller.Delete(t.Context(), d.in, storetest.Operator, "crew")
			return err
		}
		set := func(flow gangway.Flow) {
			t.Helper()
			must(t, did(d.poller.Set(t.Context(), d.in, storetest.Operator, feedTo(flow, system.URL, ""))))
		}
		stored := func(surname string) int {
			t.Helper()
			list, err := d.in.SuggestTravellers(t.Context(), surname, nil, 10)
			must(t, err)
			return len(list)
		}
		must(t, did(d.in.UpsertTravellers(t.Context(), []gangway.Traveller{{ID: "2", LastName: "Cruz",
			FirstName: "Jo"}})))
		system.has(`[{"id":"1","last_name":"Reyes","first_name":"Ana"},
			{"id":"2","last_name":"Cruz","first_name":"Jo"}]`)
		set(gangway.TravellersFlow)
		if _, err := d.poller.Fetch(t.Context(), d.in, "crew", poll.Ask{}); err != nil || stored("reyes") != 1 {
			t.Fatalf("fetched: %v; %d stored", err, stored("reyes"))
		}
		l, err := d.in.TakeFeed(t.Context(), "crew", d.now(), d.now().Add(15*time.Second))
		must(t, err)
		if err := remove(); err != nil || stored("reyes") != 0 || stored("cruz") != 1 {
			t.Errorf("deleted while it is fetched: %v; %d and %d stored, want none and the uploaded one", err,
				stored("reyes"), stored("cruz"))
		}
		if err := d.in.HoldFeed(t.Context(), l, time.Time{}); !errors.Is(err, store.ErrFeedLost) {
			t.Errorf("whoever fetches it holds it: %v; want it lost", err)
		}
		if err := remove(); gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("deleted twice: %v; want NotFound", err)
		}
		set(gangway.TravellersFlow)
		if _, err := d.poller.Fetch(t.Context(), d.in, "crew", poll.Ask{}); err != nil || stored("reyes") != 1 {
			t.Fatalf("fetched: %v; %d stored", err, stored("reyes"))
		}
		if set(gangway.TravellerLookupFlow); stored("reyes") != 1 {
			t.Error("travellers are gone with a flow that brings travellers, too")
		}
		if set(gangway.CrewChangesFlow); stored("reyes") != 0 || stored("cruz") != 1 {
			t.Error("travellers stay of a feed that will never update them")
		}
	})
}
