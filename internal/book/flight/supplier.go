// Package flight is the port to those who sell flights: what can be asked of
// them and what they must promise.
//
// It holds no airline's rules: those are the supplier's own. The desk (package
// book) is its user; each supplier has a folder of its own below and passes
// flighttest.
package flight

import (
	"context"
	"time"

	"gangway"
)

// A Supplier sells flights to one account. A supplier may be slow, may answer
// long after it has acted, and may fail half-way; every promise below holds
// nevertheless.
//
// An error of kind Invalid, NotFound, Conflict or Denied means that nothing
// was done and nothing will be. Any other error of Hold, Issue, Cancel, Change
// or Accept means that the outcome is unknown: the caller must not ask again but
// find out with Find or Order.
type Supplier interface {
	// Name is the supplier's name as bookings keep it, as in "simulated".
	Name() string

	// Simulated reports whether nothing that it sells is real, as in a test mode.
	Simulated() bool

	// LongestName is how many letters a last name may have, and as many the first
	// names with the spaces between them; 0 is without a limit.
	LongestName() int

	// Search looks for offers and hands them to found as they come, in one or
	// more batches, never two at once. When it returns nil, all have come.
	Search(ctx context.Context, ask Ask, found func([]Offer)) error

	// Price returns the offer as it can be booked now. Its price and terms may
	// have moved since the search. Conflict: it has expired or is sold out.
	Price(ctx context.Context, offer string) (Offer, error)

	// Hold keeps seats on an offer under the caller's own reference, which is
	// never used twice: a second Hold with the same reference returns the first
	// order and buys nothing. Invalid: a name that CheckName refuses. No supplier
	// spells a name in another way, or cuts it.
	Hold(ctx context.Context, ask HoldAsk) (Order, error)

	// Issue pays for a held order, all that its price says, and turns it into tickets. Conflict: pay is not
	// the order's current price, or its deadline has passed.
	Issue(ctx context.Context, order string, pay gangway.Money) (Order, error)

	// QuoteCancel says what would come back if the order were cancelled now.
	QuoteCancel(ctx context.Context, order string) (CancelQuote, error)

	// Cancel gives up the order on the terms of a quote. Conflict: the quote has
	// expired or was overtaken.
	Cancel(ctx context.Context, order, quote string) (Order, error)

	// FindChanges looks for other flights for the order, on the legs asked for.
	FindChanges(ctx context.Context, order string, legs []Leg) ([]ChangeOffer, error)

	// PriceChange returns a change offer as it stands now. Conflict: it has expired.
	PriceChange(ctx context.Context, order, offer string) (ChangeOffer, error)

	// Change moves the order to the flights of a change offer, for what it said
	// is due, and the order's price is then the offer's new price. Conflict: the
	// offer has expired.
	Change(ctx context.Context, order, offer string) (Order, error)

	// Accept takes what the airline offers in place of flights that it has changed
	// by itself; the order's price stays. Conflict: the notice was overtaken. Who does not accept cancels,
	// or changes to other flights, on the terms of such a case.
	Accept(ctx context.Context, order, notice string) (Order, error)

	// Order returns the order as it stands now.
	Order(ctx context.Context, order string) (Order, error)

	// Find returns the order that was held under reference. NotFound means that
	// there is none and that none will come; while that is uncertain the error is Unavailable.
	Find(ctx context.Context, reference string) (Order, error)
}

// An Ask is a search for one traveller.
type Ask struct {
	Legs       []Leg
	FareType   gangway.FareType // empty: both
	Cabin      gangway.Cabin    // empty: economy
	Vessel     string           // with Flag, needed for marine fares
	Flag       gangway.Country
	MaxStops   int           // in each leg; negative: as many as the supplier sells
	Currency   string        // ISO 4217 of the prices, where the supplier can; empty: its own
	MaxLayover time.Duration // longest wait between two flights; zero: what the supplier thinks right
	Sanctioned bool          // airlines that sanctions name will do too; else no offer has a flight of theirs
}

// A Leg is one flight asked for. Any airport of From and of To will do.
type Leg struct {
	From, To   []End
	Date       gangway.Date // local date of departure from the airport; empty when only ArriveOn is set
	LeaveAfter string       // with Date: "HH:MM" local time at which the way to the airport begins at the earliest
	ArriveOn   gangway.Date // local date of arrival
	// With ArriveOn: "HH:MM", the local time at the end of the way from the airport at the latest; a
	// flight may then land the day before.
	ArriveBy string
	// "HH:MM": the local departure that the customer wishes; flights near it are among the offers.
	Wish string
}

// An End is an airport where a leg may begin or end.
type End struct {
	Airport gangway.Airport
	Ground  time.Duration // by road between the airport and where the traveller comes from or goes to
}

// A Scout is a supplier that can say of many travellers at once who can get
// there at all, much faster than by searching for each.
type Scout interface {
	// Reach returns, for each ask, the best that its only leg allows: the latest
	// departure where an arrival is asked for, else the earliest arrival.
	Reach(ctx context.Context, asks []Ask) ([]Reach, error)
}

// Reach says whether and when a traveller can get there.
type Reach struct {
	OK        bool
	From, To  gangway.Airport
	Departure time.Time // local
	Arrival   time.Time // local
	Stops     int
}

// An Offer is a priced itinerary that can be booked until it expires.
type Offer struct {
	ID string `json:"id"` // the supplier's; safe in a form
	gangway.PricedItinerary
	Plating string    `json:"plating"` // the airline on whose paper the ticket will be
	Expires time.Time `json:"expires"` // of the offer itself
	// Ticketing deadline if it is held now; zero when it must be ticketed at once.
	TicketBy time.Time `json:"ticket_by"`
	// Until then the price is guaranteed if it is held now; zero: until TicketBy.
	PriceUntil time.Time `json:"price_until,omitzero"`
	SeatsLeft  int       `json:"seats_left"` // 0 when the supplier does not say
}

// A HoldAsk is what a supplier needs to keep seats.
type HoldAsk struct {
	Reference string // the caller's own, unique for ever
	Offer     string
	Price     gangway.Money     // what the caller has agreed to; Conflict when the offer costs something else now
	Passenger gangway.Traveller // with the names that the ticket is to have, in the letters that tickets have
	Contact   string            // e-mail of the booker, for suppliers that insist on one
	Vessel    string
	Flag      gangway.Country
}

// A Status says where an order stands at the supplier.
type Status string

const (
	Pending   Status = "pending"   // taken, but not yet certain
	Held      Status = "held"      // seats are kept until HoldUntil
	Ticketed  Status = "ticketed"  // tickets were issued
	Lapsed    Status = "lapsed"    // the hold ran out before ticketing
	Withdrawn Status = "withdrawn" // cancelled
	Refused   Status = "refused"   // the supplier could not book it after all
)

// An Order is a reservation as the supplier has it.
type Order struct {
	ID        string   `json:"id"`
	Reference string   `json:"reference"`
	Status    Status   `json:"status"`
	Reason    string   `json:"reason,omitempty"` // of Refused, in words for the booker
	PNRs      []string `json:"pnrs,omitempty"`   // the airlines' locators, one for each reservation
	// Its price before tickets is what they would cost; then all that was paid, fees of changes too, and
	// always in one currency. A cancellation leaves it.
	gangway.PricedItinerary
	Plating   string    `json:"plating"`
	HoldUntil time.Time `json:"hold_until,omitzero"` // the seats are given up then
	TicketBy  time.Time `json:"ticket_by,omitzero"`  // the ticketing deadline; never after HoldUntil
	// The price is guaranteed until then, and Price moves afterwards; zero: until TicketBy.
	PriceUntil time.Time `json:"price_until,omitzero"`
	// 13 digits each; may stay empty for ticketless airlines.
	Tickets   []string  `json:"tickets,omitempty"`
	VoidUntil time.Time `json:"void_until,omitzero"` // cancelling costs nothing until then
	// Set once cancelled with money due; SettledAt when it has come, which void tickets' has at once.
	Refund  *gangway.Refund `json:"refund,omitempty"`
	Changes []string        `json:"changes,omitempty"` // change offers and notices that were carried out
	// What the airline has changed by itself and waits for an answer to.
	Notice *Notice `json:"notice,omitempty"`
}

// A Notice says that an airline has changed flights of an order by itself.
type Notice struct {
	ID  string `json:"id"`
	Why string `json:"why"` // what happened, a sentence
	// All flights as the airline offers them instead; empty: it offers none.
	Itinerary gangway.Itinerary `json:"itinerary"`
	// Times moved a little and every connection holds: there is nothing to decide.
	Minor bool      `json:"minor,omitempty"`
	At    time.Time `json:"at"`
}

// A CancelQuote is what cancelling would bring, good until it expires.
type CancelQuote struct {
	ID string
	// What comes back; zero when nothing does, in another currency than was paid where the airline does
	// so.
	Refund gangway.Money
	// What the airline keeps, fees of changes too: with a Refund in the same currency it makes what was
	// paid, nothing before tickets.
	Kept    gangway.Money
	Unknown bool   // the airline says only later what comes back; Refund and Kept are then zero
	Void    bool   // cancelled within the void period: Refund is all that was paid
	Rule    string // the rule that applies, a sentence
	Expires time.Time
}

// A ChangeOffer is other flights for an order and what they cost on top. It is
// never stored.
type ChangeOffer struct {
	ID string
	// What the order becomes; the fees of its price include Penalty and those charged before.
	gangway.PricedItinerary
	// To pay now: the new price less the order's; negative when money comes back. Zero before tickets:
	// nothing was paid yet.
	Due     gangway.Money
	Penalty gangway.Money // the airline's fee for this change
	Expires time.Time
}

// A Ledger is where a supplier keeps one account's documents: orders, and what
// was begun. It knows nothing of what is in them.
type Ledger interface {
	// Load returns a document and its version. NotFound: there is none.
	Load(ctx context.Context, id string) (doc []byte, version int, err error)

	// LoadByReference returns the document that was saved under reference. NotFound: there is none.
	LoadByReference(ctx context.Context, reference string) (doc []byte, version int, err error)

	// Scan hands out the documents whose id is from first up to, but not including, after, in order.
	Scan(ctx context.Context, first, after string, each func(gangway.Document) error) error

	// Save writes documents, all or none: version 1 of a new one, or the version
	// after the one that was loaded. Conflict: an id or a reference is taken, or
	// somebody else wrote first.
	Save(ctx context.Context, docs ...gangway.Document) error
}
