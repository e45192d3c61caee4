package sim

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// quoteLife is for how long a quote for cancelling is good, unless the rule
// that applies ends earlier.
const quoteLife = 30 * time.Minute

// QuoteCancel says what would come back if the order were cancelled now.
func (s *seller) QuoteCancel(ctx context.Context, id string) (flight.CancelQuote, error) {
	return slowly(ctx, s, func() (flight.CancelQuote, error) {
		r, err := s.load(ctx, id)
		if err != nil {
			return flight.CancelQuote{}, err
		}
		return s.quoteCancel(r, s.second())
	})
}

// Cancel gives up the order on the terms of a quote.
func (s *seller) Cancel(ctx context.Context, id, quote string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) {
		return s.update(ctx, id, func(r *record) error {
			at, err := r.quotedAt(quote)
			if err != nil {
				return err
			}
			q, err := s.quoteCancel(*r, at)
			if err != nil {
				return err
			}
			if now := s.now(); now.Before(at) || !now.Before(q.Expires) {
				return gangway.Errorf(gangway.Conflict, "this quote has expired: ask what cancelling brings now")
			}
			r.Status = flight.Withdrawn
			if !q.Refund.IsZero() {
				r.Refund = &gangway.Refund{Amount: q.Refund, AskedAt: s.now().UTC()}
			}
			return nil
		})
	})
}

// quotedAt returns when a quote for the order as it stands was given.
func (r record) quotedAt(quote string) (time.Time, error) {
	version, seconds, _ := strings.Cut(strings.TrimPrefix(quote, "q"), "-")
	n, err := strconv.ParseInt(seconds, 36, 64)
	switch {
	case err != nil:
		return time.Time{}, gangway.Errorf(gangway.NotFound, "the airline has given no such quote")
	case version != strconv.Itoa(r.version):
		return time.Time{}, gangway.Errorf(gangway.Conflict, "the order has changed since this quote: ask what cancelling brings now")
	}
	return time.Unix(n, 0).UTC(), nil
}

// quoteCancel works out what cancelling brings at an instant.
func (s *seller) quoteCancel(r record, at time.Time) (flight.CancelQuote, error) {
	q := flight.CancelQuote{ID: fmt.Sprintf("q%d-%s", r.version, strconv.FormatInt(at.Unix(), 36)), Refund: usd(0), Kept: usd(0)}
	q.Expires = at.Add(quoteLife)
	until := func(t time.Time) {
		if at.Before(t) && t.Before(q.Expires) {
			q.Expires = t.UTC()
		}
	}
	switch r.Status {
	case flight.Held:
		until(r.HoldUntil)
		q.Rule = "No ticket was issued: the seats are given back and nothing is charged."
		return q, nil
	case flight.Lapsed:
		q.Rule = "The hold has ended by itself: nothing is charged."
		return q, nil
	case flight.Ticketed:
	default:
		return q, gangway.Errorf(gangway.Conflict, "the airline has this order as %s", r.Status)
	}
	until(r.VoidUntil)
	if at.Before(r.VoidUntil) {
		q.Void, q.Rule = true, "The tickets were issued today: they are void and nothing is charged."
		return q, nil
	}
	flown := 0
	for _, seg := range r.Itinerary.Segments {
		until(seg.Departure)
		if !at.Before(seg.Departure) {
			flown++
		}
	}
	until(r.Itinerary.Arrival())
	refund, rule := s.refund(r, flown, at)
	q.Refund, q.Rule = usd(refund), rule
	q.Kept = r.Price.Total.Sub(q.Refund)
	return q, nil
}

// refund returns what comes back in cents, and the rule, when so many of the
// order's flights have left.
func (s *seller) refund(r record, flown int, at time.Time) (cents int, rule string) {
	fare, all := int(r.Price.Fare.Minor), len(r.Itinerary.Segments)
	fee := 0
	if r.Terms.Cancellations == gangway.PaidCancel {
		fee = int(r.Terms.CancelFee.Minor)
	}
	unused := 0
	for _, seg := range r.Itinerary.Segments[flown:] {
		unused += taxOf(s.places[s.byCode[string(seg.Origin)]].Country)
	}
	switch refundable := r.Terms.Cancellations != gangway.NonRefundable; {
	case flown == all:
		return s.noShow(r, at)
	case !refundable && flown == 0:
		return unused, "The fare does not come back; the taxes do."
	case !refundable:
		return unused, "The fare does not come back; the taxes of the flights not used do."
	case flown > 0:
		return max(0, fare-fee-s.flownFare(r, flown)) + unused, "What the flights used would have cost alone is kept; the rest comes back."
	case fee > 0:
		return max(0, fare-fee) + unused, fmt.Sprintf("The airline keeps %s; the rest comes back.", r.Terms.CancelFee)
	}
	return fare + unused, "The fare is refundable: everything comes back."
}

// noShow returns what comes back when all flights have left: what the brand
// grants to who did not show up, and nothing once the journey is over.
func (s *seller) noShow(r record, at time.Time) (cents int, rule string) {
	fare := int(r.Price.Fare.Minor)
	switch brand := r.brand(); {
	case !at.Before(r.Itinerary.Arrival()):
		return 0, "The journey is over: nothing comes back."
	case brand == flex:
		return fare / 2, r.Terms.NoShow
	case brand == marine:
		if fee, lost := marineNoShow(r.Plating); !lost {
			return max(0, fare-fee), r.Terms.NoShow
		}
	}
	return 0, "The flights have left. " + r.Terms.NoShow
}

// brand returns the brand that the order was booked in.
func (r record) brand() *brand {
	for _, b := range brands {
		if b.name == r.Terms.Brand {
			return b
		}
	}
	return light
}

// flownFare returns what the first flights of an order would have cost alone.
// Where the timetable no longer has them it is their share by distance.
func (s *seller) flownFare(r record, flown int) int {
	q, err := s.quoteOf(r.Offer)
	if err != nil {
		km := 0
		for _, seg := range r.Itinerary.Segments[:flown] {
			km += seg.DistanceKm
		}
		return int(r.Price.Fare.Minor) * km / max(1, r.Itinerary.DistanceKm())
	}
	cents := 0
	for i := range q.journey {
		p := q.journey[i]
		p.n = min(p.n, flown)
		if flown -= p.n; p.n > 0 {
			cents += s.tripFare(&p, q.brand, q.cabin, minuteOf(q.at)).base
		}
	}
	return cents
}
