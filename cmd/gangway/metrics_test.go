package main

import (
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
		must(t, err)
		in := db.In(account.Scope())
		for _, name := range []string{"crew", "idle"} {
			_, err := in.SetFeed(t.Context(), storetest.Operator, name, func(store.StoredFeed) (gangway.Feed, error) {
				return gangway.Feed{Name: name, Flow: gangway.TravellersFlow, Off: name == "idle",
					Transport: gangway.Transport{Kind: "upload", Settings: []byte(`{}`)}}, nil
			}, time.Time{}, time.Now())
			must(t, err)
		}
		l := sure(in.TakeFeed(t.Context(), "crew", time.Now(), time.Now().Add(time.Minute)))(t)
		next := time.UnixMilli(1_900_000_000_000)
		must(t, did(in.EndFeedRun(t.Context(), l, gangway.FeedRun{Error: "it answered 503"},
			store.FeedRunEnd{Next: next}, time.Now())))
		o := pushTo(t, in, "https://crewing.halcyon.example/sync", time.Now())
		bookAlone(t, in, "a1")
		now := time.Now()
		queue, d := storetest.TakeDelivery(t, db, now)
		must(t, storetest.SettleTry(t, db, queue, d, "due", store.Attempt{At: now, Status: http.StatusGone},
			&store.DeliveryFailure{Off: "it is gone", Next: now, Probe: now}))
		db.Close()
		at := freePort(t)
		_, app, _ := serve(t, database, "--metrics-listen", at)
		feed := `{customer="` + account.Customer.ID + `",environment="production",feed="crew"} `
		outlet := `{customer="` + account.Customer.ID + `",environment="production",outlet="` + o.ID + `"} `
		res, said := look(t, "http://"+at+"/metrics")
		for _, want := range []string{
			"# TYPE gangway_feed_failing gauge\ngangway_feed_failing" + feed + "1\n",
			"gangway_feed_last_good_timestamp_seconds" + feed + "0\n",
			"gangway_feed_next_run_timestamp_seconds" + feed + "1.9e+09\n",
			"gangway_outlet_off" + outlet + "1\n", "gangway_outlet_failing" + outlet + "0\n",
			"gangway_outlet_deliveries_waiting" + outlet + "1\n",
			"gangway_database_up 1\n", "gangway_figures_cut 0\n",
		} {
			if !strings.Contains(said, want) {
				t.Errorf("the figures are\n%s\nwant %q", said, want)
			}
		}
		if strings.Contains(said, `"idle"`) || strings.Contains(said, "Halcyon") {
			t.Errorf("the figures are\n%s\nwant nothing of feeds that are off, and no names", said)
		}
		if elsewhere, _ := look(t, app+"/metrics"); res.StatusCode != 200 || elsewhere.StatusCode != 404 {
			t.Errorf("the figures: %d, and where the surfaces are %d; want 200 and 404", res.StatusCode,
				elsewhere.StatusCode)
		}
	})
}
