package shell_test

import (
	"context"
	"testing"

	"gangway/internal/web/app/apptest"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"gangway/internal/gangway"
)

// impatient shortens every wait of a page to a second at most, and remembers how
// long each would have been.
const impatient = `(() => {
	const wait = window.setTimeout;
	window.waited = [];
	window.setTimeout = (what, ms, ...more) => {
		if (ms >= 1000) window.waited.push(ms);
		return wait(what, Math.min(ms, 50), ...more);
	};
})()`

// TestRefusedStreamInBrowser opens a page whose stream is refused. The page requests
// it no sooner than the answer says, and shows its results once there is a place.
func TestRefusedStreamInBrowser(t *testing.T) {
	s := apptest.NewGatedSite(t)
	path := "/searches/" + s.Keep(t, apptest.Maria).ID
	b := apptest.OpenTab(t)
	b.Do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: impatient})
		return err
	}))
	t.Run("while there is no place it waits as long as it is told to", func(t *testing.T) {
		c := s.SignedIn(t, gangway.Booker)
		for range 24 {
			c.OpenStream(path + "/stream")
		}
		b.Do(chromedp.Navigate(s.URL + path))
		b.SignIn()
		// What the answer said, 10 s, and up to half as much: others do not come back at the same time.
		b.Until(`location.pathname.startsWith("/searches/") && window.waited.some((ms) => ms >= 10000 && ms <= 15000)`)
		if got := b.Read(`window.waited.filter((ms) => ms < 10000).join(" ")`); got != "" {
			t.Errorf("it waited %s ms; want nothing below what the answer said, 10 s", got)
		}
	})
	s.Gate.Pass(1000) // the other pages are closed by now
	b.Until(`document.querySelectorAll(".offer").length > 0 && document.querySelector("[data-stream]") === null`)
}
