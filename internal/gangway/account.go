package gangway

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A Customer is a company whose crew travels. It has two accounts, one for
// each Environment.
type Customer struct {
	ID        string
	Name      string
	CreatedAt time.Time
	Removing  time.Time // when its removal began; zero: it is not being removed
}

// An Environment is one of the two worlds of a customer.
type Environment string

const (
	Production  Environment = "production"  // real suppliers, real money
	Development Environment = "development" // always the simulated network; nothing here is real
)

// Begin returns where people begin to work who have not chosen: in production, unless only development is used.
func Begin(production, development bool) Environment {
	if development && !production {
		return Development
	}
	return Production
}

// An Account is one customer's data in one environment. Every row of data
// belongs to exactly one account.
type Account struct {
	ID          string
	Customer    Customer
	Environment Environment
	Settings    Settings
	Ahead       time.Duration // by how much the account's clock is ahead of real time; only in development
	SilentSince time.Time     // since when the supplier has answered no search; zero: that is not known to be so
	AheadTo     time.Duration // how far an advance takes it; Ahead, or less, where none is under way or was broken off
}

// A Scope names the account on whose behalf something is done, and says what time it is there.
// store.DB.In turns it into the only way to data.
type Scope struct {
	Account string
	Ahead   time.Duration // of the account's clock; see Account
	// the identifier of the API key that the caller came in with; it must still be valid when something is written
	Key string
}

// Scope returns the scope of a.
func (a Account) Scope() Scope { return Scope{Account: a.ID, Ahead: a.Ahead} }

// Now returns the time by the account's clock, which its bookings and its simulated airlines follow. now is
// the real time, which holds for everything else: signatures, retries, sign-in, limits and the audit log.
func (s Scope) Now(now time.Time) time.Time { return now.Add(s.Ahead) }

// Settings are what a customer's admin decides for an account.
type Settings struct {
	Approval    ApprovalPolicy `json:"approval"`
	OwnApproval bool           `json:"own_approval,omitempty"` // true: bookers may approve their own bookings
	AutoIssue   bool           `json:"auto_issue,omitempty"`   // what a new booking starts with: see Booking.AutoIssue

	// Supplier is who sells to the account from now on; empty: the simulated
	// network. Bookings stay with the supplier that sold them.
	Supplier string `json:"supplier,omitempty"`

	// Currency is what prices are requested in, ISO 4217, where the supplier lets
	// us choose; empty: the supplier's own.
	Currency string `json:"currency,omitempty"`

	// Phone is the company's, with its country code, for airlines that insist on
	// a number when the traveller's is not known.
	Phone string `json:"phone,omitempty"`

	// AdmitSanctioned says that airlines named in sanctions are offered and booked.
	AdmitSanctioned bool `json:"admit_sanctioned,omitempty"`

	// Disruptions is the seed by which the simulated network cancels, delays and
	// retimes flights of the account's orders; zero: it never does.
	Disruptions int64 `json:"disruptions,omitempty"`

	// Keep is how long personal data is kept.
	Keep Retention `json:"keep_months,omitempty"`

	// PaymentMethod is how the company pays for its bookings, in its own words, for
	// the report; empty: ByInvoice. Bookings keep what it was when they were made.
	PaymentMethod string `json:"payment_method,omitempty"`

	// LogBodies says that what programs send and are answered is kept for a day, sealed, beside the request log.
	LogBodies bool `json:"log_bodies,omitempty"`

	// RadiativeForcing says whether emissions are shown and reported with it.
	RadiativeForcing bool `json:"radiative_forcing,omitempty"`

	// Duty is when people are at work.
	Duty Duty `json:"duty,omitzero"`

	// Fares is what crew need of a fare, Avoid the airlines that are not to be used, and Transits where crew may not
	// change planes: see Bars.
	Fares    FareRule `json:"fares,omitzero"`
	Avoid    Airlines `json:"avoid,omitempty"`
	Transits Transits `json:"transits,omitempty"`

	// Crew are the rules by which journeys to and from ships are judged.
	Crew CrewRules `json:"crew,omitzero"`

	// Moves is what moves of crew changes may cost without approval.
	Moves MoveLimit `json:"moves,omitzero"`

	// Rates are by which amounts in other currencies are converted where one total is shown.
	Rates Rates `json:"rates,omitempty"`

	// NoLinks says that nobody can open an itinerary without signing in.
	NoLinks bool `json:"no_links,omitempty"`
}

// SetCurrency has prices asked for in another currency; empty: the supplier's own. An approval limit in another one
// says nothing about such prices: every booking waits until the limit is set again, or the currency is what it was.
func (s *Settings) SetCurrency(code string) {
	if code == s.Currency {
		return
	}
	s.Currency = code
	switch p := &s.Approval; {
	case p.Mode == ApproveAbove && p.Above.Currency != code:
		p.Mode = ApproveAlways
	case p.Awaits() && p.Above.Currency == code:
		p.Mode = ApproveAbove
	}
}

// ByInvoice is how bookings are paid for unless an account's settings say otherwise.
const ByInvoice = "invoice"

// ParsePaymentMethod reads how a company pays, in its own words.
func ParsePaymentMethod(s string) (string, error) {
	s = strings.Join(strings.Fields(s), " ")
	if s == "" || utf8.RuneCountInString(s) > invoiceLength || strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsPrint(r)
	}) {
		return "", Errorf(Invalid, "a payment method has 1 to %d visible characters", invoiceLength)
	}
	return s, nil
}

// An ApprovalPolicy says which bookings wait for an approver.
type ApprovalPolicy struct {
	Mode  ApprovalMode `json:"mode,omitempty"`
	Above Money        `json:"above,omitzero"` // with ApproveAbove: bookings that cost more wait; see Awaits
}

// Awaits reports whether every booking waits because a limit, Above, is in the account's former currency.
func (p ApprovalPolicy) Awaits() bool { return p.Mode == ApproveAlways && p.Above != Money{} }

// An ApprovalMode is one of the three policies. The zero value asks nobody.
type ApprovalMode string

const (
	ApproveNone   ApprovalMode = ""       // no booking waits
	ApproveAlways ApprovalMode = "always" // every booking waits
	ApproveAbove  ApprovalMode = "above"  // a booking above an amount waits; so does one in another currency
)

// ParseApprovalPolicy reads "none", "always" or "above 500.00 USD".
func ParseApprovalPolicy(s string) (ApprovalPolicy, error) {
	switch amount, above := strings.CutPrefix(s, "above "); {
	case s == "none":
		return ApprovalPolicy{}, nil
	case s == "always":
		return ApprovalPolicy{Mode: ApproveAlways}, nil
	case above:
		limit, err := ParseMoney(amount)
		if err == nil && limit.Minor < 0 {
			err = Errorf(Invalid, "a limit must not be negative")
		}
		if err != nil {
			return ApprovalPolicy{}, err
		}
		return ApprovalPolicy{Mode: ApproveAbove, Above: limit}, nil
	}
	return ApprovalPolicy{}, Errorf(Invalid, "an approval policy is %q, %q or, for instance, %q", "none", "always",
		"above 500.00 USD")
}

// String returns p as ParseApprovalPolicy reads it.
func (p ApprovalPolicy) String() string {
	switch p.Mode {
	case ApproveAlways:
		return "always"
	case ApproveAbove:
		return "above " + p.Above.Decimal() + " " + p.Above.Currency
	}
	return "none"
}

// Approvers are those of a customer's people who may approve. lacking: the bookings of one of them, or of everybody,
// could wait for an approver, and nobody may approve them.
func (s Settings) Approvers(people []User) (list []User, lacking bool) {
	for _, u := range people {
		if u.Role.CanApprove() && u.MaySignIn() {
			list = append(list, u)
		}
	}
	return list, s.Approval.Mode != ApproveNone && (len(list) == 0 || len(list) == 1 && !s.OwnApproval)
}

// Asks reports whether a booking at price waits for an approver. A price in
// another currency than the limit cannot be compared with it, so it waits.
func (p ApprovalPolicy) Asks(price Money) bool {
	switch p.Mode {
	case ApproveAlways:
		return true
	case ApproveAbove:
		return price.Currency != p.Above.Currency || price.Minor > p.Above.Minor
	}
	return false
}

// A Role says what a person may do in the web application: see Right.
type Role string

const (
	Booker   Role = "booker"   // searches, books, issues, changes, cancels
	Approver Role = "approver" // also approves and declines
	Admin    Role = "admin"    // also settings, outlets, keys, people
)

// System is the name under which the service itself acts on bookings.
//
// Decided: docs/choices.md, "States and actions".
const System = "system"
