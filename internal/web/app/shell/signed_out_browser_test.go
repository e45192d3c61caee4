package shell_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

// A page whose reader is signed out while flights come in says so, and where to sign in.
func TestSignedOutWhileAPageGoesOn(t *testing.T) {
	s := apptest.NewGatedSite(t)
	s.SignedIn(t, gangway.Booker)
	path := "/searches/" + s.Keep(t, apptest.Joiners()...).ID
	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + path))
	b.SignIn()
	b.Until(`document.querySelector("[data-stream][data-listening]") !== null`)
	by := storetest.Operator
	// ends all sessions
	if _, err := s.DB.SetPassword(t.Context(), by, s.Production.Customer.ID, "booker@example.com",
		apptest.PasswordHash, apptest.Today); err != nil {
		t.Fatal(err)
	}
	b.Until(`document.querySelector("#stream [role=alert]")?.textContent.startsWith("You are signed out")`)
	if got := b.Read(`document.querySelector("#stream [role=alert] a").href + " " + document.querySelectorAll(".searching").length`); got != s.URL+path+" 0" {
		t.Errorf("the way on is %q; want the page itself, and nothing that says that it is going on", got)
	}
}
