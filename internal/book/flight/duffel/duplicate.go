package duffel

import (
	"context"
	"fmt"
	"strings"

	"gangway/internal/gangway"
)

// findDuplicate makes a new search for the flights of an offer at the same fare and price.
// Conflict: they are no longer sold, or at another price.
func (s *Seller) findDuplicate(ctx context.Context, was wireOffer, price gangway.Money) (wireOffer, error) {
	list, err := s.ask(ctx, questionOf(was))
	if err != nil {
		return wireOffer{}, err
	}
	dearer := ""
	for _, w := range list {
		switch {
		case flightsOf(w) != flightsOf(was) || brand(w.Slices) != brand(was.Slices) || w.marine() != was.marine() ||
			w.Payment.Instant != was.Payment.Instant:
		case w.Total == price.Decimal() && w.TotalCurrency == price.Currency:
			return w, nil
		default:
			dearer = w.TotalCurrency + " " + w.Total
		}
	}
	if dearer != "" {
		return wireOffer{}, gangway.Errorf(gangway.Conflict, "the price is %s, not %s", dearer, price)
	}
	return wireOffer{}, errSold
}

// questionOf returns the search that finds an offer.
func questionOf(w wireOffer) searchQuestion {
	q := searchQuestion{cabin: gangway.Economy, marine: w.marine()}
	var parts []string
	for _, s := range w.Slices {
		if len(s.Segments) == 0 {
			continue
		}
		first, last := s.Segments[0], s.Segments[len(s.Segments)-1]
		date, _, _ := strings.Cut(first.DepartingAt, "T")
		parts = append(parts, first.Origin.Code+"-"+last.Destination.Code+" "+date)
		if len(first.Passengers) > 0 && first.Passengers[0].Cabin != "" {
			q.cabin = gangway.Cabin(first.Passengers[0].Cabin)
		}
	}
	q.slices = strings.Join(parts, ",")
	return q
}

// flightsOf returns the flights of an offer as a string to compare.
func flightsOf(w wireOffer) string {
	var b strings.Builder
	for _, s := range w.Slices {
		for _, seg := range s.Segments {
			fmt.Fprintf(&b, "%s%s %s,", seg.Marketing.code(), seg.MarketingNumber, seg.DepartingAt)
		}
	}
	return b.String()
}
