package gangway

import (
	"slices"
	"time"
)

// A Payment is money that was paid for a booking, or that came back.
type Payment struct {
	Seq    int       `json:"seq"` // of the action it was made with; 0 when that is not known
	At     time.Time `json:"at"`
	For    PaidFor   `json:"for"`
	Amount Money     `json:"amount"` // negative when it came back
}

// PaidFor says what a payment was for.
type PaidFor string

const (
	ForFare    PaidFor = "fare"        // including the fare difference after a change
	ForTaxes   PaidFor = "taxes"       // and charges, including their difference after a change
	ForChange  PaidFor = "change fee"  // the airline's, for changing flights
	ForService PaidFor = "service fee" // charged by whoever sold the flights
	ForRefund  PaidFor = "refund"      // money back after a cancellation
)

// A Refund is the money that comes back after a cancellation, which may be nothing.
type Refund struct {
	Amount Money `json:"amount"` // as promised, and once it is settled as it came
	// what was promised before Amount was last updated; without currency when nobody knew
	Promised  Money     `json:"promised,omitzero"`
	Unknown   bool      `json:"unknown,omitempty"` // the airline will say how much later
	Void      bool      `json:"void,omitempty"`    // the tickets were voided: in the end nothing was charged
	AskedAt   time.Time `json:"asked_at"`
	SettledAt time.Time `json:"settled_at,omitzero"`
}

// Awaited reports whether money, or news of it, is still to come.
func (r Refund) Awaited() bool {
	return r.SettledAt.IsZero() && (r.Unknown || !r.Amount.IsZero())
}

// SetPrice is the one rule by which a booking takes its price from its supplier.
// Nothing is paid before ticketing. From then on the price is the total paid for
// the booking: if it differs from the payments made so far, the difference is
// paid with the action that b has just had.
//
// It reports false, and leaves the price as it was, when earlier payments were
// in another currency: the two cannot be added.
func (b *Booking) SetPrice(p Price, at time.Time) bool {
	if !b.Ticketed() && len(b.Payments) == 0 {
		b.Price = p
		return true
	}
	if len(b.Payments) > 0 && b.Payments[0].Amount.Currency != p.Total.Currency {
		return false
	}
	b.pay(p, at)
	b.Price = p
	return true
}

// pay adds to the payments made whatever is missing to reach a price.
func (b *Booking) pay(p Price, at time.Time) {
	made, fee := b.Payments, ForChange
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

// SetRefund takes what the supplier says about the refund: right after the
// cancellation, when it knows more, and when the money has come. Nil: there is no refund.
func (b *Booking) SetRefund(r *Refund, at time.Time) {
	switch {
	case r == nil && len(b.Payments) == 0:
		return // nothing was paid
	case r == nil:
		r = &Refund{Amount: Money{Currency: b.Price.Total.Currency}, AskedAt: at, SettledAt: at}
	case len(b.Payments) == 0 && (r.Unknown || !r.Amount.IsZero()):
		// A refund means that it was paid, although we did not know, and at least as much as comes back.
		if more := r.Amount.Sub(b.Price.Total); r.Amount.Currency == b.Price.Total.Currency && more.Minor > 0 {
			b.Price = PriceOf(b.Price.Fare.Add(more), b.Price.Taxes, b.Price.Fees)
		}
		b.pay(b.Price, at)
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

// PaidSoFar returns the total paid for b, less what a change brought back. A
// refund after a cancellation is not subtracted.
func (b Booking) PaidSoFar() Money {
	return sumPayments(b.Payments, b.Price.Total.Currency, ForFare, ForTaxes, ForChange, ForService)
}

// PaidFor returns how much of the total paid for b so far was for the given purposes.
func (b Booking) PaidFor(of ...PaidFor) Money {
	return sumPayments(b.Payments, b.Price.Total.Currency, of...)
}

// RefundTotal returns the refund after the cancellation of b: as promised, and
// once it is settled as it came. It reports false while that is not known, and
// for a booking that stands or was never paid.
func (b Booking) RefundTotal() (total Money, known bool) {
	r := b.Refund
	if r == nil || r.Unknown {
		return Money{}, false
	}
	return r.Amount, true
}

// Returned returns how much has come back after the cancellation of b.
func (b Booking) Returned() Money {
	in := b.Price.Total.Currency
	if r := b.Refund; r != nil {
		in = r.Amount.Currency
	}
	return Money{Currency: in}.Sub(sumPayments(b.Payments, in, ForRefund))
}

// StillToCome returns the part of the promised refund of b that has not come yet;
// false while nobody knows how much that is.
func (b Booking) StillToCome() (amount Money, known bool) {
	total, known := b.RefundTotal()
	if r := b.Refund; r == nil || !r.Awaited() {
		return Money{Currency: b.Returned().Currency}, true
	}
	return total.Sub(b.Returned()), known
}

// Kept returns how much of what was paid for b does not come back after its
// cancellation. It reports false as long as the refund is not known, and if it
// is in another currency than the payments.
func (b Booking) Kept() (kept Money, known bool) {
	back, known := b.RefundTotal()
	paid := b.PaidSoFar()
	if !known || back.Currency != paid.Currency || back.Minor > paid.Minor {
		return Money{}, false
	}
	return paid.Sub(back), true
}

// sumPayments adds up the payments in a currency that were for the given
// purposes, or all of them if none is given.
func sumPayments(list []Payment, currency string, of ...PaidFor) Money {
	total := Money{Currency: currency}
	for _, p := range list {
		if p.Amount.Currency == currency && (len(of) == 0 || slices.Contains(of, p.For)) {
			total = total.Add(p.Amount)
		}
	}
	return total
}

// MoneyBreach returns which of b's amounts contradict each other, in words; empty if none do.
func (b Booking) MoneyBreach() string {
	price, paid, back := b.Price, b.PaidSoFar(), b.Returned()
	in := price.Total.Currency
	switch {
	case PriceOf(price.Fare, price.Taxes, price.Fees) != price:
		return "the price does not add up"
	case slices.ContainsFunc(b.Payments, func(p Payment) bool { return p.For != ForRefund && p.Amount.Currency != in }):
		return "a payment is in another currency than the price"
	case b.Ticketed() && paid.Minor != price.Total.Minor:
		return "what was paid is not the price"
	case (b.State == Confirmed || b.State == ApprovalRequired) && !paid.IsZero():
		return "something was paid, and there are no tickets"
	case back.Minor < 0, back.Currency == in && back.Minor > paid.Minor:
		return "more came back than was paid"
	}
	return ""
}
