package orders

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/gangway"
)

// quoteLife is how long a cancellation quote is valid, unless the rule that applies ends
// earlier.
const quoteLife = 30 * time.Minute

// QuoteCancel returns what would be refunded if the order were cancelled now.
func (s *Seller) QuoteCancel(ctx context.Context, id string) (flight.CancelQuote, error) {
	r, err := s.load(ctx, id)
	if err != nil {
		return flight.CancelQuote{}, err
	}
	return s.quoteCancel(r, tariff.Second(s.now()))
}

// Cancel cancels the order on the terms of a quote.
func (s *Seller) Cancel(ctx context.Context, id, quote string) (flight.Order, error) {
	return s.update(ctx, id, func(r *record) ([]gangway.Document, error) {
		at, err := r.quotedAt(quote)
		if err != nil {
			return nil, err
		}
		q, err := s.quoteCancel(*r, at)
		if err != nil {
			return nil, err
		}
		if now := s.now(); now.Before(at) || !now.Before(q.Expires) {
			return nil, gangway.Errorf(gangway.Conflict, "this quote has expired: ask for a new one")
		}
		r.Status = flight.Withdrawn
		if !q.Refund.IsZero() {
			r.Refund = &gangway.Refund{Amount: q.Refund, Void: q.Void, AskedAt: s.now().UTC()}
		}
		if q.Void {
			r.Refund.SettledAt = r.Refund.AskedAt
		}
		return s.reseat(ctx, r.ID, r.seats(), nil, time.Time{})
	})
}

// quotedAt returns when a quote was given for the order as it is now.
func (r record) quotedAt(quote string) (time.Time, error) {
	version, seconds, _ := strings.Cut(strings.TrimPrefix(quote, "q"), "-")
	n, err := strconv.ParseInt(seconds, 36, 64)
	switch {
	case err != nil:
		return time.Time{}, gangway.Errorf(gangway.NotFound, "the airline has not given this quote")
	case version != strconv.Itoa(r.version):
		return time.Time{}, gangway.Errorf(gangway.Conflict,
			"the order has changed since this quote: ask for a new one")
	}
	return time.Unix(n, 0).UTC(), nil
}

// quoteCancel works out the outcome of cancelling at an instant.
func (s *Seller) quoteCancel(r record, at time.Time) (flight.CancelQuote, error) {
	nothing := gangway.Money{Currency: r.Price.Total.Currency}
	q := flight.CancelQuote{Refund: nothing, Kept: nothing, Expires: at.Add(quoteLife)}
	q.ID = fmt.Sprintf("q%d-%s", r.version, strconv.FormatInt(at.Unix(), 36))
	until := func(t time.Time) {
		if at.Before(t) && t.Before(q.Expires) {
			q.Expires = t.UTC()
		}
	}
	switch r.Status {
	case flight.Held:
		until(r.HoldUntil)
		q.Rule = "No ticket was issued: the seats are released and nothing is charged."
		return q, nil
	case flight.Lapsed:
		q.Rule = "The hold has expired: nothing is charged."
		return q, nil
	case flight.Ticketed:
	default:
		return q, gangway.Errorf(gangway.Conflict, "the airline has this order as %s", r.Status)
	}
	until(r.VoidUntil)
	if at.Before(r.VoidUntil) {
		q.Void, q.Refund = true, r.Price.Total
		q.Rule = "The tickets were issued today: they are voided and nothing is charged."
		return q, nil
	}
	for _, seg := range r.Itinerary.Segments {
		until(seg.Departure)
		until(seg.Arrival)
	}
	all := s.settle(r, at)
	if fees := r.Price.Fees; !fees.IsZero() && all.back > 0 && !all.feesNamed {
		all.rule += fmt.Sprintf(" The %s paid for changes is not refunded.", fees)
	}
	q.Refund.Minor, q.Rule = all.back, all.rule
	q.Kept = r.Price.Total.Sub(q.Refund)
	return q, nil
}
