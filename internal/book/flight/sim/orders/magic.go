package orders

import (
	"strings"
	"time"

	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/gangway"
)

// A spell is how airlines treat the order of a magic traveller.
type spell struct {
	Of      gangway.Magic `json:"of"`
	Since   time.Time     `json:"since"`            // when it was held
	Refused int           `json:"refused,omitzero"` // how often tickets were
}

// What the spells take.
const (
	magicAnswer = time.Hour   // until the airline answers late
	magicHold   = time.Minute // until a hold, or the guarantee of a price, ends
)

// spell returns the spell of a passenger; nil: there is none. Conflict: the airline refuses such passengers, or
// somebody has mistyped a magic surname.
func (s *Seller) spell(p gangway.Traveller) (*spell, error) {
	m := gangway.MagicOf(p.LastName)
	switch mistyped := gangway.MistypedMagic(p.LastName); {
	case !s.magic:
		return nil, nil
	case mistyped != "":
		return nil, gangway.Errorf(gangway.Conflict, "%s is no magic traveller: the sandbox knows %s", mistyped,
			magicNames())
	case m == "":
		return nil, nil
	case m == gangway.MagicRefused:
		return nil, gangway.Errorf(gangway.Conflict, "the airline refuses %s, as it always does", m)
	}
	return &spell{Of: m, Since: tariff.Second(s.now())}, nil
}

// magicNames lists the magic surnames.
func magicNames() string {
	return strings.Join(gangway.Texts(gangway.Magics), ", ")
}

// is reports whether the order of r is of a magic traveller.
func (r record) is(m gangway.Magic) bool { return r.Magic != nil && r.Magic.Of == m }

// enchant does what a spell does to an order when it is held, and returns until when its seats are.
func (r *record) enchant() time.Time {
	switch {
	case r.is(gangway.MagicHold):
		r.HoldUntil = r.Magic.Since.Add(magicHold).UTC()
		r.TicketBy, r.PriceUntil = r.HoldUntil, r.HoldUntil
	case r.is(gangway.MagicPrice):
		r.PriceUntil = r.Magic.Since.Add(magicHold).UTC()
	case r.is(gangway.MagicLate):
		// Also where tickets are due at once, there is something left to confirm.
		if late := r.Magic.Since.Add(2 * magicAnswer).UTC(); r.HoldUntil.Before(late) {
			r.HoldUntil, r.TicketBy, r.PriceUntil = late, late, late
		}
	}
	return r.HoldUntil
}

// unanswered returns an error as long as the airline does not answer anything about an order.
func (r record) unanswered(now time.Time) error {
	if r.is(gangway.MagicSilent) || r.is(gangway.MagicLate) && now.Before(r.Magic.Since.Add(magicAnswer)) {
		return gangway.Errorf(gangway.Unavailable, "the airline does not answer (%s)", r.Magic.Of)
	}
	return nil
}

// refuseTicket returns why the airline issues no ticket this time, and notes on the order that it was asked.
func (r *record) refuseTicket() error {
	switch {
	case r.is(gangway.MagicTicket) && r.Magic.Refused == 0:
		r.Magic.Refused++
		return gangway.Errorf(gangway.Conflict, "the airline could not issue the ticket this time (%s)", r.Magic.Of)
	case r.is(gangway.MagicPrice):
		r.Magic.Refused++
		r.Bill = r.Bill.Raised(5)
		r.Price = r.Bill.Price(r.Price.Total.Currency)
		return gangway.Errorf(gangway.Conflict, "the price is now %s: it has moved (%s)", r.Price.Total, r.Magic.Of)
	}
	return nil
}

// afterTicket does what a spell does to an order once its ticket was issued.
func (s *Seller) afterTicket(r *record) error {
	switch {
	case r.is(gangway.MagicRefund), r.is(gangway.MagicRefunded):
		r.VoidUntil = tariff.Second(s.now())
	case r.is(gangway.MagicCancelled):
		return s.strike(r, gangway.FlightCancelled)
	case r.is(gangway.MagicRetimed):
		return s.strike(r, gangway.FlightRetimed)
	}
	return nil
}

// refundTakes is how long after a cancellation the refund is settled.
func (r record) refundTakes() time.Duration {
	if r.is(gangway.MagicRefunded) {
		return 0
	}
	return refundTime
}
