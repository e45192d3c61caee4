package flights

import (
	"html/template"
	"runtime"
	"strings"
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

// TestFlightsAreWrittenOnce holds that a flight and its fares are written once for all readers, and again only where
// the list has other columns; each page puts its own links in.
func TestFlightsAreWrittenOnce(t *testing.T) {
	written := 0
	l := &laidOffers{kept: map[choicePointer]*laidOffer{}, render: func(part string, dot any) (template.HTML, error) {
		written++
		return template.HTML("<" + part + mark + mark + ">"), nil
	}}
	laid := l.of(&plan.Choice{}, func() OfferRow { return OfferRow{Key: "k"} })
	row := flightRow{laid: laid, Fares: []*offerListRow{{OfferRow: laid.row(), laid: laid}}}
	for _, list := range []OfferList{{}, {}, {Columns: columns{Port: true}}} {
		got, err := row.Written(list, "/searches/1?a=b")
		if err != nil || strings.Count(string(got), `href="/searches/1?a=b&amp;open=k#o-k"`) != 2 {
			t.Fatalf("the row is %s, %v; want two links that open it", got, err)
		}
	}
	if written != 3 {
		t.Errorf("%d parts were written; want the fare once and the cells twice", written)
	}
}
