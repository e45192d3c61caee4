package flights

import (
	"fmt"
	"html/template"
	"runtime"
	"testing"

	"gangway/internal/book/plan"
)

// TestLaidOffersAreBounded holds that the number of offers kept is bounded, and that an
// offer that was dropped is laid out again.
func TestLaidOffersAreBounded(t *testing.T) {
	l := &laidOffers{kept: map[choicePointer]*laidOffer{}}
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

// TestOffersAreWrittenOnce holds that an offer in a list is written once for all readers, even where its form
// asks something of the traveller, and that each reader's identifier is put into it.
func TestOffersAreWrittenOnce(t *testing.T) {
	written := 0
	l := &laidOffers{kept: map[choicePointer]*laidOffer{}, render: func(part string, _ any) (template.HTML, error) {
		if part != "offer" {
			return template.HTML("<" + part + ">"), nil
		}
		written++
		return template.HTML("a" + mark + "b" + mark + "c" + mark + "d" + mark + "e" + mark + "f"), nil
	}}
	laid := l.of(&plan.Choice{}, func() OfferRow { return OfferRow{} })
	list := OfferList{Passenger: PassengerForm{TypedDetails: TypedDetails{LastName: "Santos"}}}
	for n, asked := range []string{"", "", "Born on", "Born on", ""} {
		list.Passenger.Wrong = map[string]string{"dob": asked}
		list.asks()
		row := &offerListRow{laid: laid, Booking: fmt.Sprint("mine ", n)}
		want := template.HTML(fmt.Sprint("a<offer-head>b<offer-facts>c<offer-body>d<offer-price>emine ", n, "f"))
		if got, err := row.Written(list); err != nil || got != want {
			t.Fatalf("the offer is %q, %v; want %q", got, err, want)
		}
	}
	if written != 3 {
		t.Errorf("it was written %d times; want 3: what is asked changed twice", written)
	}
}
