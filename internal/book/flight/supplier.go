// Package flight is the port to those who sell flights: what they can be asked and
// what they must promise.
//
// It has no airline's rules: those belong to the suppliers. The desk (package book)
// uses it; each supplier has a folder of its own below and passes flighttest.
package flight

import (
	"context"
	"time"

	"gangway/internal/gangway"
)

// A Supplier sells flights to one account. It may be slow, may answer long after it has
// acted, and may fail half-way; every promise below holds nevertheless.
//
// An error of kind Invalid, NotFound, Conflict or Denied means that nothing was done and
// nothing will be. Any other error of Hold, Issue, Cancel, Change or Accept means that the
// outcome is unknown: the caller must not ask again, but find out with Find or Order.
type Supplier interface {
	// Name is the supplier's name as stored with bookings: "simulated".
	Name() string

	// Simulated reports whether nothing that it sells is real, as in a test mode.
	Simulated() bool

	// LongestName is how many letters a last name may have, and how many the first names
	// together, counting the spaces between them; 0 means no limit.
	LongestName() int

	// Search looks for offers and passes them to found as they arrive, in one or more
	// batches, never two at once. When it returns nil, all have been passed on.
	Search(ctx context.Context, ask Ask, found func([]Offer)) error

	// Price returns the offer as it can be booked now. Its price and terms may have
	// changed since the search. Conflict: it has expired or is sold out.
	Price(ctx context.Context, offer string) (Offer, error)

	// Hold holds seats on an offer under the caller's own reference, which is never used
	// for anything else: a second Hold with the same reference returns the first order and
	// buys nothing. Invalid: CheckName refuses a name. No supplier respells or cuts a name.
	Hold(ctx context.Context, ask HoldAsk) (Order, error)

	// Issue pays the full price of a held order and has its tickets issued. Conflict: pay
	// is not the order's current price, or its deadline has passed.
	Issue(ctx context.Context, order string, pay gangway.Money) (Order, error)

	// QuoteCancel returns what would be refunded if the order were cancelled now.
	QuoteCancel(ctx context.Context, order string) (CancelQuote, error)

	// Cancel cancels the order on the terms of a quote. Conflict: the quote has expired or
	// been superseded.
	Cancel(ctx context.Context, order, quote string) (Order, error)

	// FindChanges looks for other flights for the order, on the given legs.
	FindChanges(ctx context.Context, order string, legs []Leg) ([]ChangeOffer, error)

	// PriceChange returns a change offer as it is now. Conflict: it has expired.
	PriceChange(ctx context.Context, order, offer string) (ChangeOffer, error)

	// Change moves the order to the flights of a change offer for the amount that the offer
	// said is due; the offer's price becomes the order's price. Conflict: the offer has
	// expired.
	Change(ctx context.Context, order, offer string) (Order, error)

	// Accept accepts the flights that the airline offers in place of those it has changed;
	// the order's price stays the same. Conflict: the notice has been superseded. Instead of
	// accepting, the order can be cancelled or changed on the terms for such cases.
	Accept(ctx context.Context, order, notice string) (Order, error)

	// Order returns the order as it is now.
	Order(ctx context.Context, order string) (Order, error)

	// Find returns the order that was held under reference. NotFound means that there is
	// none and that there will be none; as long as that is uncertain, the error is Unavailable.
	Find(ctx context.Context, reference string) (Order, error)
}

// An Ask is a search for one traveller.
type Ask struct {
	Legs       []Leg
	FareType   gangway.FareType // empty: both
	Cabin      gangway.Cabin    // empty: economy
	Vessel     string           // with Flag, required for marine fares
	Flag       gangway.Country
	MaxStops   int           // in each leg; negative: as many as the supplier sells
	Currency   string        // ISO 4217, of the prices if the supplier can choose; empty: its own
	MaxLayover time.Duration // longest wait between two flights; zero: the supplier's default
	Sanctioned bool          // offers may include airlines under sanctions; otherwise none does
}

// A Leg is one journey asked for. Any airport of From and of To may be used.
type Leg struct {
	From, To   []End
	Date       gangway.Date // local date of departure from the airport; empty if only ArriveOn is set
	LeaveAfter string       // with Date: "HH:MM", the earliest local time to set out for the airport
	ArriveOn   gangway.Date // local date of arrival
	// With ArriveOn: "HH:MM", the latest local time of arrival after the way from the airport; a
	// flight may then land the day before.
	ArriveBy string
	// "HH:MM": the local departure time that the customer prefers; flights near it are among the offers.
	Wish string
}

// An End is an airport where a leg may begin or end.
type End struct {
	Airport gangway.Airport
	Ground  time.Duration // by road between the airport and where the traveller comes from or goes to
}

// A Scout is a supplier that can tell for many travellers at once who can get there at
// all, much faster than by searching for each.
type Scout interface {
	// Reach returns, for each ask, the best that its only leg allows: the latest
	// departure if an arrival is asked for, else the earliest arrival.
	Reach(ctx context.Context, asks []Ask) ([]Reach, error)
}

// A Disrupter is a supplier whose airlines disrupt flights when they are told to, for those who try things out.
type Disrupter interface {
	// Disrupt has an airline disrupt the first flight of an order that has not left. Conflict: there is none that it
	// can still do this to.
	Disrupt(ctx context.Context, order string, d gangway.Disruption) error
}

// A Lister is a supplier that can list what was ordered from it, whoever knows of it here.
type Lister interface {
	// OrdersSince returns the orders that were made since a time and that the ledger does not have. An order that the
	// ledger has as not made yet is noted there.
	OrdersSince(ctx context.Context, since time.Time) ([]UnknownOrder, error)
}

// An UnknownOrder is an order that is only at its supplier.
type UnknownOrder struct {
	PNR, Airline string // the airline's locator, and its code
	People       int
	Total        gangway.Money
	Made         time.Time
	Status       Status
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
	ID string `json:"id"` // the supplier's own; safe in a form
	gangway.PricedItinerary
	Plating string    `json:"plating"` // the airline that issues the ticket
	Expires time.Time `json:"expires"` // of the offer itself
	// The ticketing deadline if it is held now; zero if it must be ticketed at once.
	TicketBy time.Time `json:"ticket_by"`
	// The price is guaranteed until then if it is held now; zero: until TicketBy.
	PriceUntil time.Time `json:"price_until,omitzero"`
	SeatsLeft  int       `json:"seats_left"` // 0 if the supplier does not say
}

// A HoldAsk is what a supplier needs to hold seats.
type HoldAsk struct {
	Reference string // the caller's own, unique for ever
	Offer     string
	Price     gangway.Money     // the price agreed to; Conflict if the offer now costs something else
	Passenger gangway.Traveller // with the names as they are to be on the ticket, in the letters A to Z
	Contact   string            // the booker's e-mail address, for suppliers that insist on one
	Vessel    string
	Flag      gangway.Country
}

// A Status is the status of an order at the supplier.
type Status string

const (
	Pending   Status = "pending"   // accepted, but not yet certain
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
	// Before tickets the price is what they would cost; then it is all that was paid, change fees
	// included, always in one currency. A cancellation does not change it.
	gangway.PricedItinerary
	Plating   string    `json:"plating"`
	HoldUntil time.Time `json:"hold_until,omitzero"` // when the seats are released
	TicketBy  time.Time `json:"ticket_by,omitzero"`  // the ticketing deadline; never after HoldUntil
	// The price is guaranteed until then, and Price may change afterwards; zero: until TicketBy.
	PriceUntil time.Time `json:"price_until,omitzero"`
	// 13 digits each; may stay empty if the airline issues no tickets.
	Tickets   []string  `json:"tickets,omitempty"`
	VoidUntil time.Time `json:"void_until,omitzero"` // cancelling costs nothing until then
	// Set once it is cancelled with money due; SettledAt is when it was refunded, at once if tickets are voided.
	Refund  *gangway.Refund `json:"refund,omitempty"`
	Changes []string        `json:"changes,omitempty"` // change offers and notices that were carried out
	// Flights that the airline has changed by itself, until that is answered.
	Notice *Notice `json:"notice,omitempty"`
}

// A Notice says that an airline has changed flights of an order by itself.
type Notice struct {
	ID  string `json:"id"`
	Why string `json:"why"` // what happened, as a sentence
	// All flights as the airline offers them instead; empty if it offers none.
	Itinerary gangway.Itinerary `json:"itinerary"`
	// Times moved only a little and every connection holds: there is nothing to decide.
	Minor bool      `json:"minor,omitempty"`
	At    time.Time `json:"at"`
}

// A CancelQuote is the outcome of cancelling, valid until it expires.
type CancelQuote struct {
	ID string
	// What is refunded; zero if nothing is. It may be in another currency than was paid, where the
	// airline refunds so.
	Refund gangway.Money
	// What the airline keeps, change fees included. With a Refund in the same currency it adds up to
	// what was paid: nothing before tickets.
	Kept    gangway.Money
	Unknown bool   // the airline says only later what it refunds; Refund and Kept are then zero
	Void    bool   // cancelled within the void period: Refund is all that was paid
	Rule    string // the rule that applies, as a sentence
	Expires time.Time
}

// A ChangeOffer is other flights for an order and what changing to them costs. It is
// never stored.
type ChangeOffer struct {
	ID string
	// What the order becomes. The fees in its price are Penalty and those charged before.
	gangway.PricedItinerary
	// To be paid now: the new price less the order's; negative if money is returned. Zero before
	// tickets, when nothing has been paid.
	Due     gangway.Money
	Penalty gangway.Money // the airline's fee for this change
	Expires time.Time
}

// A Ledger is where a supplier stores one account's documents: orders, and operations that
// were begun. It does not look inside them.
type Ledger interface {
	// Load returns a document and its version. NotFound: there is none.
	Load(ctx context.Context, id string) (doc []byte, version int, err error)

	// LoadByReference returns the document that was saved under reference. NotFound: there is none.
	LoadByReference(ctx context.Context, reference string) (doc []byte, version int, err error)

	// Scan calls each for the documents whose id is from first up to, but not including, after, in order.
	Scan(ctx context.Context, first, after string, each func(gangway.Document) error) error

	// Save writes all documents or none: version 1 of a new one, or the version after the
	// one that was loaded. Conflict: an id or a reference is in use, or another version was
	// written first.
	Save(ctx context.Context, docs ...gangway.Document) error
}
