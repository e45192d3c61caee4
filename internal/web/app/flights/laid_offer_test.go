package flights

import (
	"fmt"
	"html/template"
	"runtime"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/plan"
)

// bareLaidOffers keeps offers whose parts are their names and the offer's,
// and counts how many parts were written.
func bareLaidOffers() (l *laidOffers, written *int) {
	written = new(int)
	return &laidOffers{kept: map[choicePointer]*laidOffer{},
		render: func(part string, dot any) (template.HTML, error) {
			*written++
			row, _ := dot.(OfferRow)
			return template.HTML(part + " " + row.ID), nil
		}}, written
}

// TestLaidOnce holds that an offer is laid out and written once for all readers, and that
// the same flights weighed for another traveller are another offer.
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
		want := offerParts{"offer-head mine", "offer-facts mine", "offer-body mine", "offer-price mine"}
		if err != nil || parts != want {
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

// TestLaidOffersAreBounded holds that the number of offers kept is bounded, and that an
// offer that was dropped is laid out again.
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

// TestLaidOffersGoWithTheirSearch holds that laid-out offers are dropped with their search,
// even if nobody searches any more.
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

// TestButtonsSayWhatHoldingDoes holds that the buttons of an offer are written once for
// all readers to whom they say the same, and never shown where they must say something
// else: in an account with another policy, or once the price has ended.
func TestButtonsSayWhatHoldingDoes(t *testing.T) {
	written := 0
	l := &laidOffers{kept: map[choicePointer]*laidOffer{}, render: func(part string, dot any) (template.HTML, error) {
		written++
		with := dot.(map[string]any)
		return template.HTML(fmt.Sprint(part, " ", with["At"].(time.Time).Unix(), " ", with["Auto"], " ",
			with["Primary"])), nil
	}}
	laid := l.of(&plan.Choice{}, func() OfferRow { return OfferRow{} })
	at := time.Date(2036, 11, 30, 9, 0, 0, 0, time.UTC)
	for i, as := range []buttonsAs{{at, true, true}, {at, false, true}, {at, true, false},
		{at.Add(time.Hour), true, true}, {time.Time{}, true, true}, {at, true, true}} {
		want := template.HTML(fmt.Sprint("hold-buttons ", as.IssuesAt.Unix(), " ", as.Auto, " ", as.Primary))
		for range 2 {
			if got, err := laid.buttonsFor(as); err != nil || got != want {
				t.Fatalf("buttons for %+v = %q, %v; want %q", as, got, err, want)
			}
		}
		if written != i+1 {
			t.Fatalf("buttons were written %d times for %d readers; want once for each that differs from the one "+
				"before", written, i+1)
		}
	}
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
