package sim

import (
	"context"
	"time"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/orders"
	"gangway/internal/book/flight/sim/tariff"
)

// A supplier is the network as one account sees it. It answers in the time that
// answers take, and leaves the selling to its seller.
type supplier struct {
	seller *orders.Seller
	delay  time.Duration
}

// Name is the supplier's name as bookings keep it.
const Name = "simulated"

// Name is the supplier's name.
func (s *supplier) Name() string { return Name }

// Simulated says that nothing of the network is real.
func (s *supplier) Simulated() bool { return true }

// LongestName is how many letters a last name or the first names may have.
func (s *supplier) LongestName() int { return orders.LongestName }

// slowly answers a call in the time that answers take: half of it passes before
// anything is done and half of it after, so that whoever is cut off in the
// middle learns what that is like.
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

// Search looks for offers and hands them to found as they come, best journeys first.
func (s *supplier) Search(ctx context.Context, ask flight.Ask, found func([]flight.Offer)) error {
	_, err := slowly(ctx, s, func() (struct{}, error) { return struct{}{}, s.seller.Search(ctx, ask, found) })
	return err
}

// Reach says of many travellers at once who can get there at all.
func (s *supplier) Reach(ctx context.Context, asks []flight.Ask) ([]flight.Reach, error) {
	return slowly(ctx, s, func() ([]flight.Reach, error) { return s.seller.Reach(ctx, asks) })
}

// Price returns the offer as it can be booked now.
func (s *supplier) Price(ctx context.Context, offer string) (flight.Offer, error) {
	return slowly(ctx, s, func() (flight.Offer, error) { return s.seller.Price(ctx, offer) })
}

// Hold keeps seats under the caller's reference, once.
func (s *supplier) Hold(ctx context.Context, ask flight.HoldAsk) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) { return s.seller.Hold(ctx, ask) })
}

// Issue pays for a held order and turns it into tickets.
func (s *supplier) Issue(ctx context.Context, order string, pay gangway.Money) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) { return s.seller.Issue(ctx, order, pay) })
}

// QuoteCancel says what would come back if the order were cancelled now.
func (s *supplier) QuoteCancel(ctx context.Context, order string) (flight.CancelQuote, error) {
	return slowly(ctx, s, func() (flight.CancelQuote, error) { return s.seller.QuoteCancel(ctx, order) })
}

// Cancel gives up the order on the terms of a quote.
func (s *supplier) Cancel(ctx context.Context, order, quote string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) { return s.seller.Cancel(ctx, order, quote) })
}

// FindChanges looks for other flights in the order's own brand and cabin.
func (s *supplier) FindChanges(ctx context.Context, order string, legs []flight.Leg) ([]flight.ChangeOffer, error) {
	return slowly(ctx, s, func() ([]flight.ChangeOffer, error) { return s.seller.FindChanges(ctx, order, legs) })
}

// PriceChange returns a change offer as it stands now.
func (s *supplier) PriceChange(ctx context.Context, order, offer string) (flight.ChangeOffer, error) {
	return slowly(ctx, s, func() (flight.ChangeOffer, error) { return s.seller.PriceChange(ctx, order, offer) })
}

// Change moves the order to the flights of a change offer.
func (s *supplier) Change(ctx context.Context, order, offer string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) { return s.seller.Change(ctx, order, offer) })
}

// Accept takes what the airline offers in place of flights that it has changed.
func (s *supplier) Accept(ctx context.Context, order, notice string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) { return s.seller.Accept(ctx, order, notice) })
}

// Order returns the order as it stands now.
func (s *supplier) Order(ctx context.Context, order string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) { return s.seller.Order(ctx, order) })
}

// Find returns the order that was held under reference.
func (s *supplier) Find(ctx context.Context, reference string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) { return s.seller.Find(ctx, reference) })
}

// Sells reports whether the network has prices in a currency, ISO 4217.
func Sells(currency string) bool { return tariff.HasRate(currency) }
