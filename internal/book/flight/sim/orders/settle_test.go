package orders

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/simtest"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// journeysOfAllKinds returns offers in every brand: on one ticket and on several, of one leg and of
// two, in several currencies.
func journeysOfAllKinds(t *testing.T, n *Seller, days int) []flight.Offer {
	t.Helper()
	date := gangway.DateOf(simtest.Today).AddDays(days)
	leg := func(from, to gangway.Place, later int) gangway.Leg {
		return gangway.Leg{Origin: from, Destination: to, Date: date.AddDays(later)}
	}
	var offers []flight.Offer
	for i, legs := range [][]gangway.Leg{{leg("MNL", "AMS", 0)}, {leg("BOM", "IAH", 0)},
		{leg("AMS", "SIN", 0), leg("SIN", "AMS", 5)}} {
		ask := simtest.Crew(legs...)
		ask.Currency = []string{"USD", "EUR", "JPY"}[i]
		offers = append(offers, find(t, n, ask)...)
	}
	day, _ := timetable.DayOf(date)
	for i, j := range splitJourneys(t, n, day) {
		for _, b := range []*tariff.Brand{tariff.Light, tariff.Classic, tariff.Flex} {
			offers = append(offers, n.Offer(tariff.Quote{Journey: j, Brand: b, Cabin: gangway.Economy,
				At: simtest.Today, Currency: []string{"USD", "EUR", "KWD"}[i%3]}))
		}
	}
	return offers
}

// recordOf returns an offer as ticketed some days ago.
func recordOf(t interface{ Fatalf(string, ...any) }, n *Seller, o flight.Offer) record {
	q, err := n.QuoteOf(o.ID)
	if err != nil {
		t.Fatalf("quoteOf(%q) = %v", o.ID, err)
	}
	return record{
		Order: flight.Order{
			ID: "sim_AAAAAA", Status: flight.Ticketed, PricedItinerary: o.PricedItinerary,
			Plating: o.Plating, VoidUntil: simtest.Today.Add(time.Hour),
		},
		Offer: o.ID, Bill: n.Bill(q), Vessel: "Nordlys", Flag: "NO",
	}
}

// What was paid for tickets is either refunded, kept as a fee or kept for what was used, in total and for
// every single ticket, whenever they are cancelled.
func TestNoCentIsLost(t *testing.T) {
	n := open(t)
	s := New(n.Finder, nil, 0, n.now)
	offers := journeysOfAllKinds(t, n, 40)
	rapid.Check(t, func(t *rapid.T) {
		r := recordOf(t, n, rapid.SampledFrom(offers).Draw(t, "offer"))
		legs := r.Itinerary.Legs()
		end := int(r.Itinerary.Arrival().Sub(simtest.Today).Minutes()) + 60
		at := simtest.Today.Add(time.Duration(rapid.IntRange(0, end).Draw(t, "minutes")) * time.Minute)
		if rapid.Bool().Draw(t, "on the way") {
			seg := rapid.SampledFrom(r.Itinerary.Segments).Draw(t, "segment")
			at = rapid.SampledFrom([]time.Time{seg.Departure, seg.Arrival}).Draw(t,
				"end").Add(time.Duration(rapid.IntRange(-1, 1).Draw(t, "off")) * time.Second)
		}
		total := r.Price.Total.Minor
		if r.Bill.Total() != total || r.Bill.Price(r.Price.Total.Currency) != r.Price {
			t.Fatalf("the bill adds up to %+v; want %+v", r.Bill.Price(r.Price.Total.Currency), r.Price)
		}
		q, err := s.quoteCancel(r, at)
		if err != nil || q.Rule == "" || q.Refund.Minor < 0 || q.Kept.Minor < 0 || !q.Expires.After(at) {
			t.Fatalf("quote %+v, %v", q, err)
		}
		if q.Void {
			if at.Before(r.VoidUntil) {
				return
			}
			t.Fatalf("void at %s, after %s", at, r.VoidUntil)
		}
		if q.Refund.Add(q.Kept) != r.Price.Total {
			t.Fatalf("%s refunded and %s kept of %s", q.Refund, q.Kept, r.Price.Total)
		}
		var sum settlement
		first := 0
		for _, p := range r.Bill {
			one := s.settlePart(r, p, first, at)
			if one.back < 0 || one.fee < 0 || one.kept < 0 || one.back+one.fee+one.kept != (tariff.Bill{p}).Total() {
				t.Fatalf("%+v of a ticket for %d", one, (tariff.Bill{p}).Total())
			}
			first += p.Flights
			sum.back, sum.fee, sum.kept = sum.back+one.back, sum.fee+one.fee, sum.kept+one.kept
		}
		if first != len(r.Itinerary.Segments) || sum.back != q.Refund.Minor || sum.fee+sum.kept != q.Kept.Minor {
			t.Fatalf("tickets for %d of %d flights, %+v; want %+v", first, len(r.Itinerary.Segments), sum, q)
		}
		switch taxes := total - r.Bill.Fares(); {
		case at.Before(r.Itinerary.Departure()) && r.Terms.Cancellations == gangway.NonRefundable:
			if sum.back != taxes {
				t.Fatalf("%d refunded; want the taxes, %d", sum.back, taxes)
			}
		case at.Before(r.Itinerary.Departure()):
			if sum.back != total-r.Terms.CancelFee.Minor || sum.kept != 0 {
				t.Fatalf("%+v; want everything refunded but the fee, %s", sum, r.Terms.CancelFee)
			}
		case !at.Before(r.Itinerary.Arrival()):
			if sum.back != 0 {
				t.Fatalf("%d refunded after the journey", sum.back)
			}
		case len(r.Bill) == 1 && at.Before(legs[len(legs)-1][0].Departure) && len(legs) > 1 &&
			r.Terms.Cancellations == gangway.Refundable:
			if sum.back == 0 || sum.kept == 0 {
				t.Fatalf("%+v between two legs; want the price of what was flown kept", sum)
			}
		}
	})
}

// What is due for a change is right to the cent, in every brand.
func TestChangesToTheCent(t *testing.T) {
	n := open(t)
	s := New(n.Finder, nil, 0, n.now)
	offers := journeysOfAllKinds(t, n, 40)
	rapid.Check(t, func(t *rapid.T) {
		r := recordOf(t, n, rapid.SampledFrom(offers).Draw(t, "order"))
		o := rapid.SampledFrom(offers).Draw(t, "offer")
		q, err := n.QuoteOf(o.ID)
		if err != nil || q.Brand != r.brand() || q.Currency != r.Price.Total.Currency {
			return
		}
		q.At = simtest.Today.Add(time.Duration(rapid.IntRange(0, 38).Draw(t, "days")) * 24 * time.Hour)
		o = n.Offer(q)
		m, err := s.moveTo(r, q, o)
		if r.Terms.Changes == gangway.NoChange {
			if gangway.KindOf(err) != gangway.Conflict {
				t.Fatalf("moveTo = %v; want Conflict", err)
			}
			return
		}
		fee := gangway.Money{Currency: q.Currency}
		if r.Terms.Changes == gangway.PaidChange {
			fee = r.Terms.ChangeFee
		}
		paid, asked := r.Bill, n.Bill(q)
		due := asked.Fares() - paid.Fares()
		if r.Terms.Cancellations != gangway.Refundable {
			due = max(0, due)
		}
		due += asked.Total() - asked.Fares() - (paid.Total() - paid.Fares()) // taxes
		if q.Brand == tariff.Marine && r.Terms.Cancellations != gangway.Refundable {
			due = max(0, due)
		}
		if err != nil || m.Penalty != fee || m.Due.Minor != due+fee.Minor ||
			m.Due != m.Price.Total.Sub(r.Price.Total) {
			t.Fatalf("%s due with a fee of %s, %v; want %d and %s", m.Due, m.Penalty, err, due+fee.Minor, fee)
		}
		if flights := m.bill.Price(q.Currency); gangway.PriceOf(flights.Fare, flights.Taxes, fee) != m.Price ||
			flights.Total != m.Price.Flights() {
			t.Fatalf("bill %+v of %+v", m.bill, m.Price)
		}
		if !sound(m.bill) {
			t.Fatalf("bill %+v", m.bill)
		}
	})
}

// sound reports whether no amount of a bill is negative and every flight has its tax.
func sound(b tariff.Bill) bool {
	for _, p := range b {
		below := slices.ContainsFunc(p.Taxes, func(n int64) bool { return n < 0 })
		if below || p.Fare < 0 || p.Surcharge < 0 || len(p.Taxes) != p.Flights {
			return false
		}
	}
	return true
}

func TestSplitFees(t *testing.T) {
	n := open(t)
	for _, o := range journeysOfAllKinds(t, n, 40) {
		r := recordOf(t, n, o)
		if o.Terms.Splitting != (len(r.Bill) > 1) || !sound(r.Bill) {
			t.Errorf("%s: split %v with %d tickets", o.ID, o.Terms.Splitting, len(r.Bill))
		}
		if want := tariff.InCurrency(9000*len(r.Bill), o.Price.Total.Currency); o.Terms.Brand == "Classic" &&
			o.Terms.ChangeFee != want {
			t.Errorf("%s: change fee %s for %d tickets; want %s", o.ID, o.Terms.ChangeFee, len(r.Bill), want)
		}
		if o.Terms.Splitting && o.Terms.Cancellations == gangway.PaidCancel {
			t.Errorf("%s: a split journey with a fee for cancelling", o.ID)
		}
	}
}

func TestCheckDigit(t *testing.T) {
	for number, want := range map[string]int{"0371222494315": 1, "0000000000000": 0, "0000000000008": 1} {
		if got := checkDigit(number); got != want {
			t.Errorf("the check digit of %s is %d; want %d", number, got, want)
		}
	}
}
