package flights_test

import (
	"regexp"
	"testing"

	"gangway"
	. "gangway/internal/web/app/apptest"
)

var carriedID = regexp.MustCompile(`<input type="hidden" name="id" value="([^"]+)"`)

// TestFormsAreOnesOwn holds that the forms of offers, which are written once for
// all, carry identifiers that nobody shares: each form of each reader its own, and
// one reader's form holds nothing for another.
func TestFormsAreOnesOwn(t *testing.T) {
	s := NewSite(t)
	booker, approver := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
	path := "/searches/" + s.Keep(t, Maria).ID
	seen := map[string]bool{}
	for _, page := range []Answer{booker.Get(path), approver.Get(path), booker.Get(path)} {
		forms := carriedID.FindAllStringSubmatch(page.Body, -1)
		if len(forms) == 0 {
			t.Fatalf("nothing can be held on the page:\n%s", page.Body)
		}
		for _, form := range forms {
			if seen[form[1]] {
				t.Fatalf("the identifier %q is in two forms", form[1])
			}
			seen[form[1]] = true
		}
	}
	others := booker.Get(path).Form(path + "/book")
	approver.Post(path+"/book", others).Lacks("Held as")
	if list := s.Bookings(t); len(list) != 0 {
		t.Fatalf("a form of somebody else's page booked %v; want nothing", list)
	}
	approver.Post(path+"/book", approver.Get(path).Form(path+"/book")).Has("Held as")
}
