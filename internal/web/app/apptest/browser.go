package apptest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"gangway/internal/need"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Patience is how long a test waits for something before it says that it never came. It is minutes, because the
// machine may be busy.
const Patience = 5 * time.Minute

// A Tab is one page of a real browser.
type Tab struct {
	t   *testing.T
	ctx context.Context
}

// OpenTab opens a page with cookies of its own, which are the test's alone.
func OpenTab(t *testing.T) *Tab {
	t.Helper()
	program := need.Browser(t)
	started.Do(func() { browser, notStarted = start(program) })
	if notStarted != nil {
		t.Fatalf("start %s: %v", program, notStarted)
	}
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	b := &Tab{t, ctx}
	b.Do(chromedp.EmulateViewport(1440, 900), chromedp.Func(focused))
	return b
}

// The one browser of this test program, which the first tab starts.
var (
	started    sync.Once
	browser    context.Context
	notStarted error
)

// start starts a browser that ends with this program, however that ends: it runs for as long as the pipe that leads to
// it stays open. The shell around it then removes its folder.
func start(program string) (context.Context, error) {
	folder, err := os.MkdirTemp("", "gangway-browser-")
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), mouse,
		chromedp.UserDataDir(folder), chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) {
			cmd.Path = "/bin/sh"
			cmd.Args = append([]string{"sh", "-c", `trap "" INT TERM; "$@"; rm -rf "$0"`, folder}, cmd.Args...)
		}))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ = chromedp.NewContext(ctx)
	return ctx, chromedp.Do(ctx)
}

// mouse makes pages believe that there is a mouse, although the machine has no screen, so that they
// look as they do to most people at a desk.
var mouse = chromedp.Flag("blink-settings",
	"primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4")

// focused makes the page believe that its window has the focus. Whether a window without a screen has
// it differs between versions of Chromium, and without it no element gets a focus event.
func focused(ctx context.Context, t *chromedp.Target) error {
	_, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return err
}

// Do runs steps, each of which waits for what it needs.
func (b *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if b.ctx.Err() != nil {
		b.t.Fatal(b.ctx.Err())
	}
	// The first steps open the page, which lives as long as their context.
	ctx := b.ctx
	if chromedp.FromContext(ctx).Target != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, Patience)
		defer cancel()
	}
	if err := chromedp.Do(ctx, steps...); err != nil {
		page, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText`))
		b.t.Fatalf("%v, at %s", err, page)
	}
}

// Until waits until an expression is true on the page, or on the one that follows it. By then the
// page is complete and its script has run: on a busy machine text appears well before anything
// listens to keys. The page is asked again and again from outside, because one that may run no script has no timers.
func (b *Tab) Until(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, Patience)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		// Between two pages there is nothing to evaluate in: try again.
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`document.readyState === "complete" && !!(`+expression+`)`))
		if ok && err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			b.t.Fatalf("%s was never true, at %s", expression, b.Read(`location.href + "\n" + document.body.innerText`))
		}
	}
}

// Write puts a value into a field as if it had been chosen there.
func (b *Tab) Write(selector, value string) {
	b.t.Helper()
	b.Read(fmt.Sprintf(`(() => {
		const field = document.querySelector(%q);
		field.value = %q;
		field.dispatchEvent(new Event("change", {bubbles: true}));
		return "";
	})()`, selector, value))
}

// Read returns the value of an expression on the page.
func (b *Tab) Read(expression string) string {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// CSS selects elements.
func CSS(s string) chromedp.CSS { return chromedp.CSS(s) }

// SignIn signs the booker in on the page at hand, and waits for the page that this leads to.
func (b *Tab) SignIn() {
	b.t.Helper()
	b.Until(`document.querySelector("#email") !== null`)
	b.Do(
		chromedp.SendKeys(CSS("#email"), "booker@example.com"),
		chromedp.SendKeys(CSS("#password"), Password+kb.Enter),
	)
	b.Until(`document.querySelector(".nav") !== null`)
}

// Nameless lists the controls that a screen reader could not name, and other faults that make a page
// hard to navigate.
const Nameless = `(() => {
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

// Axe runs axe-core on the page and returns the violations it finds.
func Axe(t *testing.T, b *Tab) string {
	t.Helper()
	script := Must(os.ReadFile(need.Axe(t)))(t)
	if b.Read(`typeof axe`) == "undefined" {
		b.Read(string(script) + `; "ready"`)
	}
	const run = `axe.run({resultTypes: ["violations"]}).then(r => r.violations.map(v => v.id + ": " + v.help + "\n  " + v.nodes.map(n => n.html).join("\n  ")).join("\n"))`
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](run, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("axe-core: %v", err)
	}
	return v
}
