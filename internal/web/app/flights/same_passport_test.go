package flights_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"
)

// TestSamePassportUnderTwoIdentifiers tells whoever books that the customer's
// system has sent one passport for two people.
func TestSamePassportUnderTwoIdentifiers(t *testing.T) {
	const told = "The same passport was sent for C-2002, Santos, Mary, too"
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	mary := apptest.Maria
	mary.ID, mary.FirstName, mary.DocNumber = "C-2002", "Mary", "P123 4567-A"
	other := apptest.Maria // another country's passport of that number
	other.ID, other.DocCountry = "C-2003", "NO"
	upload := func(list ...gangway.Traveller) {
		t.Helper()
		s.SendTravellers(t, list...)
		for apptest.Must(s.DB.Trace(t.Context()))(t) {
		}
	}
	upload(apptest.Maria, other)
	path := "/searches/" + s.Keep(t, apptest.Maria).ID
	c.Get(path + "?wait=1").Lacks("The same passport")

	upload(mary)
	results := c.Get(path + "?wait=1&fare=marine").Has(told).Lacks("C-2003")
	form := results.Form(path + "/book")
	c.Get(path + "/hold?member=0&offer=" + form.Get("offer")).Has(told)
}
