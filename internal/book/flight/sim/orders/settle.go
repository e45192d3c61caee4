package orders

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway"
	"gangway/internal/book/flight/sim/tariff"
)

// A settlement says where the money goes that was paid for tickets when they
// are given up: back, fee and kept together are what was paid.
type settlement struct {
	back int64
	fee  int64 // for giving them up
	kept int64 // for what was used, and what never comes back
	rule string

	feesNamed bool // the rule names what was paid for changes
}

// settle works out what comes back for an order at an instant. Each of its
// tickets is settled by itself.
func (s *Seller) settle(r record, at time.Time) settlement {
	var all settlement
	var rules []string
	first := 0
	for _, p := range s.billOf(r) {
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

// A ticketValue is what one ticket is worth: what was paid for it, and of that what
// was used by an instant.
type ticketValue struct {
	fare   int64 // with the surcharge
	used   int64 // what the flights used would have cost alone
	unused int64 // the taxes of the flights not used
	paid   int64
}

// worthOf returns what a ticket is worth of which so many flights have left.
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

// back settles a ticket by giving back so much of its fare, less a fee, and the
// taxes of what was not used.
func (w ticketValue) back(of, fee int64, rule string) settlement {
	fee = min(fee, of)
	return settlement{back: of - fee + w.unused, fee: fee, kept: w.paid - of - w.unused, rule: rule}
}

// settlePart works out what comes back for one ticket of an order, whose first
// flight is the order's flight first.
func (s *Seller) settlePart(r record, p tariff.Part, first int, at time.Time) settlement {
	flights := r.Itinerary.Segments[first : first+p.Flights]
	left := 0 // how many flights have left
	for left < len(flights) && !at.Before(flights[left].Departure) {
		left++
	}
	disrupted := s.disruptedFlights(r, at)
	for _, u := range disrupted {
		if u.flight >= first {
			left = min(left, u.flight-first) // whatever the timetable says
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
	return w.back(w.fare-w.used, 0, why+"all comes back but what the flights used would have cost alone.")
}

// settleLost settles a ticket whose fare does not come back.
func settleLost(w ticketValue, left int, surcharge bool) settlement {
	lost := "The fare does not come back; "
	if surcharge {
		lost = "The fare and the airline's surcharge do not come back; "
	}
	if left == 0 {
		return w.back(0, 0, lost+"the taxes do.")
	}
	return w.back(0, 0, lost+"the taxes of the flights not used do.")
}

// settleRefundable settles a ticket whose fare comes back, less a fee where there is one.
func (r record) settleRefundable(w ticketValue, left int) settlement {
	fee := int64(0)
	if r.Terms.Cancellations == gangway.PaidCancel {
		fee = r.Terms.CancelFee.Minor // such fares are never split
	}
	switch {
	case left > 0:
		const rule = "What the flights used would have cost alone is kept; the rest comes back."
		return w.back(w.fare-w.used, fee, rule)
	case fee > 0 && !r.Price.Fees.IsZero():
		const rule = "%s for cancelling and %s paid for changes do not come back; the rest does."
		one := w.back(w.fare, fee, fmt.Sprintf(rule, r.Terms.CancelFee, r.Price.Fees))
		one.feesNamed = true
		return one
	case fee > 0:
		return w.back(w.fare, fee, fmt.Sprintf("The airline keeps %s; the rest comes back.", r.Terms.CancelFee))
	}
	return w.back(w.fare, 0, "The fare is refundable: "+r.everything())
}

// everything says that all comes back but fees that were paid for changes.
func (r record) everything() string {
	if r.Price.Fees.IsZero() {
		return "everything comes back."
	}
	return "the fare and the taxes come back."
}

// noShow settles a ticket whose flights have all left: what the brand grants
// to who did not show up comes back, and nothing once they have landed.
func (r record) noShow(p tariff.Part, paid int64, landed, at time.Time) settlement {
	fare := p.Fare + p.Surcharge
	switch brand := r.brand(); {
	case !at.Before(landed):
		return settlement{kept: paid, rule: "The journey is over: nothing comes back."}
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

// flownFare returns what so many flights of an order, from the first of a
// ticket on, would have cost alone. Where the timetable no longer has them it
// is their share by distance.
func (s *Seller) flownFare(r record, first, flown int) int64 {
	q, err := s.QuoteOf(r.Offer)
	if err != nil {
		km := 0
		for _, seg := range r.Itinerary.Segments[first : first+flown] {
			km += seg.DistanceKm
		}
		return s.billOf(r).Fares() * int64(km) / int64(max(1, r.Itinerary.DistanceKm()))
	}
	return s.Tariff.FlownFare(q, first, flown)
}
