package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// An operator's monitoring learns of feeds that fail, of those that are off nothing, and of outlets that are stuck;
// where the surfaces are, it learns nothing.
func TestFiguresForMonitoring(t *testing.T) {
	onEither(t, func(t *testing.T, database string) {
		db := openStore(t, database)
		account, _, err := db.CreateCustomer(t.Context(), gangway.ByCommand("test", "test"), "Halcyon Tankers",
			time.Now())
		if err != nil {
			t.Fatal(err)
		}
		in := db.In(account.Scope())
		for _, name := range []string{"crew", "idle"} {
			_, err := in.SetFeed(t.Context(), storetest.Operator, name, func(store.StoredFeed) (gangway.Feed, error) {
				return gangway.Feed{Name: name, Flow: gangway.TravellersFlow, Off: name == "idle",
					Transport: gangway.Transport{Kind: "upload", Settings: []byte(`{}`)}}, nil
			}, time.Time{}, time.Now())
			if err != nil {
				t.Fatal(err)
			}
		}
		l, err := in.TakeFeed(t.Context(), "crew", time.Now(), time.Now().Add(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		next := time.UnixMilli(1_900_000_000_000)
		if _, err := in.EndFeedRun(t.Context(), l, gangway.FeedRun{Error: "it answered 503"},
			store.FeedRunEnd{Next: next}, time.Now()); err != nil {
			t.Fatal(err)
		}
		o, err := in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet,
			storetest.PushTo("https://crewing.halcyon.example/sync"), []string{"secret"}, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		bookAlone(t, in, "a1")
		now := time.Now()
		queue, d := storetest.TakeDelivery(t, db, now)
		if err := storetest.SettleTry(t, db, queue, d, "due", store.Attempt{At: now, Status: http.StatusGone},
			&store.DeliveryFailure{Off: "it is gone", Next: now, Probe: now}); err != nil {
			t.Fatal(err)
		}
		db.Close()
		at := freePort(t)
		_, app, _ := serve(t, database, "--metrics-listen", at)
		feed := `{customer="` + account.Customer.ID + `",environment="production",feed="crew"} `
		outlet := `{customer="` + account.Customer.ID + `",environment="production",outlet="` + o.ID + `"} `
		said := get(t, "http://"+at+"/metrics", http.StatusOK)
		for _, want := range []string{
			"# TYPE gangway_feed_failing gauge\ngangway_feed_failing" + feed + "1\n",
			"gangway_feed_last_good_timestamp_seconds" + feed + "0\n",
			"gangway_feed_next_run_timestamp_seconds" + feed + "1900000000\n",
			"gangway_outlet_off" + outlet + "1\n", "gangway_outlet_failing" + outlet + "0\n",
			"gangway_outlet_deliveries_waiting" + outlet + "1\n",
			"gangway_database_up 1\n", "gangway_figures_cut 0\n",
		} {
			if !strings.Contains(said, want) {
				t.Errorf("the figures are\n%s\nwant %q", said, want)
			}
		}
		if strings.Contains(said, "idle") || strings.Contains(said, "Halcyon") {
			t.Errorf("the figures are\n%s\nwant nothing of feeds that are off, and no names", said)
		}
		get(t, app+"/metrics", http.StatusNotFound)
	})
}

func get(t *testing.T, address string, status int) string {
	t.Helper()
	res, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status {
		t.Fatalf("%s: %d, %v; want %d", address, res.StatusCode, err, status)
	}
	return string(body)
}
