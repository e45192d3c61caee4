package gangway

import (
	"slices"
	"time"
)

// A Payment is money that was paid for a booking, or that came back.
type Payment struct {
	Seq    int       `json:"seq"` // the action that it came with; 0 when that is not known
	At     time.Time `json:"at"`
	For    PaidFor   `json:"for"`
	Amount Money     `json:"amount"` // negative when it came back
}

// PaidFor says what a payment was for.
type PaidFor string

const (
	ForFare    PaidFor = "fare"        // and what a change of flights made dearer or cheaper
	ForTaxes   PaidFor = "taxes"       // and charges, likewise
	ForChange  PaidFor = "change fee"  // the airline's, for changing flights
	ForService PaidFor = "service fee" // of who sold the flights
	ForRefund  PaidFor = "refund"      // money back after a cancellation
)

// A Refund is money that comes back after a cancellation, or nothing.
type Refund struct {
	Amount Money `json:"amount"` // promised, and once it is settled what came
	// what was promised before this was said, or came; without currency when nobody knew
	Promised  Money     `json:"promised,omitzero"`
	Unknown   bool      `json:"unknown,omitempty"` // the airline says only later how much
	Void      bool      `json:"void,omitempty"`    // the tickets were void: in the end nothing was charged
	AskedAt   time.Time `json:"asked_at"`
	SettledAt time.Time `json:"settled_at,omitzero"`
}

// Awaited reports whether money, or word of it, is still to come.
func (r Refund) Awaited() bool {
	return r.SettledAt.IsZero() && (r.Unknown || !r.Amount.IsZero())
}

// SetPrice is the one rule by which a booking takes what it costs from its
// supplier. As long as there were no tickets nothing is paid. Once there are,
// the price is what was paid for the booking in all: what it differs from the
// payments made is paid with the action that b has just had.
//
// It reports false, and leaves the price as it was, when money in another
// currency was paid before: the two cannot be added.
func (b *Booking) SetPrice(p Price, at time.Time) bool {
	made := b.PaymentsMade()
	if !b.Ticketed() && len(made) == 0 {
		b.Price = p
		return true
	}
	if len(b.Payments) == 0 && b.Change == nil && len(b.Tickets) == 0 && b.VoidUntil.IsZero() {
		made = nil // the tickets are only just out
	}
	if len(made) > 0 && made[0].Amount.Currency != p.Total.Currency {
		return false
	}
	b.pay(made, p, at)
	b.Price = p
	return true
}

// pay adds to the payments made what is missing to a price.
func (b *Booking) pay(made []Payment, p Price, at time.Time) {
	fee := ForChange
	if len(made) == 0 && b.Change == nil {
		fee = ForService
	}
	in := p.Total.Currency
	b.Payments = slices.Clone(made)
	for _, part := range []struct {
		of   PaidFor
		owed Money
	}{
		{ForFare, p.Fare.Sub(sumPayments(made, in, ForFare))},
		{ForTaxes, p.Taxes.Sub(sumPayments(made, in, ForTaxes))},
		{fee, p.Fees.Sub(sumPayments(made, in, ForChange, ForService))},
	} {
		if !part.owed.IsZero() {
			b.Payments = append(b.Payments, Payment{Seq: b.Version, At: at, For: part.of, Amount: part.owed})
		}
	}
}

// SetRefund takes what the supplier says of the money after a cancellation: at
// first, when it knows more, and when the money has come. Nil: nothing comes back.
func (b *Booking) SetRefund(r *Refund, at time.Time) {
	made := b.PaymentsMade()
	switch {
	case r == nil && len(made) == 0:
		return // nothing was paid
	case r == nil:
		r = &Refund{Amount: Money{Currency: b.Price.Total.Currency}, AskedAt: at, SettledAt: at}
	case len(made) == 0 && (r.Unknown || !r.Amount.IsZero()):
		b.pay(nil, b.Price, at) // it was paid without our knowing: who gives back has taken
	default:
		b.Payments = made
	}
	now := *r
	if was := b.Refund; was != nil {
		if now.Promised = was.Promised; !was.Unknown && was.SettledAt.IsZero() && was.Promised.Currency == "" {
			now.Promised = was.Amount
		}
	}
	came := sumPayments(b.Payments, now.Amount.Currency, ForRefund)
	if back := now.Amount.Add(came); !now.SettledAt.IsZero() && !now.Unknown && !back.IsZero() {
		b.Payments = append(b.Payments, Payment{Seq: b.Version, At: now.SettledAt, For: ForRefund,
			Amount: Money{Minor: -back.Minor, Currency: back.Currency}})
	}
	b.Refund = &now
}

// PaymentsMade returns what was paid for b and what came back, in order. Of
// bookings from before payments were kept it is what must have been paid.
func (b Booking) PaymentsMade() []Payment {
	if len(b.Payments) > 0 || !b.wasTicketed() {
		return b.Payments
	}
	var made []Payment
	for _, p := range []Payment{{For: ForFare, Amount: b.Price.Fare}, {For: ForTaxes, Amount: b.Price.Taxes},
		{For: ForChange, Amount: b.Price.Fees}} {
		if !p.Amount.IsZero() {
			p.At = b.CreatedAt
			made = append(made, p)
		}
	}
	if r := b.refund(); r != nil && !r.SettledAt.IsZero() && !r.Amount.IsZero() {
		made = append(made, Payment{At: r.SettledAt, For: ForRefund, Amount: Money{Minor: -r.Amount.Minor,
			Currency: r.Amount.Currency}})
	}
	return made
}

// refund returns what is known of the money after a cancellation. Bookings from
// before it was always noted have none where tickets were void, or where
// nothing came back.
func (b Booking) refund() *Refund {
	if b.Refund != nil || b.State != Cancelled || !b.wasTicketed() {
		return b.Refund
	}
	r := &Refund{Amount: Money{Currency: b.Price.Total.Currency}, AskedAt: b.CancelledAt, SettledAt: b.CancelledAt}
	if b.CancelledAt.Before(b.VoidUntil) {
		r.Amount, r.Void = b.Price.Total, true
	}
	return r
}

// wasTicketed reports whether there are, or were, tickets for b, as far as a
// booking without payments shows it.
func (b Booking) wasTicketed() bool {
	switch b.State {
	case RefundPending:
		return true
	case Cancelled:
		return len(b.Tickets) > 0 || !b.VoidUntil.IsZero() || b.Refund != nil
	}
	return b.Ticketed()
}

// PaidSoFar returns what was paid for b in all, less what a change brought back.
// What comes back after a cancellation is not taken off.
func (b Booking) PaidSoFar() Money {
	return sumPayments(b.PaymentsMade(), b.Price.Total.Currency, ForFare, ForTaxes, ForChange, ForService)
}

// PaidFor returns how much of what was paid for b so far was for some things.
func (b Booking) PaidFor(of ...PaidFor) Money {
	return sumPayments(b.PaymentsMade(), b.Price.Total.Currency, of...)
}

// RefundTotal returns what comes back after the cancellation of b: what was
// promised, and once it is settled what came. It reports false while that is
// not known, and for a booking that stands or was never paid.
func (b Booking) RefundTotal() (Money, bool) {
	r := b.refund()
	if r == nil || r.Unknown {
		return Money{}, false
	}
	return r.Amount, true
}

// Returned returns what has come back after the cancellation of b.
func (b Booking) Returned() Money {
	in := b.Price.Total.Currency
	if r := b.refund(); r != nil {
		in = r.Amount.Currency
	}
	return Money{Currency: in}.Sub(sumPayments(b.PaymentsMade(), in, ForRefund))
}

// StillToCome returns what was promised after the cancellation of b and has not
// come; false while nobody knows how much it is.
func (b Booking) StillToCome() (Money, bool) {
	total, known := b.RefundTotal()
	if r := b.refund(); r == nil || !r.Awaited() {
		return Money{Currency: b.Returned().Currency}, true
	}
	return total.Sub(b.Returned()), known
}

// Kept returns what was paid for b and does not come back after its
// cancellation. It reports false where that cannot be said: as long as the
// refund is not known, and where it is in another currency than the payments.
func (b Booking) Kept() (Money, bool) {
	back, known := b.RefundTotal()
	paid := b.PaidSoFar()
	if !known || back.Currency != paid.Currency || back.Minor > paid.Minor {
		return Money{}, false
	}
	return paid.Sub(back), true
}

// sumPayments adds up the payments in a currency that were for one of some things; for
// anything, where nothing is named.
func sumPayments(list []Payment, currency string, of ...PaidFor) Money {
	total := Money{Currency: currency}
	for _, p := range list {
		if p.Amount.Currency == currency && (len(of) == 0 || slices.Contains(of, p.For)) {
			total = total.Add(p.Amount)
		}
	}
	return total
}
