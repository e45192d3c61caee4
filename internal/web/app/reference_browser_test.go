package app_test

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"gangway/internal/store/storetest"
	"gangway/internal/web/api"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// The page about the interface is looked at as those of the application are, without a script of its own; a link to a
// sample that is folded opens it.
func TestReferenceInBrowser(t *testing.T) {
	b := apptest.OpenTab(t)
	s := httptest.NewServer(api.New(api.Config{DB: storetest.New(t), Now: time.Now,
		Log: slog.New(slog.DiscardHandler), At: api.Addresses{Base: "https://gangway.example/api",
			App: "https://gangway.example", Reporting: "https://gangway.example/reporting"}}))
	t.Cleanup(s.Close)
	b.WithScript(false)
	b.Resize(1440)
	b.Do(chromedp.Navigate(s.URL + "/reference"))
	b.WithScript(true)
	for _, width := range widths() {
		b.Resize(width)
		if faults := faultsAt(b, width); faults != "" {
			t.Errorf("at %d:\n%s", width, faults)
		}
		if *pictures != "" {
			b.Photograph(filepath.Join(*pictures, fmt.Sprintf("reference-%d.png", width)))
		}
	}
	for scheme, width := range schemes("reference") {
		b.Prefers(scheme)
		b.Resize(width)
		if faults := b.Read(apptest.Nameless) + apptest.Axe(t, b); faults != "" {
			t.Errorf("at %d, %s:\n%s", width, scheme, faults)
		}
	}
	b.Do(chromedp.Navigate(s.URL + "/reference#error-no_key"))
	b.Until(`document.querySelector("#error-no_key").closest("details").open`)
	lost := b.Read(`[...document.querySelectorAll('a[href^="#"]')].map(a => a.getAttribute("href")).
		filter(to => !document.getElementById(to.slice(1))).join(" ")`)
	if lost != "" {
		t.Errorf("links lead nowhere: %s", lost)
	}
}
