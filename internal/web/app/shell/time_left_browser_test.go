package shell_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
	"gangway/internal/web/app/shell"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestCountdownInBrowser holds that the browser counts down in the server's words
// and turns amber and red when the server would, by the account's clock.
func TestCountdownInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	held := s.SignedIn(t, gangway.Booker).Booked("fare=marine")
	b := apptest.OpenTab(t)
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
			Source: `window.setInterval = (tick, ms) => { if (ms === 15000) window.tick = tick; };`})
		return err
	}))
	b.Do(chromedp.Navigate(s.URL + held))
	b.SignIn()
	b.Until(`window.tick !== undefined`)
	for _, left := range []time.Duration{-time.Minute, 30 * time.Second, 59 * time.Minute, time.Hour, 65 * time.Minute,
		359 * time.Minute, 6 * time.Hour, 23*time.Hour + 59*time.Minute, 24 * time.Hour, 75 * time.Hour} {
		left += 20 * time.Second // so that the minute does not end in between
		words, class := shell.TimeLeft(left)
		if left < 0 {
			words = "ended"
		}
		for _, ahead := range []time.Duration{0, 100 * time.Hour} {
			got := b.Read(fmt.Sprintf(`(() => {
				const time = document.querySelector("time[data-left]");
				document.body.dataset.ahead = %d;
				time.dateTime = new Date(Date.now() + %d).toISOString();
				time.dataset.before = time.dataset.after = "";
				time.dataset.then = "ended";
				window.tick();
				return time.textContent + "|" + time.className;
			})()`, ahead.Milliseconds(), (ahead + left).Milliseconds()))
			if want := words + "|left " + class; got != want {
				t.Errorf("with %s left by a clock %s ahead the browser shows %s; want %s", left, ahead, got, want)
			}
		}
	}
}
