package flights_test

import (
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gangway/internal/gangway"
)

func TestBookInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	apptest.PlanCrew(t, apptest.Production(s))
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/book"))
	b.SignIn()

	// One letter is enough where it can be a surname.
	s.SendTravellers(t, gangway.Traveller{ID: "w", LastName: "王", FirstName: "小明"})
	b.Do(chromedp.SendKeys(apptest.CSS("#name"), "王"))
	b.Until(`document.querySelector("#name-options [role=option]")?.textContent.includes("小明")`)
	b.Write("#name", "")

	// Three letters of a surname, and the keyboard does the rest.
	b.Do(chromedp.SendKeys(apptest.CSS("#name"), "san"))
	b.Until(`document.querySelectorAll("#name-options [role=option]").length === 2`)
	b.Until(`document.querySelector("#name-options [aria-selected]") === null`)
	b.Do(chromedp.KeyEvent(kb.ArrowDown))
	b.Until(`document.querySelector("#name-options [role=option]").ariaSelected === "true"`)
	b.Do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	b.Until(`document.querySelector("[name=traveller]").value === "id:1" && document.activeElement.id === "to0"`)
	if got := b.Read(`document.querySelector("#name").value + "|" + document.querySelector("#from0").value + "|" + document.activeElement.id`); got != "SANTOS, MARIA CRISTINA|MNL Manila|to0" {
		t.Fatalf("after picking: %s; want the name, the home airport, and the next field", got)
	}
	b.Do(chromedp.KeyEvent("rotterdam"))
	b.Until(`document.querySelector("#to0-options [role=option]")?.textContent.includes("port of Rotterdam")`)
	b.Do(chromedp.KeyEvent(kb.Escape))
	b.Until(`document.querySelector("#to0-options").hidden`)
	b.Write("#to0", "")
	b.Do(chromedp.SendKeys(apptest.CSS("#to0"), "sin"))
	b.Until(`document.querySelector("#to0-options [aria-selected]")?.textContent.includes("SIN")`)
	b.Do(chromedp.KeyEvent(kb.Enter))
	b.Until(`document.querySelector("#to0").value === "SIN Singapore" && document.activeElement.id === "date0"`)

	// Tab leaves what was typed as it is, whatever is suggested.
	b.Write("#from0", "")
	b.Do(chromedp.SendKeys(apptest.CSS("#from0"), "mnl"))
	b.Until(`document.querySelector("#from0-options [role=option]") !== null && !document.querySelector("#from0-options").hidden`)
	b.Do(chromedp.KeyEvent(kb.Tab))
	b.Until(`document.querySelector("#from0").value === "mnl" && document.activeElement.id === "to0"`)

	// Maria's passport ends too soon for this date, and the page says so before anything is sent.
	b.Write("#date0", "2036-12-01")
	b.Until(`!document.querySelector("[data-passport]").hidden && document.querySelector("[data-words]").textContent.includes("within six months")`)

	// Typing another name clears the choice.
	b.Do(chromedp.SendKeys(apptest.CSS("#name"), "x"))
	b.Until(`document.querySelector("[name=traveller]").value === ""`)
	b.Write("#name", "")
	b.Do(chromedp.SendKeys(apptest.CSS("#name"), "santi"))
	b.Until(`document.querySelectorAll("#name-options [role=option]").length === 1`)
	b.Do(chromedp.KeyEvent(kb.Enter), chromedp.Click(apptest.CSS(".go")))
	b.Until(`location.pathname.startsWith("/searches/")`)
	search, err := apptest.Production(s).Search(t.Context(), strings.TrimPrefix(b.Read("location.pathname"),
		"/searches/"))
	if err != nil || search.Members[0].Traveller.FirstName != "JOSE" {
		t.Fatalf("search = %+v, %v; want one for JOSE", search, err)
	}
}
