package gangway

import (
	"cmp"
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

	// who sold it: "simulated", "duffel", "manual" for a booking made elsewhere, or "sample" for one made up
	Supplier   string    `json:"supplier"`
	Agency     string    `json:"agency,omitempty"`     // who sold it, where it was booked elsewhere
	Order      string    `json:"order"`                // the supplier's identifier for the order
	PNRs       []string  `json:"pnrs,omitempty"`       // airline locators
	Plating    string    `json:"plating,omitempty"`    // the validating airline, on whose stock the ticket is issued
	TicketBy   time.Time `json:"ticket_by,omitzero"`   // ticketing deadline
	PriceUntil time.Time `json:"price_until,omitzero"` // the price is guaranteed until then; zero: until TicketBy
	HoldUntil  time.Time `json:"hold_until,omitzero"`
	VoidUntil  time.Time `json:"void_until,omitzero"` // cancelling an issued booking costs nothing until then

	Purpose  Purpose        `json:"purpose,omitzero"`
	Approval *Approval      `json:"approval,omitempty"`
	Change   *PendingChange `json:"change,omitempty"`
	Declined *PendingChange `json:"declined,omitempty"` // the last change that was to be approved and was not made
	Refund   *Refund        `json:"refund,omitempty"`
	Payments []Payment      `json:"payments,omitempty"` // in the order they were made
	Notice   *Notice        `json:"notice,omitempty"`

	Attention *Attention `json:"attention,omitempty"` // what a person is needed for, or was

	Replaces   *Replacing `json:"replaces,omitempty"`    // the booking that it takes the place of
	ReplacedBy string     `json:"replaced_by,omitempty"` // the last one that was asked for in its place

	AutoIssue bool  `json:"auto_issue,omitempty"` // system issues it before its price ends; else its hold ends
	Simulated bool  `json:"simulated,omitempty"`  // nothing about it is real: its supplier sells no real flights
	Previous  State `json:"previous,omitempty"`   // the state before the last action

	AutoIssueSet *Stamp `json:"auto_issue_set,omitempty"` // who last changed AutoIssue after it was booked

	NoShow   *NoShow   `json:"no_show,omitempty"`
	Invoices []Invoice `json:"invoices,omitempty"`

	PaymentMethod string `json:"payment_method,omitempty"` // as the account's settings said; empty: by invoice

	CreatedAt       time.Time `json:"created_at"`
	CreatedBy       string    `json:"created_by"` // e-mail
	CreatedByID     string    `json:"created_by_id,omitempty"`
	CreatedByName   string    `json:"created_by_name,omitempty"`
	CancelledAt     time.Time `json:"cancelled_at,omitzero"`
	CancelledBy     string    `json:"cancelled_by,omitempty"`
	CancelledByName string    `json:"cancelled_by_name,omitempty"`

	ErasedAt time.Time `json:"erased_at,omitzero"` // when the traveller's data was erased; zero: it was not
	// a frequent flyer number was given, which was erased with the traveller
	FrequentFlyerErased bool `json:"frequent_flyer_erased,omitempty"`

	CheckAt time.Time `json:"-"` // when the automated user looks at it next; zero: never
}

// A Purpose is why the traveller flies, taken from the customer's records; the
// customer gets it back as the booking's metadata.
type Purpose struct {
	Search  string  `json:"search,omitempty"` // the search it was booked from
	Member  int     `json:"member,omitempty"` // position in that search
	Change  string  `json:"change,omitempty"` // key of the crew change
	Side    Side    `json:"side,omitempty"`
	Airport Airport `json:"airport,omitempty"`
	Date    Date    `json:"date,omitempty"`
	Vessel  string  `json:"vessel,omitempty"`
	Flag    Country `json:"flag,omitempty"`
	// UN/LOCODE of the crew change, where the search was for a sea port
	Port Place `json:"port,omitempty"`
	// the places that each leg was searched between, where these are not its airports
	Between         []Between         `json:"between,omitempty"`
	RequestID       string            `json:"request_id,omitempty"`
	SubRequestID    string            `json:"sub_request_id,omitempty"`
	TravelRequestID string            `json:"travel_request_id,omitempty"`
	FlightIDs       map[string]string `json:"flight_ids,omitempty"` // "<ORIGIN>-<DESTINATION>_flight_id" of the legs
	Metadata        map[string]string `json:"metadata,omitempty"`
	CustomFields    map[string]string `json:"custom_fields,omitempty"`
}

// Between is the places that a leg was searched between, and the transfers by
// road to its first airport and from its last one.
type Between struct {
	From     Place `json:"from"`
	To       Place `json:"to"`
	FromRoad int   `json:"from_road,omitempty"` // minutes
	ToRoad   int   `json:"to_road,omitempty"`
}

// An Approval is the question put to an approver and the answer.
type Approval struct {
	Why string `json:"why"` // why approval is needed, in words
	// among offers at the same times and with the same rules; zero: not known
	Cheapest      Money     `json:"cheapest_alike,omitzero"`
	DecidedBy     string    `json:"decided_by,omitempty"`
	DecidedByName string    `json:"decided_by_name,omitempty"`
	DecidedAt     time.Time `json:"decided_at,omitzero"`
	Reason        string    `json:"reason,omitempty"` // of a refusal
}

// A PendingChange is the change of flights that a booking waits for.
type PendingChange struct {
	Was       State     `json:"was"`   // the state to return to if the change is abandoned
	Offer     string    `json:"offer"` // the supplier's change offer
	Itinerary Itinerary `json:"itinerary"`
	NewPrice  Price     `json:"new_price"`
	// to pay now: fee and difference; negative when money comes back, zero before ticketing
	Due       Money     `json:"due"`
	Penalty   Money     `json:"penalty,omitzero"`
	ByAirline bool      `json:"by_airline,omitempty"` // the airline made the change, and Offer is its notice
	Why       string    `json:"why,omitempty"`        // what the airline said
	AskedBy   string    `json:"asked_by"`
	AskedAt   time.Time `json:"asked_at"`
	Approval  string    `json:"approval,omitempty"` // why an approver has to agree, in words; empty: nobody has to
	// of the supplier's change offer; zero when the airline made the change
	Expires time.Time `json:"expires,omitzero"`
	Refused string    `json:"refused,omitempty"` // why it was not made, a sentence
	// e-mail of who declined it; empty: it lapsed, or its asker discarded it
	RefusedBy string `json:"refused_by,omitempty"`
}

// WhyDeclined says who declined b, or a change of b, with the same flights, at that price or a lower one, and why;
// empty: nobody did.
func (b Booking) WhyDeclined(to Itinerary, price Money) string {
	c := b.Declined
	if a := b.Approval; b.State == Declined && a != nil && a.DecidedBy != System {
		c = &PendingChange{Itinerary: b.Itinerary, NewPrice: b.Price, Refused: b.Unapproved(), RefusedBy: a.DecidedBy}
	}
	if c != nil && c.RefusedBy != "" && c.Itinerary.SameSeats(to) &&
		c.NewPrice.Total.Currency == price.Currency && c.NewPrice.Total.Minor <= price.Minor {
		return c.Refused
	}
	return ""
}

// Unchanged says why the last change of b that was to be approved was not made, a sentence; empty: it was, or it waits.
func (b Booking) Unchanged() string {
	if b.Declined == nil {
		return ""
	}
	return b.Declined.Refused
}

// Unapproved says why b, which waited for an approver, was given up, a sentence; empty: it was not.
func (b Booking) Unapproved() string {
	a := b.Approval
	switch {
	case b.Live() || b.Previous != ApprovalRequired || a == nil:
		return ""
	case b.State != Declined:
		return "Released before anybody approved."
	case a.DecidedBy == "" || a.DecidedBy == System:
		return "Not approved in time."
	}
	return Sentence(cmp.Or(a.DecidedByName, a.DecidedBy) + " declined the booking: " + a.Reason)
}

// A Notice is the last change that the airline made by itself, and how it was answered.
type Notice struct {
	ID       string    `json:"id"` // the supplier's
	Why      string    `json:"why"`
	At       time.Time `json:"at"`
	Answered bool      `json:"answered,omitempty"` // accepted
	// declined: the traveller still needs other flights, or the money back
	Declined bool `json:"declined,omitempty"`
}

// BookedBy reports whether u made b, also under another account with the same e-mail.
func (b Booking) BookedBy(u User) bool {
	return b.CreatedByID != "" && b.CreatedByID == u.ID || strings.EqualFold(b.CreatedBy, u.Email)
}

// MayBeApprovedBy reports whether u may approve b, or the change that it waits for: an approver or an admin, and not
// the person who made it, or who chose that change, unless the account allows that.
func (b Booking) MayBeApprovedBy(u User, s Settings) bool {
	own := b.BookedBy(u)
	if c := b.Change; c != nil && !c.ByAirline && c.AskedBy != "" {
		own = strings.EqualFold(c.AskedBy, u.Email)
	}
	return u.Role.CanApprove() && (s.OwnApproval || !own)
}

// Ticketed reports whether tickets were issued for b and still stand.
func (b Booking) Ticketed() bool {
	return b.State == Issued || (b.State == ChangePending && b.Change != nil && b.Change.Was == Issued)
}

// Live reports whether b still stands: it is not cancelled, not declined, and does
// not merely wait for its refund.
func (b Booking) Live() bool {
	return b.State != Cancelled && b.State != Declined && b.State != RefundPending
}

// MayHoldAgain reports whether the seats of b may be held again at now: it is no longer live, and its flights have not
// left.
func (b Booking) MayHoldAgain(now time.Time) bool {
	return !b.Live() && !b.Sample() && b.ErasedAt.IsZero() && b.Itinerary.Departure().After(now)
}

// ChangeForbidden reports whether the fare of b allows no change. After a
// schedule change by the airline a change is allowed whatever the fare says.
func (b Booking) ChangeForbidden() bool {
	return b.Terms.Changes == NoChange && (b.Notice == nil || !b.Notice.Declined)
}

// HoldEnded reports whether b has no ticket yet and its hold ended before now.
func (b Booking) HoldEnded(now time.Time) bool {
	return !b.HoldUntil.IsZero() && !now.Before(b.HoldUntil)
}

// PriceGood returns how long the price of b, which has no ticket yet, is guaranteed.
func (b Booking) PriceGood() time.Time {
	if b.PriceUntil.IsZero() {
		return b.TicketBy
	}
	return b.PriceUntil
}

// issueAhead is how long before its price ends the automated user issues a
// booking at the latest: enough time to outlast a short outage of a supplier.
const issueAhead = time.Hour

// refundCheck is how often the supplier is asked for a refund that is due, and
// orderCheck how often an order is looked at for changes by the airline.
const (
	refundCheck = 15 * time.Minute
	orderCheck  = 6 * time.Hour
)

// Deadlines returns the deadlines of b, which waits for tickets, for an approver
// or for the answer to a change: when its price ends, and when its hold or the
// time for an answer does. The zero time means that there is none.
func (b Booking) Deadlines() (price, seats time.Time) {
	switch {
	case b.Sample():
		return time.Time{}, time.Time{}
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

// Deadline returns the first of b's deadlines, or its departure if it waits
// without one. The zero time: b does not wait.
func (b Booking) Deadline() time.Time {
	price, seats := b.Deadlines()
	switch {
	case price.IsZero() && seats.IsZero():
		if !b.Sample() && (b.State == ApprovalRequired || b.State == Confirmed || b.State == ChangePending) {
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
	if b.PaysFirst() {
		return b.CreatedAt
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
	if b.Sample() {
		return time.Time{}
	}
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
