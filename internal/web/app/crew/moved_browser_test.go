package crew_test

import (
	"io"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/app"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// replica serves the site from another handle of its database, as a second program does, and returns its address.
func replica(t *testing.T, s *apptest.Site, db *store.DB) string {
	t.Helper()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	server := httptest.NewUnstartedServer(nil)
	at := "http://" + server.Listener.Addr().String()
	h, err := app.New(app.Config{DB: db, Now: s.Now, Log: log, BaseURL: at + "/api", AppURL: at, Desk: s.Desk,
		ReportingURL: at + "/reporting", Requests: s.Requests, Poller: s.Poller,
		Batches: plan.New(plan.Config{DB: db, Desk: s.Desk, Now: s.Now, Log: log})})
	apptest.Done(t, err)
	server.Config.Handler = web.FindClient([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, h)
	server.Start()
	t.Cleanup(server.Close)
	return at
}

// Two replicas that are sent dates at the same moment agree about what moved, and people at both see it, undo it and
// answer, in a browser.
func TestShipThatMovedInBrowserAtTwoReplicas(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, address string) {
		var dbs [2]*store.DB
		for i := range dbs {
			db := apptest.Must(store.Open(t.Context(), address))(t)
			t.Cleanup(func() { db.Close() })
			dbs[i] = db
		}
		s := apptest.NewSiteOn(t, dbs[0])
		at := []string{s.URL, replica(t, s, dbs[1])}
		scope := s.Production.Scope()
		crew, n := apptest.Sailors(4), 0
		send := func(dates ...gangway.Date) { // to each replica the crew change of a date, at the same moment
			t.Helper()
			n++
			var all sync.WaitGroup
			for i, date := range dates {
				all.Go(func() {
					list := []gangway.CrewChange{{Vessel: "GENOA STAR", Flag: "PA", ChangeDate: date, OnSigners: crew}}
					_, err := dbs[i].In(scope).UpsertCrewChanges(t.Context(), list,
						s.Now().Add(time.Duration(n)*time.Minute))
					if err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		}
		key, list := "on:2036-12-03:PA:genoa star", "/crew-changes?from=2036-12-01&to=2036-12-31"
		plan := "/crew-changes/plan?key=" + url.QueryEscape(key)
		send("2036-12-03", "2036-12-03")
		c := s.SignedIn(t, gangway.Booker)
		begun := c.Post("/crew-changes/search", url.Values{"key": {key}, "airport": {"AMS"}})
		path, _, _ := strings.Cut(begun.Path, "?")
		c.Get(path + "?wait=1")
		c.Finish(c.Submit(path + "/book-all"))

		b := apptest.OpenTab(t)
		b.Become(c)
		open := func(replica int, path string, texts ...string) {
			t.Helper()
			b.Do(chromedp.Navigate(at[replica] + path))
			for _, text := range texts {
				b.Until("document.body.innerText.includes(" + strconv.Quote(text) + ")")
			}
		}
		lacks := func(text string) {
			t.Helper()
			if b.Read("String(document.querySelector('main').innerText.includes("+strconv.Quote(text)+"))") == "true" {
				t.Errorf("the page says %q", text)
			}
		}
		open(0, list, "all 4")
		send("2036-12-08", "2036-12-08") // the same upload at both, as after a timeout
		for i := range at {
			open(i, list, "1 crew change", "0 of 4", "4 for the old plan", "Mon 8 Dec")
		}
		open(1, plan, "Moved from Wed 3 Dec to Mon 8 Dec by the rule", "5 days apart, 4 of 4 people the same")
		b.Do(chromedp.Click(apptest.CSS(`form[action$="/undo-move"] button`)))
		b.Until(`document.body.innerText.includes("The move was undone")`)
		const question = "Is this the same crew change, moved?"
		for i := range at {
			open(i, list, "2 crew changes", "moved?")
			if b.Read(`String(document.querySelectorAll("#list .badge.good").length)`) != "0" {
				t.Error("a crew change is green while it is asked whether it moved")
			}
			open(i, plan, question, "Wed 3 Dec → Mon 8 Dec: the move was undone")
			b.Do(chromedp.Click(apptest.CSS(`.notice a[href*="%23"]`))) // the other one, with a key of its own
			b.Until(`document.querySelector("h1 + *, .head").innerText.includes("8 December") || document.body.innerText.includes("8 Dec 2036")`)
			b.Until("document.body.innerText.includes(" + strconv.Quote(question) + ")")
		}
		b.Do(chromedp.Click(apptest.CSS(`button[name=same][value=no]`)))
		b.Until(`document.body.innerText.includes("These are two crew changes.")`)
		open(0, list, "all 4")
		lacks("moved?")
		send("2036-12-08")
		open(0, list, "2 crew changes")
		lacks("moved?")

		// Different dates at the same moment: one moves, and whatever else may be the same is asked about.
		if _, err := dbs[0].In(scope).DeleteCrewChangeNamed(t.Context(), gangway.CrewChange{Vessel: "Genoa Star",
			Flag: "PA", ChangeDate: "2036-12-08"}); err != nil {
			t.Fatal(err)
		}
		send("2036-12-05", "2036-12-07")
		open(1, list, "1 crew change", "4 for the old plan")
		open(0, plan, "by the rule")
	})
}
