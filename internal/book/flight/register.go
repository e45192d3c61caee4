package flight

import (
	"context"
	"time"

	"gangway"
)

// Elsewhere is the name of the supplier of what was bought elsewhere.
const Elsewhere = "manual"

// A Register is a supplier of what was bought elsewhere, by phone or from
// another agency: a person enters what happened, and its orders then live like any.
type Register interface {
	Supplier

	// Enter keeps what was bought and returns the offer under which it can be held,
	// under reference and no other. Entering it again under the same reference
	// replaces it as long as it is not held.
	Enter(ctx context.Context, reference string, e Entry) (offer string, err error)

	// EnterTickets adds the ticket numbers, so that the order can be issued.
	EnterTickets(ctx context.Context, order string, tickets []string) error

	// EnterChange keeps the flights that the order was changed to and what that
	// cost, and returns the change offer under which the order moves to them. What
	// was paid beyond the difference of the flights' prices is the change's fee.
	EnterChange(ctx context.Context, order string, e Entry) (offer string, err error)

	// EnterRefund says what came back for a cancelled order; zero: nothing did.
	EnterRefund(ctx context.Context, order string, amount gangway.Money) error
}

// An Entry is what was bought elsewhere.
type Entry struct {
	Agency    string              `json:"agency"` // who sold it, as people there call it
	Itinerary gangway.Itinerary   `json:"itinerary"`
	Baggage   []gangway.Allowance `json:"baggage,omitempty"`
	Terms     gangway.Terms       `json:"terms"`

	// With a fee for the service, where the agency took one; of a change: of the new flights alone.
	Price gangway.Price `json:"price"`

	// Of a change: what was paid for it in all; negative when money came back. Nothing before tickets.
	Due gangway.Money `json:"due,omitzero"`

	PNRs     []string  `json:"pnrs,omitempty"`
	Tickets  []string  `json:"tickets,omitempty"`
	TicketBy time.Time `json:"ticket_by,omitzero"` // where there are no tickets yet
}
