package feeds_test

import (
	"net/url"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// TestChangeKindKeepsWhatWasTyped: without a script, another kind of transport is a button of the form. What was typed
// stays, what both kinds have moves along, and secrets neither move nor show, but are there when their kind is back.
func TestChangeKindKeepsWhatWasTyped(t *testing.T) {
	const at = "/settings/feeds/new"
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	form := admin.Get(at).Sent(at)
	set := func(pairs ...string) {
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
	}
	turn := func(to string) apptest.Answer {
		form.Set("turn", to)
		a := admin.Post(at, form)
		form = a.Sent(at)
		if got := form.Get("transport"); got != to {
			t.Fatalf("the page is for %q; want %q", got, to)
		}
		return a
	}
	set("flow", "crew-changes", "name", "joiners", "complete", "no", "kind", "csv", "delimiter", ";", "mapping", ".[]",
		"transport.url", "https://hr.corvina.example/crew?key=qu3ry", "transport.auth", "basic",
		"transport.auth.user", "gangway", "transport.auth.password", "tide", "date", "2026-12-24")
	a := turn("sftp")
	a.Lacks("qu3ry", "tide")
	for field, want := range map[string]string{"flow": "crew-changes", "name": "joiners", "complete": "no",
		"kind": "csv", "delimiter": ";", "mapping": ".[]", "date": "2026-12-24"} {
		if got := form.Get(field); got != want {
			t.Errorf("%s is %q after the change; want %q", field, got, want)
		}
	}
	set("transport.host", "files.corvina.example", "transport.user", "crewing", "transport.password", "neap",
		"transport.host_key", "SHA256:x", "transport.path", "/out")
	turn("ftps").Lacks("tide", "neap")
	for field, want := range map[string]string{"transport.host": "files.corvina.example", "transport.user": "crewing",
		"transport.path": "/out", "transport.password": ""} {
		if got := form.Get(field); got != want {
			t.Errorf("%s is %q with FTP; want %q", field, got, want)
		}
	}
	turn("endpoint").Has("What follows the question mark is kept", "Kept; leave it empty to keep it")
	if got := form.Get("transport.url") + " " + form.Get("transport.auth.user"); got !=
		"https://hr.corvina.example/crew gangway" {
		t.Errorf("back at the address: %q; want what was typed", got)
	}
	form.Del("turn")
	set("do", "save", "flow", "travellers")
	admin.Post(at, form)
	f, err := apptest.Production(s).Feed(t.Context(), "joiners")
	if err != nil || !strings.Contains(string(f.Transport.Secrets), "tide") ||
		!strings.Contains(string(f.Transport.Secrets), "qu3ry") {
		t.Fatalf("the feed: %+v, %v; want it with the secrets typed before", f.Feed, err)
	}
	set("turn", "folder", "do", "try")
	admin.Post(at, form).Lacks("Folder of this server")
}

// TestChangeKindKeepsTheFile: a file that was chosen, and what came of it, stay when the kind changes.
func TestChangeKindKeepsTheFile(t *testing.T) {
	const at = "/settings/feeds/new"
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	form := admin.Get(at).Sent(at)
	form.Set("turn", "mail")
	a := sends(t, admin, at, form, "crew.csv", personnel)
	a.Shows(at, "crew.csv", "CSV with semicolons", "5 records: ")
	form = a.Sent(at)
	form.Set("do", "propose")
	admin.Post(at, form).Has("5 records: 4 would be stored")
}

// TestExamplesFitTheFlow: an example never has places that the flow does not fill in, and an empty name says what the
// feed is then called.
func TestExamplesFitTheFlow(t *testing.T) {
	const at = "/settings/feeds/new"
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)
	admin.Get(at).Has(`placeholder="https://hr.example/crew"`, `placeholder="GET"`, `placeholder="travellers"`,
		"every hour (the usual)", "Go (the usual)")
	for flow, example := range map[string]string{"traveller-lookup": "?name={surname}",
		"travel-requests": "?from={from}&amp;to={to}", "crew-changes": "?day={date}"} {
		form := admin.Get(at).Sent(at)
		form.Set("flow", flow)
		form.Set("every", "1h") // its field is not shown any more
		form.Set("turn", "endpoint")
		a := admin.Post(at, form)
		a.Has(example+`"`, `placeholder="`+flow+`"`)
		form = a.Sent(at)
		form.Set("transport.url", "https://hr.corvina.example/crew")
		form.Set("do", "save")
		admin.Post(at, form).Shows("/settings/feeds/"+flow, "was saved")
	}
	admin.Get(at+"?"+url.Values{"kind": {"upload"}}.Encode()).Lacks("feed run --document", "Or drop")
	admin.Get(at+"?kind=mail").Has("every minute (the usual)", "Stay (the usual)")
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
