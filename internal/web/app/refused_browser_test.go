package app_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gangway"
	"gangway/internal/store/storetest"
)

// TestRefusedForms holds that whoever is refused goes on at the first error by
// keyboard, and that the page survives being opened again.
func TestRefusedForms(t *testing.T) {
	s := newSite(t)
	c := s.signedIn(t, gangway.Booker)
	held := c.booked("fare=marine&rule=change")
	storetest.Settings(t, production(s), gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	waits := c.booked("")

	b := openTab(t)
	b.do(chromedp.Navigate(s.url + "/sign-in"))
	b.do(chromedp.SendKeys(css("#email"), "approver@example.com"), chromedp.SendKeys(css("#password"), password+kb.Enter))
	b.until(`document.querySelector(".nav") !== null`)

	for _, tt := range []struct{ name, page, form, fields, focus, reload string }{
		{"search", "/", "/searches", `{name: "Nobody"}`, `[aria-invalid="true"]`, "/"},
		{"issue", held + "/issue", held + "/issue", `{price: "USD 1.00"}`, `[role="alert"]`, held + "/issue"},
		{"cancel", held + "/cancel", held + "/cancel", `{quote: "x"}`, `[role="alert"]`, held + "/cancel"},
		{"change", held + "/change?date0=2036-12-04", held + "/ask-change", `{offer: "x"}`, `[role="alert"]`, held},
		{"decline", waits, waits + "/decline", `{reason: " "}`, `[role="alert"]`, waits},
		{"several at once", "/approvals", "/approvals", `{}`, `[role="alert"]`, "/approvals"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b.do(chromedp.Navigate(s.url + tt.page))
			b.until(fmt.Sprintf(`document.querySelector('form[action=%q]') !== null`, tt.form))
			b.read(fmt.Sprintf(`(() => {
				const form = document.querySelector('form[action=%q]');
				for (const [name, value] of Object.entries(%s)) form.elements[name].value = value;
				form.submit();
				return "";
			})()`, tt.form, tt.fields))
			b.until(fmt.Sprintf(`document.querySelector('main [role="alert"]') !== null && document.activeElement.matches('main %s')`, tt.focus))
			if got := b.read(`location.pathname`); got != tt.form {
				t.Fatalf("it is refused at %s; want %s", got, tt.form)
			}
			b.do(chromedp.Navigate(s.url + tt.form))
			b.until(fmt.Sprintf(`location.pathname === %q && document.querySelector('main form') !== null`, tt.reload))
		})
	}
}
