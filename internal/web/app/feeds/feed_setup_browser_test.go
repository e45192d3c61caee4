package feeds_test

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// TestFromForeignFileToSuggestion: from a system that writes semicolons and its own words, and an empty page of feeds,
// to its travellers in the suggestion of the Book page, in seven steps, one of them in the table of columns.
func TestFromForeignFileToSuggestion(t *testing.T) {
	s, system := apptest.NewSite(t), personnelSystem(t)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { s.Poller.Run(ctx) })
	t.Cleanup(func() { stop(); running.Wait() })
	b := apptest.OpenTab(t)
	b.Become(s.SignedIn(t, gangway.Admin))
	b.Do(chromedp.Navigate(s.URL + "/settings/feeds"))

	b.Do(chromedp.Click(apptest.CSS(`.empty a.button`)))
	b.Until(`document.querySelector("#setup") !== null`)
	b.Do(chromedp.SendKeys(apptest.CSS("#s-url"), system.URL+"/crew"))
	b.Do(chromedp.Click(apptest.CSS("#try")))
	b.Until(`document.querySelector("#trial[data-tried][aria-busy=false]") !== null`)
	if got := b.Read(`document.querySelector("#outcome [role=status]").textContent`); got !=
		"5 records: 4 would be stored, 1 refused. In 1 of those stored something is left out." {
		t.Errorf("the proposal makes %q", got)
	}
	if got := b.Read(`document.activeElement.id`); got != "outcome" {
		t.Errorf("after a try the focus is at %q; want it at what came of it", got)
	}
	// A column is taken out in the table, which leaves nothing to say about the records that are stored.
	b.Read(`(() => { const row = [...document.querySelectorAll(".setup-columns tr")].find((r) =>
		r.innerText.startsWith("Geschl")), e = row.querySelector("select"); e.value = "";
		e.dispatchEvent(new Event("change", {bubbles: true})); return ""; })()`)
	b.Until(`document.querySelector("#outcome [role=status]").textContent ===
		"5 records: 4 would be stored, 1 refused."`)
	b.Do(chromedp.Click(apptest.CSS(`#outcome button[value="save"]`)))
	b.Until(`location.pathname === "/settings/feeds/travellers"`)
	b.Until(`document.body.innerText.includes("5 records")`)
	b.Do(chromedp.Click(apptest.CSS(`.nav a[href="/book"]`)))
	b.Until(`document.querySelector("#name") !== null`)
	b.Do(chromedp.SendKeys(apptest.CSS("#name"), "lindq"))
	b.Until(`document.querySelector("[role=option][data-key]") !== null`)
	if got := b.Read(`document.querySelector("[role=option][data-key]").textContent`); !strings.Contains(got,
		"Lindqvist") || !strings.Contains(got, "Astrid") {
		t.Errorf("the suggestion: %q; want Astrid Lindqvist", got)
	}
}

// TestMappingIsFollowed: a file that is chosen is tried at once, and the records follow what is typed, which keeps the
// focus and, while it is wrong, the records of before.
func TestMappingIsFollowed(t *testing.T) {
	s := apptest.NewSite(t)
	b := apptest.OpenTab(t)
	b.Become(s.SignedIn(t, gangway.Admin))
	b.Do(chromedp.Navigate(s.URL + "/settings/feeds/new"))
	b.Until(`document.querySelector("#setup") !== null`)
	// In one step: the page may replace the field at any time.
	b.Until(`(() => {
		const field = document.querySelector("#sample"), files = new DataTransfer();
		if (field === null) return false;
		files.items.add(new File([` + strconv.Quote(personnel) + `], "crew.csv"));
		field.files = files.files;
		field.dispatchEvent(new Event("change", {bubbles: true}));
		return field.isConnected;
	})()`)
	b.Until(`document.querySelector("#trial[data-tried][aria-busy=false]") !== null`)
	b.Until(`document.querySelector("#mapping").value.includes('date("DMY")')`)
	b.Until(`document.querySelector("#received").innerText.includes("crew.csv")`)
	b.Until(`document.activeElement.id !== "mapping"`)

	// The table writes the program, which is behind it for engineers.
	b.Until(`document.querySelector("#engineers").open === false`)
	b.Read(`(() => { const row = [...document.querySelectorAll(".setup-columns tr")].find((r) =>
		r.innerText.startsWith("Vorname")), e = row.querySelector("select"); e.focus(); e.value = "";
		e.dispatchEvent(new Event("change", {bubbles: true})); return ""; })()`)
	b.Until(`!document.querySelector("#mapping").value.includes(".Vorname") &&
		document.querySelector("#columns-table").innerText.includes("first name")`)
	b.Until(`document.activeElement.matches(".setup-columns select")`)
	b.Read(`document.querySelector("#engineers").open = true, ""`)

	types := func(program string) {
		b.Read(`(() => { const e = document.querySelector("#mapping"); e.focus(); e.value = ` + program + `;
			e.dispatchEvent(new InputEvent("input", {bubbles: true})); return ""; })()`)
	}
	types("`.[] | {last_name: .Nachname, first_name`")
	b.Until(`document.querySelector("#mapping-wrong .wrong")?.textContent.includes("at line 1, column")`)
	b.Until(`document.querySelector("#trial").innerText.includes("1985-02-01")`)
	b.Until(`document.querySelector("#trial").innerText.includes("From the mapping as it was before.")`)
	types("`.[] | {last_name: .Nachname, first_name: .Vorname, rank: \"Master\"}`")
	b.Until(`document.querySelector("#mapping-wrong .wrong") === null &&
		document.querySelector("#trial").innerText.includes("Master") &&
		!document.querySelector("#trial").innerText.includes("as it was before")`)
	if got := b.Read(`document.activeElement.id`); got != "mapping" {
		t.Errorf("the focus is at %q; want it where somebody types", got)
	}
}
