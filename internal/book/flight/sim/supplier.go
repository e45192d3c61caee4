package sim

import (
	"context"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/orders"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/gangway"
)

// A supplier is the network for one account. It adds the configured delay and leaves the
// selling to its seller.
type supplier struct {
	seller *orders.Seller
	delay  time.Duration
}

// Name is the supplier's name as stored with bookings.
const Name = "simulated"

// Name is the supplier's name.
func (s *supplier) Name() string { return Name }

// Simulated is true: nothing of the network is real.
func (s *supplier) Simulated() bool { return true }

// LongestName is how many letters a last name or the first names may have.
func (s *supplier) LongestName() int { return orders.LongestName }

// slowly delays a call, half before anything is done and half after it, so that a
// process can be killed at either moment.
func slowly[T any](ctx context.Context, s *supplier, call func() (T, error)) (T, error) {
	var none T
	if err := s.wait(ctx); err != nil {
		return none, err
	}
	answer, err := call()
	if err != nil {
		return none, err
	}
	return answer, s.wait(ctx)
}

func (s *supplier) wait(ctx context.Context) error {
	if s.delay <= 0 {
		return nil
	}
	select {
	case <-time.After(s.delay / 2):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Search looks for offers and passes them to found as they are found, best journeys first.
func (s *supplier) Search(ctx context.Context, ask flight.Ask, found func([]flight.Offer)) error {
	_, err := slowly(ctx, s, func() (struct{}, error) { return struct{}{}, s.seller.Search(ctx, ask, found) })
	return err
}

// Reach tells for many travellers at once who can get there at all.
func (s *supplier) Reach(ctx context.Context, asks []flight.Ask) ([]flight.Reach, error) {
	return slowly(ctx, s, func() ([]flight.Reach, error) { return s.seller.Reach(ctx, asks) })
}

// Price returns the offer as it can be booked now.
func (s *supplier) Price(ctx context.Context, offer string) (flight.Offer, error) {
	return slowly(ctx, s, func() (flight.Offer, error) { return s.seller.Price(ctx, offer) })
}

// Hold holds seats under the caller's reference, once.
func (s *supplier) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) { return s.seller.Hold(ctx, ask) })
}

// Issue pays for a held order and has its tickets issued.
func (s *supplier) Issue(ctx context.Context, order string, pay gangway.Money) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) { return s.seller.Issue(ctx, order, pay) })
}

// QuoteCancel returns what would be refunded if the order were cancelled now.
func (s *supplier) QuoteCancel(ctx context.Context, order string) (flight.CancelQuote, error) {
	return slowly(ctx, s, func() (flight.CancelQuote, error) { return s.seller.QuoteCancel(ctx, order) })
}

// Cancel cancels the order on the terms of a quote.
func (s *supplier) Cancel(ctx context.Context, order, quote string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) { return s.seller.Cancel(ctx, order, quote) })
}

// FindChanges looks for other flights in the order's own brand and cabin.
func (s *supplier) FindChanges(ctx context.Context, order string, legs []flight.Leg) ([]flight.ChangeOffer, error) {
	return slowly(ctx, s, func() ([]flight.ChangeOffer, error) { return s.seller.FindChanges(ctx, order, legs) })
}

// PriceChange returns a change offer as it is now.
func (s *supplier) PriceChange(ctx context.Context, order, offer string) (flight.ChangeOffer, error) {
	return slowly(ctx, s, func() (flight.ChangeOffer, error) { return s.seller.PriceChange(ctx, order, offer) })
}

// Change moves the order to the flights of a change offer.
func (s *supplier) Change(ctx context.Context, order, offer string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) { return s.seller.Change(ctx, order, offer) })
}

// Accept accepts the flights that the airline offers in place of those it has changed.
func (s *supplier) Accept(ctx context.Context, order, notice string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) { return s.seller.Accept(ctx, order, notice) })
}

// Order returns the order as it is now.
func (s *supplier) Order(ctx context.Context, order string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) { return s.seller.Order(ctx, order) })
}

// Find returns the order that was held under reference.
func (s *supplier) Find(ctx context.Context, reference string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) { return s.seller.Find(ctx, reference) })
}

// Sells reports whether the network has prices in a currency, ISO 4217.
func Sells(currency string) bool { return tariff.HasRate(currency) }
