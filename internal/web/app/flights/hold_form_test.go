package flights_test

import (
	"regexp"
	"strings"
	"testing"

	"gangway/internal/gangway"
	. "gangway/internal/web/app/apptest"
)

var carriedID = regexp.MustCompile(`<input type="hidden" name="id" value="([^"]+)"`)

// TestFormsAreOnesOwn holds that the forms of offers each carry an identifier of their own, and that one reader's
// form holds nothing for another.
func TestFormsAreOnesOwn(t *testing.T) {
	s := NewSite(t)
	booker, approver := s.SignedIn(t, gangway.Booker), s.SignedIn(t, gangway.Approver)
	late := Maria
	late.DocExpire = "2030-01-01"
	for _, who := range []gangway.Traveller{Maria, late} { // a form that asks nothing, and one that does
		formsAreOnesOwn(t, booker, approver, "/searches/"+s.Keep(t, who).ID)
	}
}

func formsAreOnesOwn(t *testing.T, booker, approver *Client, path string) {
	t.Helper()
	seen := map[string]bool{}
	for _, page := range []Answer{booker.Get(path).Opened(), approver.Get(path).Opened(), booker.Get(path).Opened()} {
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
}

// TestFormsAskWhatIsMissingNow holds that the forms of offers ask for everything that is not known of the traveller
// now and nothing else.
func TestFormsAskWhatIsMissingNow(t *testing.T) {
	s := NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	who := Maria
	who.Gender, who.DocExpire = "", "2030-01-01"
	search := s.Keep(t, who)
	path := "/searches/" + search.ID
	const gender, passport = `name="gender"`, `name="passport" value="2030-01-01" required`
	for _, step := range []struct {
		change      func(t *gangway.Traveller)
		has, hasNot string
	}{
		{func(*gangway.Traveller) {}, gender, `name="passport" value="2045`},
		{func(t *gangway.Traveller) { t.Gender = "F" }, passport, gender},
		{func(t *gangway.Traveller) { t.DocExpire = "2031-01-01" }, `name="passport" value="2031-01-01" required`, passport},
		{func(t *gangway.Traveller) { t.DocExpire = "2045-01-01" }, `name="offer"`, `name="passport"`},
		{func(t *gangway.Traveller) { t.Gender = "" }, gender, `name="passport"`},
	} {
		step.change(&search.Members[0].Traveller)
		s.Save(t, search)
		for range 2 {
			forms := strings.Join(strings.Split(c.Get(path).Opened().Body, `<form class="stack hold"`)[1:], "")
			if !strings.Contains(forms, step.has) || strings.Contains(forms, step.hasNot) {
				t.Fatalf("the forms have %q: %v, and %q: %v; want the first alone", step.has,
					strings.Contains(forms, step.has), step.hasNot, strings.Contains(forms, step.hasNot))
			}
		}
	}
}
