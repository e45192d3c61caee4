package gangway

import (
	"strings"
	"time"
)

// A Booking is our record of one traveller's reservation. Nothing changes its
// State but a move of lifecycle.go.
//
// Spec: Booking record.
type Booking struct {
	ID        string    `json:"id"`      // opaque and unguessable
	Locator   string    `json:"locator"` // six characters that support can read out
	State     State     `json:"state"`
	Version   int       `json:"version"` // grows with every action; equals the last action's Seq
	Passenger Traveller `json:"passenger"`
	PricedItinerary
	Tickets []string `json:"tickets,omitempty"`

	// who sold it: "simulated", "duffel", or "manual" for what was bought elsewhere
	Supplier   string    `json:"supplier"`
	Agency     string    `json:"agency,omitempty"`     // who sold it, where it was bought elsewhere
	Order      string    `json:"order"`                // the supplier's identifier of the order
	PNRs       []string  `json:"pnrs,omitempty"`       // airline locators
	Plating    string    `json:"plating,omitempty"`    // airline on whose paper the ticket is
	TicketBy   time.Time `json:"ticket_by,omitzero"`   // ticketing deadline
	PriceUntil time.Time `json:"price_until,omitzero"` // the price is guaranteed until then; zero: until TicketBy
	HoldUntil  time.Time `json:"hold_until,omitzero"`
	VoidUntil  time.Time `json:"void_until,omitzero"` // cancelling an issued booking costs nothing until then

	Purpose  Purpose        `json:"purpose,omitzero"`
	Approval *Approval      `json:"approval,omitempty"`
	Change   *PendingChange `json:"change,omitempty"`
	Refund   *Refund        `json:"refund,omitempty"`
	Payments []Payment      `json:"payments,omitempty"` // in the order they were made; read them by PaymentsMade
	Notice   *Notice        `json:"notice,omitempty"`

	Attention *Attention `json:"attention,omitempty"` // what a person is needed for, or was

	AutoIssue bool  `json:"auto_issue,omitempty"` // system issues it before its price ends; else its seats are let go
	Simulated bool  `json:"simulated,omitempty"`  // nothing of it is real: its supplier sells no real flights
	Previous  State `json:"previous,omitempty"`   // the state before the last action

	AutoIssueSet *Stamp `json:"auto_issue_set,omitempty"` // who chose AutoIssue since it was booked

	NoShow   *NoShow   `json:"no_show,omitempty"`
	Invoices []Invoice `json:"invoices,omitempty"`

	CreatedAt       time.Time `json:"created_at"`
	CreatedBy       string    `json:"created_by"` // e-mail
	CreatedByID     string    `json:"created_by_id,omitempty"`
	CreatedByName   string    `json:"created_by_name,omitempty"`
	CancelledAt     time.Time `json:"cancelled_at,omitzero"`
	CancelledBy     string    `json:"cancelled_by,omitempty"`
	CancelledByName string    `json:"cancelled_by_name,omitempty"`

	ErasedAt time.Time `json:"erased_at,omitzero"` // when who travelled was erased; zero: it was not

	CheckAt time.Time `json:"-"` // when the automated user looks at it next; zero: never
}

// A Purpose is why the traveller flies, as the customer's records told us; it
// goes back to the customer as the booking's metadata.
type Purpose struct {
	Search  string  `json:"search,omitempty"` // the search it was booked from
	Member  int     `json:"member,omitempty"` // position in that search
	Change  string  `json:"change,omitempty"` // key of the crew change
	Side    Side    `json:"side,omitempty"`
	Airport Airport `json:"airport,omitempty"`
	Date    Date    `json:"date,omitempty"`
	Vessel  string  `json:"vessel,omitempty"`
	Flag    Country `json:"flag,omitempty"`
	// UN/LOCODE of the crew change, where it was looked for at a sea port
	Port Place `json:"port,omitempty"`
	// the places that each leg was looked for between, where they are not its airports
	Between         []Between         `json:"between,omitempty"`
	RequestID       string            `json:"request_id,omitempty"`
	SubRequestID    string            `json:"sub_request_id,omitempty"`
	TravelRequestID string            `json:"travel_request_id,omitempty"`
	FlightIDs       map[string]string `json:"flight_ids,omitempty"` // "<ORIGIN>-<DESTINATION>_flight_id" of the legs
	Metadata        map[string]string `json:"metadata,omitempty"`
	CustomFields    map[string]string `json:"custom_fields,omitempty"`
}

// Between is the places that a leg was looked for between, and the ways by road
// to the airport that it leaves from and from the one that it goes to.
type Between struct {
	From     Place `json:"from"`
	To       Place `json:"to"`
	FromRoad int   `json:"from_road,omitempty"` // minutes
	ToRoad   int   `json:"to_road,omitempty"`
}

// An Approval is the question put to an approver and the answer.
type Approval struct {
	Why string `json:"why"` // why approval is needed, in words
	// of what was found at the same times and with the same rules; zero: not known
	Cheapest      Money     `json:"cheapest_alike,omitzero"`
	DecidedBy     string    `json:"decided_by,omitempty"`
	DecidedByName string    `json:"decided_by_name,omitempty"`
	DecidedAt     time.Time `json:"decided_at,omitzero"`
	Reason        string    `json:"reason,omitempty"` // of a refusal
}

// A PendingChange is the flights that a booking is to be changed to.
type PendingChange struct {
	Was       State     `json:"was"`   // the state to return to when the change is given up
	Offer     string    `json:"offer"` // the supplier's change offer
	Itinerary Itinerary `json:"itinerary"`
	NewPrice  Price     `json:"new_price"`
	// to pay now: fee and difference; negative when money comes back, zero before tickets are out
	Due       Money     `json:"due"`
	Penalty   Money     `json:"penalty,omitzero"`
	ByAirline bool      `json:"by_airline,omitempty"` // the airline made it: Offer is its notice
	Why       string    `json:"why,omitempty"`        // what the airline said
	AskedBy   string    `json:"asked_by"`
	AskedAt   time.Time `json:"asked_at"`
	// of the supplier's change offer; zero when the airline made the change
	Expires time.Time `json:"expires,omitzero"`
}

// A Notice is what the airline last changed by itself, and how that was answered.
type Notice struct {
	ID       string    `json:"id"` // the supplier's
	Why      string    `json:"why"`
	At       time.Time `json:"at"`
	Answered bool      `json:"answered,omitempty"` // accepted
	// not accepted: the traveller still needs other flights, or the money back
	Declined bool `json:"declined,omitempty"`
}

// NotReal reports whether nothing of b is real. Of bookings from before that
// was kept with them, those of the simulated network say so by its name.
func (b Booking) NotReal() bool { return b.Simulated || b.Supplier == "simulated" }

// BookedBy reports whether u is who made b. Of bookings from before, only the
// e-mail is known.
func (b Booking) BookedBy(u User) bool {
	return b.CreatedByID != "" && b.CreatedByID == u.ID || strings.EqualFold(b.CreatedBy, u.Email)
}

// MayBeApprovedBy reports whether u may let b go ahead: an approver or an
// admin, and another person than made it unless the account says otherwise.
func (b Booking) MayBeApprovedBy(u User, s Settings) bool {
	return u.Role.CanApprove() && (s.OwnApproval || !b.BookedBy(u))
}

// Ticketed reports whether tickets are out for b.
func (b Booking) Ticketed() bool {
	return b.State == Issued || (b.State == ChangePending && b.Change != nil && b.Change.Was == Issued)
}

// Live reports whether b still stands: it is neither cancelled nor declined,
// nor waiting for nothing but its refund.
func (b Booking) Live() bool {
	return b.State != Cancelled && b.State != Declined && b.State != RefundPending
}

// ChangeForbidden reports whether the fare of b allows no change: unless the
// airline has changed the flights by itself, which leaves the choice free.
func (b Booking) ChangeForbidden() bool {
	return b.Terms.Changes == NoChange && (b.Notice == nil || !b.Notice.Declined)
}

// HoldEnded reports whether the seats of b, which has no ticket yet, were kept until before now.
func (b Booking) HoldEnded(now time.Time) bool {
	return !b.HoldUntil.IsZero() && !now.Before(b.HoldUntil)
}

// PriceGood returns until when the price of b, which has no ticket yet, stands.
func (b Booking) PriceGood() time.Time {
	if b.PriceUntil.IsZero() {
		return b.TicketBy
	}
	return b.PriceUntil
}

// issueAhead is how long before its price ends the automated user issues a
// booking at the latest: time enough for a supplier that is down for a while.
const issueAhead = time.Hour

// refundCheck is how often a refund that is due is asked for, and orderCheck
// how often an order is looked at for what the airline may have changed.
const (
	refundCheck = 15 * time.Minute
	orderCheck  = 6 * time.Hour
)

// Deadlines returns what ends first for b, which waits for tickets, for an
// approver or for the answer to a change: until when its price is good, and
// until when its seats are held or an answer is waited for. The zero time is none.
func (b Booking) Deadlines() (price, seats time.Time) {
	switch {
	case b.State == ApprovalRequired, b.State == Confirmed, b.State == ChangePending && b.Change == nil:
		return b.PriceGood(), b.HoldUntil
	case b.State != ChangePending:
		return time.Time{}, time.Time{}
	case !b.Change.ByAirline:
		return time.Time{}, b.Change.Expires
	}
	leaves := b.Itinerary.Departure()
	if b.Change.Was == Issued || b.HoldUntil.IsZero() || leaves.Before(b.HoldUntil) {
		return time.Time{}, leaves
	}
	return time.Time{}, b.HoldUntil
}

// Deadline returns the first of b's deadlines, or its departure where it waits
// without one. The zero time: b does not wait.
func (b Booking) Deadline() time.Time {
	price, seats := b.Deadlines()
	switch {
	case price.IsZero() && seats.IsZero():
		if b.State == ApprovalRequired || b.State == Confirmed || b.State == ChangePending {
			return b.Itinerary.Departure()
		}
		return time.Time{}
	case seats.IsZero() || !price.IsZero() && price.Before(seats):
		return price
	}
	return seats
}

// IssueAt returns when the automated user issues b, where b is to be issued
// automatically: an hour before its price or its ticketing deadline ends,
// whichever is first, or a quarter of the time it has where that is shorter.
// The zero time when b has no deadline.
//
// Decided: docs/choices.md, "When does `system` issue?".
func (b Booking) IssueAt() time.Time {
	if b.TicketBy.IsZero() {
		return time.Time{}
	}
	ends := b.TicketBy
	if good := b.PriceGood(); good.Before(ends) {
		ends = good
	}
	return ends.Add(-min(issueAhead, ends.Sub(b.CreatedAt)/4))
}

// IssuesAt returns when b, which has no ticket yet, is issued automatically as
// it stands, or would be once it is approved; the zero time when it is not.
func (b Booking) IssuesAt() time.Time {
	if !b.AutoIssue || b.State != Confirmed && b.State != ApprovalRequired {
		return time.Time{}
	}
	return b.IssueAt()
}

// NextCheck returns when the automated user has to look at b next; the zero
// time when nothing is to come by itself.
func (b Booking) NextCheck(now time.Time) time.Time {
	switch b.State {
	case ApprovalRequired:
		return b.HoldUntil
	case Confirmed:
		if at := b.IssuesAt(); !at.IsZero() && now.Before(b.TicketBy) {
			return at
		}
		return b.HoldUntil
	case Issued:
		departure := b.Itinerary.Departure()
		if lastLook := departure.Add(-24 * time.Hour); now.Before(lastLook) && lastLook.Before(now.Add(orderCheck)) {
			return lastLook
		}
		if now.Before(departure) {
			return now.Add(orderCheck)
		}
	case ChangePending:
		switch {
		case b.Change == nil:
		case b.Change.ByAirline:
			return now.Add(orderCheck)
		default:
			return b.Change.Expires
		}
	case RefundPending:
		return now.Add(refundCheck)
	}
	return time.Time{}
}
