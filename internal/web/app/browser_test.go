package app_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gangway"
)

// browsers are the names under which a Chromium can be installed; scripts/need
// knows the same.
var browsers = []string{
	"chromium-headless-shell", "headless-shell", "headless_shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
}

// patience is how long a step may take: far more than it ever should, as the
// machine may be busy with other things.
const patience = time.Minute

// A tab is a real browser with one page.
type tab struct {
	t   *testing.T
	ctx context.Context
}

// openTab starts a browser of its own for the test.
func openTab(t *testing.T) *tab {
	t.Helper()
	program := ""
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Fatal("There is no Chromium to try the pages in. On Debian and Ubuntu, as root: apt-get install chromium-headless-shell")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &tab{t, ctx}
	b.do(chromedp.EmulateViewport(1440, 900), chromedp.Func(focused))
	return b
}

// focused has the page believe that its window has the focus. Whether a window
// without a screen has it differs from one Chromium to the next, and where it
// has not no element ever hears that it was gone to.
func focused(ctx context.Context, t *chromedp.Target) error {
	_, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return err
}

// do carries out steps, each of which waits for what it needs.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if b.ctx.Err() != nil {
		b.t.Fatal(b.ctx.Err())
	}
	// The first steps start the browser, which lives as long as their context.
	ctx := b.ctx
	if chromedp.FromContext(ctx).Target != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, patience)
		defer cancel()
	}
	if err := chromedp.Do(ctx, steps...); err != nil {
		page, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText`))
		b.t.Fatalf("%v, at %s", err, page)
	}
}

// until waits for an expression to be true on the page, or on the page that
// comes next. The page is whole by then and its script has run: on a busy machine
// text is there well before anything listens to the keys pressed next.
func (b *tab) until(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	expression = `document.readyState === "complete" && (` + expression + `)`
	for {
		// While a page makes way for the next there is nothing to ask: ask again.
		ok, err := chromedp.Run(ctx, chromedp.Poll[bool](expression))
		if ok && err == nil {
			return
		}
		if ctx.Err() != nil {
			b.t.Fatalf("%s was never true, at %s", expression, b.read(`location.href + "\n" + document.body.innerText`))
		}
	}
}

// write puts a value into a field as if it had been chosen there.
func (b *tab) write(selector, value string) {
	b.t.Helper()
	b.read(fmt.Sprintf(`(() => {
		const field = document.querySelector(%q);
		field.value = %q;
		field.dispatchEvent(new Event("change", {bubbles: true}));
		return "";
	})()`, selector, value))
}

// read returns what an expression says on the page.
func (b *tab) read(expression string) string {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

func css(s string) chromedp.CSS { return chromedp.CSS(s) }

// signIn signs the booker in on the page at hand.
func (b *tab) signIn() {
	b.t.Helper()
	b.until(`document.querySelector("#email") !== null`)
	b.do(
		chromedp.SendKeys(css("#email"), "booker@example.com"),
		chromedp.SendKeys(css("#password"), password+kb.Enter),
	)
}

func TestBookInBrowser(t *testing.T) {
	s := newSite(t)
	planCrew(t, production(s))
	b := openTab(t)
	b.do(chromedp.Navigate(s.url + "/"))
	b.signIn()

	// One letter is enough where it is a surname.
	if _, err := production(s).UpsertTravellers(t.Context(), []gangway.Traveller{{ID: "w", LastName: "王", FirstName: "小明"}}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.SendKeys(css("#name"), "王"))
	b.until(`document.querySelector("#name-options [role=option]")?.textContent.includes("小明")`)
	b.write("#name", "")

	// Three letters of a surname, and the keyboard does the rest.
	b.do(chromedp.SendKeys(css("#name"), "san"))
	b.until(`document.querySelectorAll("#name-options [role=option]").length === 2`)
	b.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector("[name=traveller]").value === "id:1" && document.activeElement.id === "to0"`)
	if got := b.read(`document.querySelector("#name").value + "|" + document.querySelector("#from0").value + "|" + document.activeElement.id`); got != "SANTOS, MARIA CRISTINA|MNL Manila|to0" {
		t.Fatalf("after picking: %s; want her name, her home airport, and the next field", got)
	}
	b.do(chromedp.KeyEvent("rotterdam"))
	b.until(`document.querySelector("#to0-options [role=option]")?.textContent.includes("port of Rotterdam")`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`document.querySelector("#to0-options").hidden`)
	b.write("#to0", "")
	b.do(chromedp.SendKeys(css("#to0"), "sin"))
	b.until(`document.querySelector("#to0-options [aria-selected]")?.textContent.includes("SIN")`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector("#to0").value === "SIN Singapore"`)

	// Her passport ends too soon for this date: said before anything is sent.
	b.write("#date0", "2036-12-01")
	b.until(`!document.querySelector("[data-passport]").hidden && document.querySelector("[data-words]").textContent.includes("within six months")`)

	// Another name lets go of her.
	b.do(chromedp.SendKeys(css("#name"), "x"))
	b.until(`document.querySelector("[name=traveller]").value === ""`)
	b.write("#name", "")
	b.do(chromedp.SendKeys(css("#name"), "santi"))
	b.until(`document.querySelectorAll("#name-options [role=option]").length === 1`)
	b.do(chromedp.KeyEvent(kb.Enter), chromedp.Click(css(".go")))
	b.until(`location.pathname.startsWith("/searches/")`)
	search, err := production(s).Search(t.Context(), strings.TrimPrefix(b.read("location.pathname"), "/searches/"))
	if err != nil || search.Members[0].Traveller.FirstName != "JOSE" {
		t.Fatalf("search = %+v, %v; want one for JOSE", search, err)
	}
}

func TestKeysAndPartsInBrowser(t *testing.T) {
	s := newSite(t)
	planCrew(t, production(s))
	b := openTab(t)
	b.do(chromedp.Navigate(s.url + "/requests?date=2036-11-30"))
	b.signIn()
	b.until(`document.querySelector("#list")?.textContent.includes("Nothing planned")`)

	t.Run("a date is changed in place, and the address with it", func(t *testing.T) {
		b.do(chromedp.Click(css(`a[aria-label="The day after"]`)))
		b.until(`document.querySelector("#list").textContent.includes("SANTOS") && document.querySelector("#head").textContent.includes("0 of 2 booked")`)
		if got := b.read(`location.search + document.querySelector("#date").value`); !strings.Contains(got, "date=2036-12-01") || !strings.HasSuffix(got, "2036-12-01") {
			t.Fatalf("the address and the field are %s; want the date in both", got)
		}
		b.do(chromedp.NavigateBack())
		b.until(`document.querySelector("#list")?.textContent.includes("Nothing planned")`)
	})
	t.Run("/ goes to the search field, Escape leaves it", func(t *testing.T) {
		b.do(chromedp.KeyEvent("/"))
		b.until(`document.activeElement.id === "find"`)
		b.do(chromedp.KeyEvent(kb.Escape))
		b.until(`document.activeElement.id !== "find"`)
	})
	t.Run("arrows walk the rows", func(t *testing.T) {
		b.do(chromedp.Navigate(s.url+"/requests?date=2036-12-01"), chromedp.Focus(css("[data-row]")), chromedp.KeyEvent(kb.ArrowDown))
		b.until(`document.activeElement === document.querySelectorAll("[data-row]")[1]`)
	})
	t.Run("the environment is switched with one click", func(t *testing.T) {
		b.do(chromedp.Click(css(`button[value="development"]`)))
		b.until(`document.querySelector(".stripe")?.textContent === "Development: nothing here is real" && location.pathname === "/requests"`)
	})
}

// nameless lists the controls of a page that a screen reader could not name,
// and what else makes a page hard to find one's way in.
const nameless = `(() => {
	const faults = [];
	for (const e of document.querySelectorAll("input:not([type=hidden]), select, textarea, button, a[href], summary")) {
		if (e.closest("[hidden], [aria-hidden=true]")) continue;
		const name = e.getAttribute("aria-label") || [...(e.labels ?? [])].map(l => l.textContent).join("") || e.textContent;
		if (!name.trim()) faults.push("no name: " + e.outerHTML.slice(0, 120));
	}
	const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
	for (const id of ids.filter((id, i) => ids.indexOf(id) !== i)) faults.push("twice: #" + id);
	for (const part of ["main", "h1"]) if (document.querySelectorAll(part).length !== 1) faults.push("not one " + part);
	for (const e of document.querySelectorAll("[aria-labelledby], [aria-describedby], [aria-controls]"))
		for (const a of ["aria-labelledby", "aria-describedby", "aria-controls"])
			for (const id of (e.getAttribute(a) ?? "").split(" ")) if (id && !document.getElementById(id)) faults.push(a + " leads nowhere: " + id);
	if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than the window: " + document.documentElement.scrollWidth);
	return faults.join("\n");
})()`

func TestAccessibility(t *testing.T) {
	s := newSite(t)
	planCrew(t, production(s))
	b := openTab(t)
	b.do(chromedp.Navigate(s.url + "/sign-in"))
	check := func(t *testing.T, path string) {
		t.Helper()
		for _, width := range []int64{1440, 390} {
			b.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(s.url+path))
			if faults := b.read(nameless); faults != "" {
				t.Errorf("%s at %d:\n%s", path, width, faults)
			}
			if faults := axe(t, b); faults != "" {
				t.Errorf("%s at %d:\n%s", path, width, faults)
			}
		}
	}
	check(t, "/sign-in")
	b.do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(s.url+"/"))
	b.signIn()
	b.until(`document.querySelector(".nav") !== null`)
	for _, path := range []string{
		"/", "/?request=TR-2&sub=&on=2036-12-01", "/?last_name=PEREIRA", "/requests?date=2036-12-01", "/requests?date=2036-12-01&week=on",
		"/requests", "/crew-changes", "/crew-changes?vessel=none", "/hotels", "/hotels?show=handled", "/travellers", "/travellers/take-back?key=id:1",
		"/crew-changes/plan?key=on:2036-12-03:PA:NORTHERN%20LIGHT", "/crew-changes/take-back?key=on:2036-12-03:PA:NORTHERN%20LIGHT", "/deadlines", "/attention", "/password", "/nothing-here",
	} {
		t.Run(path, func(t *testing.T) { check(t, path) })
	}
}

// axe has axe-core look at the page and returns what it finds wrong.
func axe(t *testing.T, b *tab) string {
	t.Helper()
	script, err := os.ReadFile(filepath.Join("assets", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal("axe-core is missing: scripts/need axe installs it")
	}
	b.read(string(script) + `; "ready"`)
	const run = `axe.run({resultTypes: ["violations"]}).then(r => r.violations.map(v => v.id + ": " + v.help + "\n  " + v.nodes.map(n => n.html).join("\n  ")).join("\n"))`
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](run, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("axe-core: %v", err)
	}
	return v
}
