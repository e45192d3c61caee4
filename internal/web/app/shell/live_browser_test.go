package shell_test

import (
	"context"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestOpenPagesStayTrueInBrowser has two people at work: what one does is on the other's open pages without a reload,
// and nothing is lost or moves under the hands of the one who works there.
func TestOpenPagesStayTrueInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	mara, lena, b := s.SignedIn(t, gangway.Booker), colleague(t, s, "lena", gangway.Approver), apptest.OpenTab(t)
	b.Become(lena)
	open := func(path string) {
		b.Do(chromedp.Navigate(s.URL + path))
		b.Until(`location.pathname === "` + path + `" && document.body.dataset.live`)
		b.Read(`window.kept = "yes"`)
	}
	const (
		rows  = `document.querySelectorAll("main a[data-row][href^='/bookings/']").length`
		badge = `document.querySelector('.nav a[href="/deadlines"] .count')?.textContent`
		line  = `document.querySelector("p.fresh")?.textContent`
	)
	open("/deadlines")
	t.Run("what a colleague books is there, in the list and in the badge", func(t *testing.T) {
		mara.Hold("let-go")
		b.In(t).Until(rows + ` === 1 && ` + badge + ` === "1"`)
	})
	t.Run("a new row waits while somebody is in the list", func(t *testing.T) {
		b := b.In(t)
		b.Read(`document.querySelector("main a[data-row]").focus(); ""`)
		mara.Hold("let-go")
		b.Until(badge + ` === "2" && ` + line + ` === "1 new: show" && ` + rows + ` === 1`)
		b.Do(chromedp.Click(apptest.CSS(".fresh button")))
		b.Until(rows + ` === 2 && ` + line + ` === ""`)
		if got := b.Read(`window.kept ?? ""`); got != "yes" {
			t.Error("the page was loaded again")
		}
	})
	t.Run("a row that is gone goes, where nobody works in the list", func(t *testing.T) {
		path := "/bookings/" + s.Bookings(t)[1].ID
		mara.In(t).Post(path+"/cancel", mara.In(t).Get(path+"/cancel").Form(path+"/cancel"))
		b.In(t).Until(rows + ` === 1 && document.querySelector(".gone") === null && ` + badge + ` === "1"`)
	})
	t.Run("what is typed stays", func(t *testing.T) {
		b := b.In(t)
		path := "/bookings/" + s.Bookings(t)[0].ID
		open(path)
		const field = `document.querySelector("main form[method=post] :is(input:not([type=hidden]), textarea)")`
		b.Read(field + `.value = "half a word"; ` + field + `.focus(); ""`)
		mara.In(t).Post(path+"/cancel", mara.In(t).Get(path+"/cancel").Form(path+"/cancel"))
		b.Until(`document.querySelector("main .badge")?.dataset.state === "cancelled"`)
		b.Until(field + `.value === "half a word"`)
	})
	storetest.Settings(t, apptest.Production(s),
		gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	t.Run("a ticked row that a colleague decides stays, struck through and out of the sum", func(t *testing.T) {
		b := b.In(t)
		first, _, _ := strings.Cut(mara.Hold("let-go").Path, "?")
		mara.Hold("let-go")
		open("/approvals")
		const ticked = `[...document.querySelectorAll("main tbody input:checked")]`
		b.Read(`for (const box of document.querySelectorAll("main tbody input[type=checkbox]")) box.click(); ""`)
		s.SignedIn(t, gangway.Admin).Post(first+"/approve", nil)
		b.Until(`document.querySelectorAll("main tr.gone").length === 1 && ` + ticked + `.length === 1`)
		if got := b.Read(`document.querySelector("tr.gone a[href='` + first + `']") && document.querySelector("tr.gone input").disabled ? "it" : ""`); got != "it" {
			t.Error("another row is struck through, or it can still be ticked")
		}
		b.Until(line + ` === "1 gone: hide"`)
	})
	t.Run("a page that wakes from sleep is in doubt until it has looked", func(t *testing.T) {
		b := b.In(t)
		b.Read(`(() => {
			window.doubted = "";
			new MutationObserver(() => {
				if (document.documentElement.matches(".stale")) window.doubted = document.querySelector("p.fresh").textContent;
			}).observe(document.documentElement, {attributes: true});
			const now = Date.now;
			Date.now = () => now() + 60000;
			return "";
		})()`)
		b.Until(`window.doubted.startsWith("Not updated since ") && !document.documentElement.matches(".stale")`)
	})
	t.Run("who is signed out reads that the page is no longer true", func(t *testing.T) {
		lena.Post("/sign-out", nil)
		b.In(t).Until(`document.documentElement.classList.contains("stale") && ` + line + `.includes("signed out")`)
	})
	t.Run("a row is the same row below a new one", func(t *testing.T) {
		b := b.In(t)
		b.Become(s.SignedIn(t, gangway.Admin))
		open("/settings/audit")
		const all = `[...document.querySelectorAll("main tbody tr")]`
		b.Read(all + `.forEach((row, i) => row.mark = i); window.before = ` + all + `.length; ""`)
		colleague(t, s, "audited", gangway.Booker)
		storetest.Settings(t, apptest.Production(s), gangway.Settings{AutoIssue: true})
		b.Until(all + `.length > window.before`)
		if got := b.Read(all + `.map((row) => row.mark ?? "new").slice(0, 5).join(" ")`); !strings.Contains(got, "new 0 1") {
			t.Errorf("the rows are %s; want those that were there below the new", got)
		}
	})
	t.Run("without a script the page says of when it is", func(t *testing.T) {
		mara.In(t).Get("/deadlines").Has("<noscript", "As of <time", "20 Nov 09:00 UTC")
	})
}

// TestTrialWithoutStreamsInBrowser holds that a page asks for news where streams do not come through.
func TestTrialWithoutStreamsInBrowser(t *testing.T) {
	need.Trial(t)
	s := apptest.NewSite(t)
	mara, b := s.SignedIn(t, gangway.Booker), apptest.OpenTab(t)
	b.Become(mara)
	b.Do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: `window.EventSource = class {
				readyState = 1;
				addEventListener() {}
				close() {}
			};`})
		return err
	}), chromedp.Navigate(s.URL+"/deadlines"))
	mara.Hold("let-go")
	b.Until(`document.querySelectorAll("main a[data-row]").length === 1`)
}
