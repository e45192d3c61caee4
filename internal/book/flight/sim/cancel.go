package sim

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway"
	"gangway/internal/book/flight"
)

// quoteLife is for how long a quote for cancelling is good, unless the rule
// that applies ends earlier.
const quoteLife = 30 * time.Minute

// QuoteCancel says what would come back if the order were cancelled now.
func (s *seller) QuoteCancel(ctx context.Context, id string) (flight.CancelQuote, error) {
	return slowly(ctx, s, func() (flight.CancelQuote, error) {
		r, err := s.load(ctx, id)
		if err != nil {
			return flight.CancelQuote{}, err
		}
		return s.quoteCancel(r, s.second())
	})
}

// Cancel gives up the order on the terms of a quote.
func (s *seller) Cancel(ctx context.Context, id, quote string) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) {
		return s.update(ctx, id, func(r *record) ([]gangway.Document, error) {
			at, err := r.quotedAt(quote)
			if err != nil {
				return nil, err
			}
			q, err := s.quoteCancel(*r, at)
			if err != nil {
				return nil, err
			}
			if now := s.now(); now.Before(at) || !now.Before(q.Expires) {
				return nil, gangway.Errorf(gangway.Conflict, "this quote has expired: ask what cancelling brings now")
			}
			r.Status = flight.Withdrawn
			if !q.Refund.IsZero() {
				r.Refund = &gangway.Refund{Amount: q.Refund, Void: q.Void, AskedAt: s.now().UTC()}
			}
			if q.Void {
				r.Refund.SettledAt = r.Refund.AskedAt
			}
			return s.reseat(ctx, r.ID, r.seats(), nil, time.Time{})
		})
	})
}

// quotedAt returns when a quote for the order as it stands was given.
func (r record) quotedAt(quote string) (time.Time, error) {
	version, seconds, _ := strings.Cut(strings.TrimPrefix(quote, "q"), "-")
	n, err := strconv.ParseInt(seconds, 36, 64)
	switch {
	case err != nil:
		return time.Time{}, gangway.Errorf(gangway.NotFound, "the airline has given no such quote")
	case version != strconv.Itoa(r.version):
		return time.Time{}, gangway.Errorf(gangway.Conflict, "the order has changed since this quote: ask what cancelling brings now")
	}
	return time.Unix(n, 0).UTC(), nil
}

// quoteCancel works out what cancelling brings at an instant.
func (s *seller) quoteCancel(r record, at time.Time) (flight.CancelQuote, error) {
	nothing := gangway.Money{Currency: r.Price.Total.Currency}
	q := flight.CancelQuote{ID: fmt.Sprintf("q%d-%s", r.version, strconv.FormatInt(at.Unix(), 36)), Refund: nothing, Kept: nothing}
	q.Expires = at.Add(quoteLife)
	until := func(t time.Time) {
		if at.Before(t) && t.Before(q.Expires) {
			q.Expires = t.UTC()
		}
	}
	switch r.Status {
	case flight.Held:
		until(r.HoldUntil)
		q.Rule = "No ticket was issued: the seats are given back and nothing is charged."
		return q, nil
	case flight.Lapsed:
		q.Rule = "The hold has ended by itself: nothing is charged."
		return q, nil
	case flight.Ticketed:
	default:
		return q, gangway.Errorf(gangway.Conflict, "the airline has this order as %s", r.Status)
	}
	until(r.VoidUntil)
	if at.Before(r.VoidUntil) {
		q.Void, q.Refund, q.Rule = true, r.Price.Total, "The tickets were issued today: they are void and nothing is charged."
		return q, nil
	}
	for _, seg := range r.Itinerary.Segments {
		until(seg.Departure)
		until(seg.Arrival)
	}
	all := s.settle(r, at)
	if fees := r.Price.Fees; !fees.IsZero() && all.back > 0 && !all.feesTold {
		all.rule += fmt.Sprintf(" The %s paid for changes do not come back.", fees)
	}
	q.Refund.Minor, q.Rule = all.back, all.rule
	q.Kept = r.Price.Total.Sub(q.Refund)
	return q, nil
}

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
func (s *seller) settle(r record, at time.Time) settlement {
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
func (s *seller) settlePart(r record, p part, first int, at time.Time) settlement {
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
func (r record) noShow(p part, paid int64, landed, at time.Time) settlement {
	fare := p.Fare + p.Surcharge
	switch brand := r.brand(); {
	case !at.Before(landed):
		return settlement{kept: paid, rule: "The journey is over: nothing comes back."}
	case brand == flex:
		return settlement{back: fare / 2, kept: paid - fare/2, rule: r.Terms.NoShow}
	case brand == marine:
		if cents, lost := marineNoShow(r.rules()); !lost {
			fee := min(fare, money(cents, r.Price.Total.Currency).Minor)
			return settlement{back: fare - fee, fee: fee, kept: paid - fare, rule: r.Terms.NoShow}
		}
	}
	return settlement{kept: paid, rule: "The flights have left. " + r.Terms.NoShow}
}

// rules returns the airline whose rules hold for an order.
func (r record) rules() string {
	if r.Rules != "" {
		return r.Rules
	}
	return r.Plating
}

// brand returns the brand that the order was booked in.
func (r record) brand() *brand {
	for _, b := range brands {
		if b.name == r.Terms.Brand {
			return b
		}
	}
	return light
}

// flownFare returns what so many flights of an order, from the first of a
// ticket on, would have cost alone. Where the timetable no longer has them it
// is their share by distance.
func (s *seller) flownFare(r record, first, flown int) int64 {
	q, err := s.quoteOf(r.Offer)
	if err != nil {
		km := 0
		for _, seg := range r.Itinerary.Segments[first : first+flown] {
			km += seg.DistanceKm
		}
		return s.billOf(r).fares() * int64(km) / int64(max(1, r.Itinerary.DistanceKm()))
	}
	cents, n := 0, 0
	for leg := range q.journey {
		p := &q.journey[leg]
		today, _ := s.localDay(int(s.lines[p.hops[0].line].from), minuteOf(q.at))
		for _, hops := range s.tickets(p.flights()) {
			if used := min(len(hops), first+flown-n); n >= first && used > 0 {
				f := s.ticketFare(hops[:used], q.brand, q.cabin, hops[0].day-today, q.own[min(n, len(q.own)):])
				cents += f.base + f.surcharge
			}
			n += len(hops)
		}
	}
	return money(cents, q.currency).Minor
}
