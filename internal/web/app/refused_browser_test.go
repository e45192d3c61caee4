package app_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// TestRefusedForms holds that the focus after a refusal is on the first error, and that
// the page survives being opened again.
func TestRefusedForms(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	held := c.Booked("fare=marine&rule=change")
	storetest.Settings(t, apptest.Production(s),
		gangway.Settings{Approval: gangway.ApprovalPolicy{Mode: gangway.ApproveAlways}})
	waits := c.Booked("")

	b := apptest.OpenTab(t)
	b.Become(s.SignedIn(t, gangway.Approver))

	for _, tt := range []struct{ name, page, form, fields, focus, reload string }{
		{"search", "/book", "/searches", `{name: "Nobody"}`, `[aria-invalid="true"]`, "/book"},
		{"issue", held + "/issue", held + "/issue", `{price: "USD 1.00"}`, `[role="alert"]`, held + "/issue"},
		{"cancel", held + "/cancel", held + "/cancel", `{quote: "x"}`, `[role="alert"]`, held + "/cancel"},
		{"change", held + "/change?date0=2036-12-04", held + "/ask-change", `{offer: "x"}`, `[role="alert"]`, held},
		{"decline", waits, waits + "/decline", `{reason: " "}`, `[role="alert"]`, waits},
		{"several at once", "/approvals", "/approvals", `{}`, `[role="alert"]`, "/approvals"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b.Do(chromedp.Navigate(s.URL + tt.page))
			b.Until(fmt.Sprintf(`document.querySelector('form[action=%q]') !== null`, tt.form))
			b.Read(fmt.Sprintf(`(() => {
				const form = document.querySelector('form[action=%q]');
				for (const [name, value] of Object.entries(%s)) form.elements[name].value = value;
				form.submit();
				return "";
			})()`, tt.form, tt.fields))
			b.Until(fmt.Sprintf(`document.querySelector('main [role="alert"]') !== null && document.activeElement.matches('main %s')`, tt.focus))
			if got := b.Read(`location.pathname`); got != tt.form {
				t.Fatalf("it is refused at %s; want %s", got, tt.form)
			}
			b.Do(chromedp.Navigate(s.URL + tt.form))
			b.Until(fmt.Sprintf(`location.pathname === %q && document.querySelector('main form') !== null`, tt.reload))
		})
	}
}
