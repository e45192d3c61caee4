package apptest

import (
	"context"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Become continues as the user of c, or as nobody if c is nil.
func (b *Tab) Become(c *Client) {
	b.t.Helper()
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, network.ClearBrowserCookies, cdp.Empty{})
		return err
	}))
	if c == nil {
		return
	}
	at, err := url.Parse(c.Site.URL)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, cookie := range c.HTTP.Jar.Cookies(at) {
		b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, network.SetCookie, network.SetCookieParams{Name: cookie.Name,
				Value: cookie.Value, URL: c.Site.URL})
			return err
		}))
	}
}

// In is the tab within a subtest.
func (b *Tab) In(t *testing.T) *Tab { return &Tab{t, b.ctx} }

// Prefers makes the system prefer a colour scheme, light or dark, and no motion: colours in the
// middle of a transition belong to neither scheme.
func (b *Tab) Prefers(scheme string) {
	b.t.Helper()
	b.media(emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

// OnPaper lays pages out as for printing.
func (b *Tab) OnPaper() {
	b.t.Helper()
	b.media(emulation.SetEmulatedMediaParams{Media: "print"})
}

func (b *Tab) media(as emulation.SetEmulatedMediaParams) {
	b.t.Helper()
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, as)
		return err
	}))
}

// WithScript sets whether pages that are opened from now on may run their script.
func (b *Tab) WithScript(on bool) {
	b.t.Helper()
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: !on})
		return err
	}))
}

// Resize sets the width of the window.
func (b *Tab) Resize(width int64) {
	b.t.Helper()
	b.Do(chromedp.EmulateViewport(width, 900))
}

// Photograph saves the whole page as a PNG.
func (b *Tab) Photograph(file string) {
	b.t.Helper()
	image, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(file, image, 0o644)
	}
	if err != nil {
		b.t.Fatalf("%s: %v", file, err)
	}
}

// Sends fills in the form for action, submits it without the browser's own checks, and waits for the
// answer.
func (b *Tab) Sends(action string, fields map[string]string) {
	b.t.Helper()
	var set strings.Builder
	for name, value := range fields {
		set.WriteString("form.elements[" + quoted(name) + "].value = " + quoted(value) + ";\n")
	}
	b.Read(`(() => {
		const form = document.querySelector('form[action=` + quoted(action) + `]');
		` + set.String() + `document.left = true;
		form.submit();
		return "";
	})()`)
	b.Until(`!document.left`)
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }
