package app_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/access"
)

// Whoever is signed out while flights come in is told so, and where to sign in.
func TestSignedOutWhileAPageGoesOn(t *testing.T) {
	sells, err := network()
	if err != nil {
		t.Fatal(err)
	}
	gate := newGate()
	s := newSiteOf(t, sells, gate)
	s.signedIn(t, gangway.Booker)
	path := "/searches/" + s.keep(t, joiners()...).ID
	b := openTab(t)
	b.do(chromedp.Navigate(s.url + path))
	b.signIn()
	b.until(`document.querySelector("[data-stream][data-listening]") !== null`)
	by := storetest.Operator
	if _, err := s.db.SetPassword(t.Context(), by, s.production.Customer.ID, "booker@example.com", access.HashPassword(password), today); err != nil { // ends all sessions
		t.Fatal(err)
	}
	b.until(`document.querySelector("#stream [role=alert]")?.textContent.startsWith("You are signed out")`)
	if got := b.read(`document.querySelector("#stream [role=alert] a").href + " " + document.querySelectorAll(".searching").length`); got != s.url+path+" 0" {
		t.Errorf("the way on is %q; want the page itself, and nothing that says that it is going on", got)
	}
}
