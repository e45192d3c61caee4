package crew_test

import (
	"strconv"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// A coordinator who hears at night that the ship is three days late and calls at another port opens the crew changes,
// and puts eight people right with two clicks. What is ticked is what the button says, while quotes come, and an upload
// in between is on the open page.
func TestTrialBoardInBrowser(t *testing.T) {
	need.Trial(t)
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	movedCrew(t, s, c, 3)
	b := apptest.OpenTab(t)
	b.Become(c)
	b.Do(chromedp.Navigate(s.URL + "/crew-changes?from=2036-12-01&to=2036-12-31"))
	b.Do(chromedp.Click(apptest.CSS(`#list a[href*="/crew-changes/board"]`)))
	const quoted = `document.querySelectorAll("tr[data-person]").length >= 8 &&
		document.querySelector("[data-board=button]") && !document.querySelector("main [data-stream]") `
	b.Until(quoted)
	button := func() string { return b.Read(`document.querySelector("[data-board=button]").textContent`) }
	bar := func() string { return b.Read(`document.querySelector("[data-board=bar]").textContent`) }
	all := button()
	c.Get(boardOf+"&wait=1").Has(all, bar()) // without a script, too
	if !strings.HasPrefix(all, "Do 8 · USD ") {
		t.Fatalf("the button says %q", all)
	}
	t.Run("the button says what is ticked", func(t *testing.T) {
		b := b.In(t)
		first := `String(document.querySelector("tr[data-person] input[type=checkbox]").click())`
		b.Read(first)
		if got := button(); !strings.HasPrefix(got, "Do 7 · ") {
			t.Errorf("it says %q", got)
		}
		b.Do(chromedp.Navigate(s.URL + "/bookings"))
		b.Do(chromedp.NavigateBack())
		b.Until(quoted)
		if got := button(); !strings.HasPrefix(got, "Do 7 · ") {
			t.Errorf("it says %q to whoever comes back", got)
		}
		always := gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}
		storetest.Settings(t, apptest.Production(s), gangway.Settings{Approval: always})
		b.Read(`String(window.before = true)`)
		b.Do(chromedp.Click(apptest.CSS(`button[name=again]`)))
		b.Until(`!window.before && location.search.includes("off=") && ` + quoted)
		if got := button(); !strings.HasPrefix(got, "Do 7 · ") {
			t.Errorf("it says %q once everything is quoted again", got)
		}
		asked := func() (n int) {
			_, words, _ := strings.Cut(bar(), " for ")
			n, _ = strconv.Atoi(words)
			return n
		}
		const tick = `String(document.querySelector("option:checked[data-whose]").closest("tr").
			querySelector("[type=checkbox]").click())`
		before := asked()
		b.Read(tick)
		if n := asked(); before == 0 || n != before+1 && n != before-1 {
			t.Errorf("%d and then %d need approval", before, n)
		}
		b.Read(tick)
		storetest.Settings(t, apptest.Production(s), gangway.Settings{})
		b.Read(first)
		if got := button(); got != all {
			t.Errorf("it says %q; want %q", got, all)
		}
	})
	t.Run("another of the three ways is a click", func(t *testing.T) {
		b := b.In(t)
		b.Do(chromedp.Click(apptest.CSS(`.aims a[data-aim=plan]`)))
		b.Until(`document.querySelector(".aims a[data-aim=plan]").getAttribute("aria-current") === "true"`)
		b.Until(quoted)
	})
	t.Run("an upload in between is on the open page, and who is new is quoted for", func(t *testing.T) {
		s.Upload(t, "2036-12-08", apptest.Sailors(9)[1:])
		b := b.In(t)
		b.Until(`document.querySelector("tr[data-person][data-state=hold]") !== null`)
		b.Until(`document.querySelector("tr[data-person][data-state=release]") !== null && ` + quoted)
		if got := button(); !strings.HasPrefix(got, "Do 9 · ") {
			t.Errorf("the button says %q", got)
		}
	})
	b.Do(chromedp.Reload())
	b.Until(quoted)
	b.Do(chromedp.Click(apptest.CSS(`[data-board=button]`)))
	b.Until(`location.pathname.startsWith("/runs/") && document.querySelectorAll("tr[data-state=done]").length === 9`)
	for _, p := range crewNow(t, s).People {
		if !p.Serves() && p.Plan.Unneeded == "" {
			t.Errorf("%s stands as %s, %v", p.Traveller.LastName, p.Standing, p.Also)
		}
	}
}

// A reader of an open board is told that the plan changed, and how many of their ticks that took away.
func TestTrialOpenBoardSaysThatThePlanChanged(t *testing.T) {
	need.Trial(t)
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	movedCrew(t, s, c, 0)
	b := apptest.OpenTab(t)
	b.Become(c)
	b.Do(chromedp.Navigate(s.URL + boardOf))
	const tick = `[...document.querySelectorAll("tr[data-person]")].find(r => r.innerText.includes("Sailora"))
		.querySelector("[type=checkbox]:enabled")`
	b.Until(tick + ` && !document.querySelector("main [data-stream]") && document.querySelector("#moved").innerText === ""`)
	b.Read(tick + `.click(), ` + tick + `.click(), ""`) // the tick is the reader's own now
	s.Upload(t, "2036-12-08", apptest.Sailors(9)[1:])
	b.Until(`document.querySelector("#moved[role=status]").innerText ===
		"The plan changed meanwhile: 1 removed, 1 new by your crewing system, 09:00 UTC. Ticks no longer possible: 1. " +
			"Your other ticks are kept."`)
}
