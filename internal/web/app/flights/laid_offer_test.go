package flights

import (
	"html/template"
	"runtime"
	"testing"

	"gangway/internal/book/flight"
	"gangway/internal/book/plan"
)

// bareLaidOffers keeps offers whose parts are their names and the offer's,
// and counts how many parts were written.
func bareLaidOffers() (l *laidOffers, written *int) {
	written = new(int)
	return &laidOffers{kept: map[choicePointer]*laidOffer{},
		render: func(part string, row OfferRow) (template.HTML, error) {
			*written++
			return template.HTML(part + " " + row.ID), nil
		}}, written
}

// TestLaidOnce holds that an offer is laid out and written once for all who
// look at it, and that the same flights weighed for somebody else are another offer.
func TestLaidOnce(t *testing.T) {
	l, written := bareLaidOffers()
	flights := &flight.Offer{ID: "same"}
	mine, other := plan.Choice{Offer: flights}, plan.Choice{Offer: flights}
	laid := 0
	look := func(c *plan.Choice, id string) *laidOffer {
		return l.of(c, func() OfferRow { laid++; return OfferRow{ID: id} })
	}
	for range 3 {
		parts, err := look(&mine, "mine").parts()
		if want := (offerParts{"offer-head mine", "offer-facts mine", "offer-body mine", "offer-price mine"}); err !=
			nil || parts != want {
			t.Fatalf("parts = %+v, %v; want %+v", parts, err, want)
		}
	}
	if laid != 1 || *written != 4 {
		t.Errorf("it was laid out %d times and %d parts were written; want once and 4", laid, *written)
	}
	if parts, err := look(&other, "other").parts(); err != nil || parts.Head != "offer-head other" || laid != 2 {
		t.Errorf("the same flights weighed for another are %+v, %v; want parts of their own", parts, err)
	}
}

// TestLaidOffersAreBounded holds that no more are kept than the bound, and that
// what was let go is laid out once more.
func TestLaidOffersAreBounded(t *testing.T) {
	l, _ := bareLaidOffers()
	var choices []*plan.Choice
	for range 2 * offersLaid {
		choices = append(choices, &plan.Choice{})
	}
	laid := 0
	look := func() {
		for _, c := range choices {
			l.of(c, func() OfferRow { laid++; return OfferRow{} })
		}
	}
	if look(); len(l.kept) != offersLaid || laid != len(choices) {
		t.Errorf("%d are kept of %d laid out; want %d of %d", len(l.kept), laid, offersLaid, len(choices))
	}
	if look(); len(l.kept) != offersLaid || laid < len(choices)+offersLaid {
		t.Errorf("after another look %d are kept and %d were laid out; want %d, and at least %d", len(l.kept), laid,
			offersLaid, len(choices)+offersLaid)
	}
	runtime.KeepAlive(choices)
}

// TestLaidOffersGoWithTheirSearch holds that how offers are laid out is let go
// with what was weighed, though nobody looks for anything any more.
func TestLaidOffersGoWithTheirSearch(t *testing.T) {
	l, _ := bareLaidOffers()
	stays := make([]plan.Choice, 2)
	look := func(choices []plan.Choice) {
		for i := range choices {
			if _, err := l.of(&choices[i], func() OfferRow {
				return OfferRow{Airlines: choices[i].Airlines}
			}).parts(); err != nil {
				t.Fatal(err)
			}
		}
	}
	look(stays)
	look(make([]plan.Choice, 100))
	for kept := 0; kept != len(stays); { // cleanups run some time after a collection
		runtime.GC()
		runtime.Gosched()
		l.mu.Lock()
		kept = len(l.kept)
		l.mu.Unlock()
		if kept < len(stays) {
			t.Fatalf("%d are kept; want the %d whose search is kept", kept, len(stays))
		}
	}
	runtime.KeepAlive(stays)
}
