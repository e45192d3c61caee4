package book

import (
	"context"
	"fmt"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A Difference is how a supplier's answer differs from what a restored database has.
type Difference struct {
	Account    string `json:"account"`
	Booking    string `json:"booking,omitempty"` // empty: an order that no booking has, or the list of orders
	Words      string `json:"words"`
	Unanswered bool   `json:"unanswered,omitzero"` // the supplier cannot be asked now
}

// restoredAtOnce is how many bookings are read at a time.
const restoredAtOnce = 200

// CompareRestored asks an account's suppliers which orders were made since a copy that no booking has, and what became
// of each booking that is looked after. It changes no booking.
func (d *Desk) CompareRestored(ctx context.Context, in store.Scoped, copied time.Time) (list []Difference, err error) {
	note := func(booking string, unanswered bool, format string, args ...any) {
		list = append(list, Difference{in.Scope().Account, booking, fmt.Sprintf(format, args...), unanswered})
	}
	// First, as it may note orders that were made when they were paid.
	unknown, err := d.unknownOrders(ctx, in, copied.Add(-time.Hour)) // as clocks differ
	if err != nil {
		note("", true, "orders since the copy: %v", err)
	}
	for _, o := range unknown {
		note("", false, "%s of %s, made %s, %s for %d, %s: no booking here has it", o.PNR, o.Airline,
			o.Made.UTC().Format("2006-01-02 15:04 UTC"), o.Total, o.People, o.Status)
	}
	for after, n := "", restoredAtOnce; n == restoredAtOnce; {
		some, err := in.LookedAfter(ctx, after, restoredAtOnce)
		if err != nil {
			return nil, err
		}
		for _, b := range some {
			order, err := d.orderOf(ctx, in, b)
			if words, unanswered := differs(b, order, err); words != "" {
				note(b.ID, unanswered, "%s, departs %s: %s", b.Locator, gangway.DateOf(b.Itinerary.Departure()), words)
			}
			after = b.ID
		}
		n = len(some)
	}
	return list, nil
}

func (d *Desk) unknownOrders(ctx context.Context, in store.Scoped, since time.Time) ([]flight.UnknownOrder, error) {
	supplier, err := d.suppliers(ctx, in, "")
	if lister, ok := supplier.(flight.Lister); ok && err == nil {
		return lister.OrdersSince(ctx, since)
	}
	return nil, err
}

// differs says how a supplier's answer about a booking differs from it; empty: it does not.
func differs(b gangway.Booking, order flight.Order, err error) (words string, unanswered bool) {
	switch {
	case err != nil && !refused(err):
		return err.Error(), true
	case err != nil:
		return "here " + string(b.State) + ", and the supplier does not know the order", false
	case order.Status == flight.Pending:
		return "the supplier does not know yet", true
	case outcomeOf(b, order) != orderOutcome{}:
		return fmt.Sprintf("here %s, at the supplier %s, %s", b.State, order.Status, order.Price.Total), false
	case isLive(order) && isNewNotice(b, order.Notice):
		return "the airline has changed the flights", false
	case isLive(order) && order.Price.Total != b.Price.Total:
		return fmt.Sprintf("%s here, %s at the supplier", b.Price.Total, order.Price.Total), false
	}
	return "", false
}
