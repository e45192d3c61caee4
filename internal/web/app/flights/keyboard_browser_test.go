package flights_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBookedByKeyboard is a coordinator at night who never touches the mouse.
func TestBookedByKeyboard(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/deadlines"))
	b.SignIn()
	strokes := 0
	press := func(keys ...string) {
		for _, key := range keys {
			strokes++
			b.Do(chromedp.KeyEvent(key))
		}
	}

	press("b")
	b.Until(`document.activeElement.id === "name"`)
	strokes = 0 // counted from the focused traveller field on
	press("o", "s", kb.Enter)
	b.Until(`document.querySelector("[name=traveller]").value === "id:3" && document.activeElement.id === "to0"`)
	press("r", "o", "t", kb.Enter)
	b.Until(`document.querySelector("#to0").value === "NLRTM port of Rotterdam" && document.activeElement.id === "date0"`)
	press("1", "d", "e", "c", kb.Enter)
	b.Until(`document.querySelector("#date0").value !== "1dec"`) // it shows how it was understood
	press(kb.Enter)
	b.Until(`location.pathname.startsWith("/searches/") && document.querySelector("[data-stream]") === null && document.querySelectorAll("#flights [data-row]").length > 3`)
	press(kb.ArrowDown, kb.Enter)
	b.Until(`[...document.querySelectorAll("[data-key=h]")].some(e => e.checkVisibility())`)
	press("h")
	b.Until(`location.pathname.endsWith("/hold") && document.activeElement.value === "let-go"`)
	press(kb.Enter)
	b.Until(`location.pathname.startsWith("/bookings/")`)
	if strokes > 20 {
		t.Errorf("a hold took %d keystrokes; want 20 at most", strokes)
	}
	t.Logf("%d keystrokes from the traveller field to the hold", strokes)
	s.WantBookings(t, 1)
	held := s.Bookings(t)[0]
	if held.State != gangway.Confirmed || held.AutoIssue || held.Passenger.ID != "3" {
		t.Fatalf("booking = %+v; want one on hold that is not issued by itself", held)
	}

	t.Run("Enter never presses a button that will spend money", func(t *testing.T) {
		b := b.In(t)
		b.Read(`(document.querySelector("main").insertAdjacentHTML("beforeend", "<form action=/report><button name=unissued value=issue>Hold and issue automatically</button></form>"), document.querySelector("[action=\"/report\"] button").focus(), "")`)
		b.Do(chromedp.KeyEvent(kb.Enter))
		b.Until(`document.querySelector(".deliberate") !== null && location.pathname.startsWith("/bookings/")`)
		b.Do(chromedp.KeyEvent(" "))
		b.Until(`location.pathname === "/report"`)
	})
	t.Run("the letters open the issue quote, tick a row and lead back", func(t *testing.T) {
		b := b.In(t)
		b.Do(chromedp.Navigate(s.URL + "/bookings"))
		b.Until(`document.querySelector("[data-row]") !== null`)
		b.Do(chromedp.KeyEvent(kb.ArrowDown))
		b.Until(`document.activeElement.matches("[data-row]")`)
		b.Do(chromedp.KeyEvent("i"))
		b.Until(`location.pathname === "/bookings/` + held.ID + `/issue"`)
		b.Do(chromedp.KeyEvent(kb.Escape))
		b.Until(`location.pathname === "/bookings"`)
		b.Do(chromedp.Navigate(s.URL + "/requests?date=2036-12-01"))
		b.Do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent("x"))
		b.Until(`document.querySelector("tr:has([data-row]) input[name=request]").checked`)
	})
	t.Run("? shows the keys, and the menu switches the letters off", func(t *testing.T) {
		b := b.In(t)
		b.Do(chromedp.KeyEvent("?"))
		b.Until(`document.querySelector("dialog[open] dt") !== null`)
		b.Do(chromedp.KeyEvent(kb.Escape))
		b.Until(`document.querySelector("dialog") === null && location.pathname === "/requests"`)
		b.Do(chromedp.Click(apptest.CSS(".me summary")), chromedp.Click(apptest.CSS(`.me [name=keys][value=off]`)))
		b.Until(`document.documentElement.dataset.keys === "off" && location.pathname === "/requests"`)
		b.Do(chromedp.KeyEvent("b"), chromedp.KeyEvent("?"),
			chromedp.KeyEvent("k", chromedp.KeyModifiers(kb.ModifierCtrl)))
		b.Until(`document.activeElement.id === "find" && document.querySelector("dialog") === null`)
	})
	t.Run("the field finds anything, and an arrow and Enter lead there", func(t *testing.T) {
		b := b.In(t)
		b.Do(chromedp.KeyEvent("northern"))
		b.Until(`[...document.querySelectorAll("#find-options [data-go]")].some(e => e.dataset.go === "/vessels/NORTHERN%20LIGHT")`)
		b.Do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
		b.Until(`location.pathname === "/vessels/NORTHERN%20LIGHT"`)
		b.Do(chromedp.KeyEvent("k", chromedp.KeyModifiers(kb.ModifierCtrl)))
		b.Until(`document.activeElement.id === "find"`)
		b.Do(chromedp.KeyEvent(held.Locator), chromedp.KeyEvent(kb.Enter))
		b.Until(`location.pathname === "/bookings/` + held.ID + `"`)
	})
}
