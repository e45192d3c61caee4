package feeds_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// TestChangeKindKeepsWhatWasTyped: without a script, another kind of transport is a button of the form. What was typed
// stays, what both kinds have moves along, and secrets neither move nor show, but are there when their kind is back.
func TestChangeKindKeepsWhatWasTyped(t *testing.T) {
	p := newSetup(t)
	turn := func(to string, want ...string) apptest.Answer {
		a := p.follow(p.send("turn", to))
		want = append(want, "transport", to)
		for i := 0; i < len(want); i += 2 {
			if got := p.form.Get(want[i]); got != want[i+1] {
				t.Errorf("with %s, %s is %q; want %q", to, want[i], got, want[i+1])
			}
		}
		return a
	}
	p.set("flow", "crew-changes", "name", "joiners", "complete", "no", "kind", "csv", "delimiter", ";",
		"mapping", ".[]", "transport.url", "https://hr.corvina.example/crew?key=qu3ry", "transport.auth", "basic",
		"transport.auth.user", "gangway", "transport.auth.password", "tide", "date", "Thu 24 Dec 2026")
	turn("sftp", "flow", "crew-changes", "name", "joiners", "complete", "no", "kind", "csv", "delimiter", ";",
		"mapping", ".[]", "date", "Thu 24 Dec 2026").Lacks("qu3ry", "tide")
	p.set("transport.host", "files.corvina.example", "transport.user", "crewing", "transport.password", "neap",
		"transport.host_key", "SHA256:x", "transport.path", "/out")
	turn("ftps", "transport.host", "files.corvina.example", "transport.user", "crewing", "transport.path", "/out",
		"transport.password", "").Lacks("tide", "neap")
	turn("endpoint", "transport.url", "https://hr.corvina.example/crew", "transport.auth.user", "gangway").
		Has("What follows the question mark is kept", "Kept; leave it empty to keep it")
	p.form.Del("turn")
	p.send("do", "save", "flow", "travellers")
	p.keeps(t, "joiners", "tide", "qu3ry")
	p.send("turn", "folder", "do", "try").Lacks("Folder of this server")
}

// TestChangeKindKeepsTheFile: a file that was chosen, and what came of it, stay when the kind changes.
func TestChangeKindKeepsTheFile(t *testing.T) {
	p := newSetup(t)
	p.follow(p.sendFile(personnel, "turn", "mail")).Shows(p.at, "crew.csv", "CSV with semicolons", "5 records: ")
	p.send("do", "propose").Has("5 records: 4 would be stored")
}

// TestExamplesFitTheFlow: an example never has places that the flow does not fill in, and an empty name says what the
// feed is then called.
func TestExamplesFitTheFlow(t *testing.T) {
	p := newSetup(t)
	p.Get(p.at).Has(`placeholder="https://hr.example/crew"`, `placeholder="GET"`, `placeholder="travellers"`,
		"every hour (the usual)", "Remove them (default)")
	for flow, example := range map[string]string{"traveller-lookup": "?name={surname}",
		"travel-requests": "?from={from}&amp;to={to}", "crew-changes": "?day={date}"} {
		p.open(p.at)
		// The field of "every" is not shown any more.
		p.follow(p.send("flow", flow, "every", "1h", "turn", "endpoint")).Has(example+`"`, `placeholder="`+flow+`"`)
		p.send("transport.url", "https://hr.corvina.example/crew", "do", "save").
			Shows("/settings/feeds/"+flow, "was saved")
	}
	p.Get(p.at+"?kind=upload").Lacks("feed run --document", "Or drop")
	p.Get(p.at+"?kind=mail").Has("every minute (the usual)", "Keep them (default)")
}

// TestChangeKindInBrowser: with the script only the fields of the kind change, the first of them gets the focus, and
// what is typed of each kind stays, secrets too. The examples follow the flow.
func TestChangeKindInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	b := apptest.OpenTab(t)
	b.Become(s.SignedIn(t, gangway.Admin))
	b.Do(chromedp.Navigate(s.URL + "/settings/feeds/new"))
	b.Until(`document.querySelector("#setup") !== null`)
	b.Do(chromedp.SendKeys(apptest.CSS("#s-url"), "https://hr.corvina.example/crew"))
	b.Do(chromedp.Click(apptest.CSS(`#kinds [value="ftp"]`)))
	b.Until(`document.activeElement.id === "s-host"`)
	b.Do(chromedp.SendKeys(apptest.CSS("#s-password"), "neap"))
	b.Do(chromedp.Click(apptest.CSS(`#kinds [value="endpoint"]`)))
	b.Until(`document.querySelector("#s-url")?.value === "https://hr.corvina.example/crew"`)
	b.Do(chromedp.Click(apptest.CSS(`#kinds [value="ftp"]`)))
	b.Until(`document.querySelector("#s-password")?.value === "neap"`)
	b.Do(chromedp.Click(apptest.CSS(`#kinds [value="endpoint"]`)))
	b.Until(`document.querySelector("#s-url") !== null`)
	b.Read(`(() => { const e = document.querySelector("#flow"); e.value = "crew-changes";
		e.dispatchEvent(new Event("change", {bubbles: true})); return ""; })()`)
	b.Until(`document.querySelector("#s-url").placeholder.endsWith("?day={date}") &&
		document.querySelector("#name").placeholder === "crew-changes" &&
		!document.querySelector("#every").checkVisibility()`)
	b.Read(`(() => { document.querySelector("#name").focus(); return ""; })()`)
	b.Do(chromedp.SendKeys(apptest.CSS("#name"), "joiners\r"))
	b.Until(`location.pathname === "/settings/feeds/joiners"`) // Enter saves, beside the button that saves
}
