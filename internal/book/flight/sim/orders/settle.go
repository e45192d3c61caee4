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

	feesTold bool // the rule names what was paid for changes
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
		all.feesTold = all.feesTold || one.feesTold
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

// settlePart works out what comes back for one ticket of an order, whose first
// flight is the order's flight first.
func (s *Seller) settlePart(r record, p tariff.Part, first int, at time.Time) settlement {
	flights := r.Itinerary.Segments[first : first+p.Flights]
	left := 0 // how many flights have left
	for left < len(flights) && !at.Before(flights[left].Departure) {
		left++
	}
	upsets := s.upsets(r, at)
	for _, u := range upsets {
		if u.flight >= first {
			left = min(left, u.flight-first) // whatever the timetable says
		}
	}
	fare, paid := p.Fare+p.Surcharge, p.Fare+p.Surcharge
	unused := int64(0)
	for i, tax := range p.Taxes {
		paid += tax
		if i >= left {
			unused += tax
		}
	}
	fee := int64(0)
	if r.Terms.Cancellations == gangway.PaidCancel {
		fee = r.Terms.CancelFee.Minor // such fares are never split
	}
	used := int64(0)
	if left > 0 && left < len(flights) {
		used = min(fare, s.flownFare(r, first, left))
	}
	back := func(of, fee int64, rule string) settlement {
		fee = min(fee, of)
		return settlement{back: of - fee + unused, fee: fee, kept: paid - of - unused, rule: rule}
	}
	everything := "everything comes back."
	if !r.Price.Fees.IsZero() {
		everything = "the fare and the taxes come back."
	}
	lost := "The fare does not come back; "
	if p.Surcharge > 0 {
		lost = "The fare and the airline's surcharge do not come back; "
	}
	switch refundable := r.Terms.Cancellations != gangway.NonRefundable; {
	case len(upsets) > 0 && left == 0:
		return back(fare, 0, "The airline has changed the flights by itself: "+everything)
	case len(upsets) > 0 && left < len(flights):
		return back(fare-used, 0, "The airline has changed the flights by itself: all comes back but what the flights used would have cost alone.")
	case left == len(flights):
		return r.noShow(p, paid, flights[len(flights)-1].Arrival, at)
	case !refundable && left == 0:
		return back(0, 0, lost+"the taxes do.")
	case !refundable:
		return back(0, 0, lost+"the taxes of the flights not used do.")
	case left > 0:
		return back(fare-used, fee, "What the flights used would have cost alone is kept; the rest comes back.")
	case fee > 0 && !r.Price.Fees.IsZero():
		one := back(fare, fee, fmt.Sprintf("%s for cancelling and %s paid for changes do not come back; the rest does.", r.Terms.CancelFee, r.Price.Fees))
		one.feesTold = true
		return one
	case fee > 0:
		return back(fare, fee, fmt.Sprintf("The airline keeps %s; the rest comes back.", r.Terms.CancelFee))
	}
	return back(fare, 0, "The fare is refundable: "+everything)
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
