package bookings_test

import (
	"fmt"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// TestDeadlinesTogetherInBrowser tells how two people settle the same holds on Deadlines at the same time. Mara has
// ticked six, four of them quoted in a second tab, when Helen releases three of them: on Mara's open page these are
// struck through and out of the sum, her issue leaves the one that was quoted, and nothing is done twice.
func TestDeadlinesTogetherInBrowser(t *testing.T) {
	const people = 6
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	list, _ := heldCrew(t, s, c, people)
	mara, quotes, helen := apptest.OpenTab(t), apptest.OpenTab(t), apptest.OpenTab(t)
	mara.Become(c)
	quotes.Become(c)
	helen.Become(s.SignedIn(t, gangway.Approver))
	const boxes = `[...document.querySelectorAll("#holds tr:not(.gone) .tick input[name=booking]")]`
	tick := func(b *apptest.Tab, which string) {
		t.Helper()
		b.Do(chromedp.Navigate(s.URL + "/deadlines?show=all"))
		b.Until(fmt.Sprintf(boxes+`.length === %d && document.body.dataset.live`, people))
		b.Read(boxes + `.slice(` + which + `).forEach((box) => box.click()); ""`)
	}
	sum := func(b *apptest.Tab) string { return b.Read(`document.querySelector(".bulk output").textContent`) }
	quote := func(b *apptest.Tab, act string) (n int) {
		t.Helper()
		b.Do(chromedp.Click(apptest.CSS(".bulk [value=" + act + "]")))
		b.Until(`document.querySelector("[form=together]") !== null`)
		return int(apptest.Number(b.Read(`String(document.querySelectorAll("#together [name=ask]").length)`)))
	}
	tick(mara, "0")
	if all := sum(mara); !strings.HasPrefix(all, fmt.Sprintf("%d ticked · USD ", people)) {
		t.Errorf("the bar says %q", all)
	}
	tick(quotes, "0, 4")
	tick(helen, "3")
	if n := quote(quotes, "issue") + quote(helen, "release"); n != 4+3 {
		t.Fatalf("%d are quoted; want four and three", n)
	}
	helen.Do(chromedp.Click(apptest.CSS("[form=together]")))
	over := `document.querySelector("#run") !== null && document.querySelector("[data-stream]") === null &&
		!document.querySelector("#run [data-state=open], #run [data-state=unanswered]")`
	helen.Until(over)

	mara.Until(`document.querySelectorAll("#holds tr.gone input:disabled").length === 3 &&
		document.querySelectorAll("#holds .tick input[name=booking]:checked").length === 3`)
	left := mara.Read(boxes + `.map((box) => box.closest("tr").dataset.amount).join()`)
	var want gangway.Money
	released := map[string]bool{}
	for _, b := range list {
		now := s.Booking(t, "/bookings/"+b.ID)
		if released[b.ID] = now.State == gangway.Cancelled; released[b.ID] {
			continue
		}
		if want = want.Add(b.Price.Total); want.Currency == "" {
			want = b.Price.Total
		}
	}
	if got := sum(mara); got != "3 ticked · "+want.Words() {
		t.Errorf("the bar says %q; want the sum of %s", got, left)
	}

	quotes.Do(chromedp.Click(apptest.CSS("[form=together]")))
	quotes.Until(over)
	got := quotes.Read(`[...document.querySelectorAll("#run tr[data-state]")].map((row) => row.dataset.state)
		.sort().join(" ")`)
	if got != "busy done done done" {
		t.Errorf("the run of issues ends as %q; want three done, and the one that was released meanwhile not", got)
	}
	mara.Until(`document.querySelectorAll("#holds .gone input[name=booking]:disabled").length === 6 &&
		!document.querySelector(".bulk.some")`)
	for _, b := range list {
		now := s.Booking(t, "/bookings/"+b.ID)
		history, err := apptest.Production(s).History(t.Context(), b.ID)
		ends, paid := gangway.Issued, b.Price.Total.Minor
		if released[b.ID] {
			ends, paid = gangway.Cancelled, 0
		}
		if err != nil || len(history) != 2 || now.State != ends || now.PaidSoFar().Minor != paid {
			t.Errorf("%s is %s, paid %s: %+v, %v; want it %s, once", b.Locator, now.State, now.PaidSoFar(), history,
				err, ends)
		}
	}
}
