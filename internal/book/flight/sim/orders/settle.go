package orders

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/gangway"
)

// A settlement says what happens to the money paid for tickets that are given up: back, fee and
// kept add up to what was paid.
type settlement struct {
	back int64
	fee  int64 // for giving them up
	kept int64 // for what was used, and what is never refunded
	rule string

	feesNamed bool // the rule mentions the change fees paid
}

// settle works out the refund for an order at an instant. Each ticket is settled on its own.
func (s *Seller) settle(r record, at time.Time) settlement {
	var all settlement
	var rules []string
	first := 0
	for _, p := range r.Bill {
		one := s.settlePart(r, p, first, at)
		all.back, all.fee, all.kept = all.back+one.back, all.fee+one.fee, all.kept+one.kept
		all.feesNamed = all.feesNamed || one.feesNamed
		rules = append(rules, one.rule)
		first += p.Flights
	}
	if all.rule = rules[0]; len(slices.Compact(slices.Clone(rules))) > 1 {
		for i := range rules {
			rules[i] = fmt.Sprintf("Ticket %d: %s", i+1, rules[i])
		}
		all.rule = strings.Join(rules, " ")
	}
	return all
}

// A ticketValue is what one ticket is worth: what was paid for it, and how much of that was used
// by an instant.
type ticketValue struct {
	fare   int64 // with the surcharge
	used   int64 // what the flown flights alone would have cost
	unused int64 // the taxes of the flights not used
	paid   int64
}

// worthOf returns the value of a ticket when so many of its flights have left.
func worthOf(p tariff.Part, left int) ticketValue {
	w := ticketValue{fare: p.Fare + p.Surcharge, paid: p.Fare + p.Surcharge}
	for i, tax := range p.Taxes {
		w.paid += tax
		if i >= left {
			w.unused += tax
		}
	}
	return w
}

// back settles a ticket by refunding part of its fare, less a fee, and the taxes of flights not
// used.
func (w ticketValue) back(of, fee int64, rule string) settlement {
	fee = min(fee, of)
	return settlement{back: of - fee + w.unused, fee: fee, kept: w.paid - of - w.unused, rule: rule}
}

// settlePart works out the refund for one ticket of an order; first is the index of the ticket's
// first flight in the order.
func (s *Seller) settlePart(r record, p tariff.Part, first int, at time.Time) settlement {
	flights := r.Itinerary.Segments[first : first+p.Flights]
	left := 0 // how many flights have left
	for left < len(flights) && !at.Before(flights[left].Departure) {
		left++
	}
	disrupted := s.disruptedFlights(r, at)
	for _, u := range disrupted {
		if u.flight >= first {
			left = min(left, u.flight-first) // a disrupted flight has not left, even at its scheduled time
		}
	}
	w := worthOf(p, left)
	if left > 0 && left < len(flights) {
		w.used = min(w.fare, s.flownFare(r, first, left))
	}
	switch {
	case left == len(flights):
		return r.noShow(p, w.paid, flights[len(flights)-1].Arrival, at)
	case len(disrupted) > 0:
		return r.settleDisrupted(w, left)
	case r.Terms.Cancellations == gangway.NonRefundable:
		return settleLost(w, left, p.Surcharge > 0)
	}
	return r.settleRefundable(w, left)
}

// settleDisrupted settles a ticket of an order whose flights the airline has changed.
func (r record) settleDisrupted(w ticketValue, left int) settlement {
	const why = "The airline has changed the flights: "
	if left == 0 {
		return w.back(w.fare, 0, why+r.everything())
	}
	return w.back(w.fare-w.used, 0, why+"all is refunded but what the flown flights would have cost alone.")
}

// settleLost settles a ticket whose fare is not refunded.
func settleLost(w ticketValue, left int, surcharge bool) settlement {
	lost := "The fare is not refundable; "
	if surcharge {
		lost = "The fare and the airline's surcharge are not refundable; "
	}
	if left == 0 {
		return w.back(0, 0, lost+"the taxes are refunded.")
	}
	return w.back(0, 0, lost+"the taxes of the unused flights are refunded.")
}

// settleRefundable settles a ticket whose fare is refunded, less a fee if there is one.
func (r record) settleRefundable(w ticketValue, left int) settlement {
	fee := int64(0)
	if r.Terms.Cancellations == gangway.PaidCancel {
		fee = r.Terms.CancelFee.Minor // such fares are never split
	}
	switch {
	case left > 0:
		const rule = "The airline keeps what the flown flights would have cost alone; the rest is refunded."
		return w.back(w.fare-w.used, fee, rule)
	case fee > 0 && !r.Price.Fees.IsZero():
		const rule = "%s for cancelling and %s paid for changes are kept; the rest is refunded."
		one := w.back(w.fare, fee, fmt.Sprintf(rule, r.Terms.CancelFee, r.Price.Fees))
		one.feesNamed = true
		return one
	case fee > 0:
		return w.back(w.fare, fee, fmt.Sprintf("The airline keeps %s; the rest is refunded.", r.Terms.CancelFee))
	}
	return w.back(w.fare, 0, "The fare is refundable: "+r.everything())
}

// everything says that everything is refunded, except fees paid for changes.
func (r record) everything() string {
	if r.Price.Fees.IsZero() {
		return "everything is refunded."
	}
	return "the fare and the taxes are refunded."
}

// noShow settles a ticket whose flights have all left: it refunds what the brand grants after a
// no-show, and nothing once the flights have landed.
func (r record) noShow(p tariff.Part, paid int64, landed, at time.Time) settlement {
	fare := p.Fare + p.Surcharge
	switch brand := r.brand(); {
	case !at.Before(landed):
		return settlement{kept: paid, rule: "The journey is over: nothing is refunded."}
	case brand == tariff.Flex:
		return settlement{back: fare / 2, kept: paid - fare/2, rule: r.Terms.NoShow}
	case brand == tariff.Marine:
		if cents, lost := tariff.MarineNoShow(r.rules()); !lost {
			fee := min(fare, tariff.InCurrency(cents, r.Price.Total.Currency).Minor)
			return settlement{back: fare - fee, fee: fee, kept: paid - fare, rule: r.Terms.NoShow}
		}
	}
	return settlement{kept: paid, rule: "The flights have left. " + r.Terms.NoShow}
}

// flownFare returns what so many flights of an order, beginning with the first of a ticket, would
// have cost alone. If the timetable no longer has them, it is their share by distance.
func (s *Seller) flownFare(r record, first, flown int) int64 {
	q, err := s.QuoteOf(r.Offer)
	if err != nil {
		km := 0
		for _, seg := range r.Itinerary.Segments[first : first+flown] {
			km += seg.DistanceKm
		}
		return r.Bill.Fares() * int64(km) / int64(max(1, r.Itinerary.DistanceKm()))
	}
	return s.Tariff.FlownFare(q, first, flown)
}
