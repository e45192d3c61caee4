package flight

import (
	"context"
	"time"

	"gangway/internal/gangway"
)

// Elsewhere is the name of the supplier of what was booked elsewhere.
const Elsewhere = gangway.BookedByHand

// A Register is the supplier of what was booked elsewhere, by phone or with another
// agency. A person enters what was booked, and from then on it is an order like any other.
type Register interface {
	Supplier

	// Enter stores an entry and returns the offer under which it can be held, with
	// the same reference and no other. Entering again under the same reference replaces
	// the entry as long as it is not held.
	Enter(ctx context.Context, reference string, e Entry) (offer string, err error)

	// EnterTickets adds the ticket numbers, so that the order can be issued.
	EnterTickets(ctx context.Context, order string, tickets []string) error

	// EnterChange stores the flights that the order was changed to and what that cost,
	// and returns the change offer under which the order moves to them. Whatever was
	// paid beyond the difference of the flights' prices is the change's fee.
	EnterChange(ctx context.Context, order string, e Entry) (offer string, err error)

	// EnterRefund stores the refund for a cancelled order; zero if there was none.
	EnterRefund(ctx context.Context, order string, amount gangway.Money) error
}

// An Entry is what was booked elsewhere.
type Entry struct {
	Agency    string              `json:"agency"` // who sold it
	Itinerary gangway.Itinerary   `json:"itinerary"`
	Baggage   []gangway.Allowance `json:"baggage,omitempty"`
	Terms     gangway.Terms       `json:"terms"`

	// The total, with the agency's service fee if any. Of a change: the price of the new flights alone.
	Price gangway.Price `json:"price"`

	// Of a change: all that was paid for it, negative if money was returned. Zero before tickets.
	Due gangway.Money `json:"due,omitzero"`

	PNRs     []string  `json:"pnrs,omitempty"`
	Tickets  []string  `json:"tickets,omitempty"`
	TicketBy time.Time `json:"ticket_by,omitzero"` // if there are no tickets yet
}
