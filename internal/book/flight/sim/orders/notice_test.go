package orders_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

func TestNotices(t *testing.T) {
	t.Run("other flights are offered in place of a cancelled one, and accepting them is free", func(t *testing.T) {
		for _, name := range []string{"Light", "Marine"} {
			c, order := disturbed(t, name, 2*aDay, because("cancelled"))
			instead := order.Notice.Itinerary
			if order.Notice.Minor || sameFlown(instead, order.Itinerary) {
				t.Fatalf("%s: notice %+v; want other flights", name, order.Notice)
			}
			first, last := instead.Segments[0], instead.Segments[len(instead.Segments)-1]
			if first.Origin != "MNL" || last.Destination != "AMS" ||
				first.Departure.Sub(order.Itinerary.Departure()).Abs() > 2*aDay {
				t.Fatalf("%s: %v on %s; want MNL to AMS, the same day or the next",
					name, instead.Route(), first.Departure)
			}
			moved := c.accept(t, order)
			if !sameFlown(moved.Itinerary, instead) || len(moved.Tickets) != 1 ||
				slices.Equal(moved.Tickets, order.Tickets) || moved.Emissions.CO2eKg <= 0 {
				t.Fatalf("%s: %v on tickets %q after %q, %+v; want new ones",
					name, moved.Itinerary.Route(), moved.Tickets, order.Tickets, moved.Emissions)
			}
			if got, want := c.seats(t, order.ID), flown(instead); !slices.Equal(got, want) {
				t.Fatalf("%s: seats on %q; want %q", name, got, want)
			}
			again, err := c.Accept(t.Context(), order.ID, order.Notice.ID)
			if err != nil || !slices.Equal(again.Tickets, moved.Tickets) {
				t.Fatalf("%s: Accept again = %q, %v; want nothing done", name, again.Tickets, err)
			}
			if q := c.quote(t, moved); q.Refund.Add(q.Kept) != moved.Price.Total || name == "Light" && q.Kept.IsZero() {
				t.Fatalf("%s: quote %+v once accepted; want the fare's own terms", name, q)
			}
		}
	})
	t.Run("the same flights at other times, if every connection holds", func(t *testing.T) {
		for _, word := range []string{"minutes later", "minutes earlier"} {
			c, order := disturbed(t, "Classic", 3*aDay, func(o flight.Order) bool {
				return because(word)(o) && slices.EqualFunc(o.Notice.Itinerary.Segments, o.Itinerary.Segments,
					func(a, b gangway.Segment) bool { return a.FlightNumber == b.FlightNumber })
			})
			moves := time.Duration(0)
			for i, seg := range order.Notice.Itinerary.Segments {
				moves = max(moves, seg.Departure.Sub(order.Itinerary.Segments[i].Departure).Abs())
				if seg.Duration() != order.Itinerary.Segments[i].Duration() {
					t.Fatalf("%s takes %s; want %s as before",
						seg.FlightNumber, seg.Duration(), order.Itinerary.Segments[i].Duration())
				}
			}
			if order.Notice.Minor != (moves <= 30*time.Minute) || moves < 20*time.Minute || moves > 3*time.Hour {
				t.Fatalf("minor: %v, with a move by %s", order.Notice.Minor, moves)
			}
			if moved := c.accept(t, order); !sameFlown(moved.Itinerary, order.Notice.Itinerary) {
				t.Fatalf("%v; want %v", moved.Itinerary.Segments, order.Notice.Itinerary.Segments)
			}
		}
	})
	t.Run("cancelling instead refunds everything, whatever the fare", func(t *testing.T) {
		for _, name := range []string{"Light", "Classic", "Flex", "Marine"} {
			c, order := disturbed(t, name, 2*aDay, because("cancelled"))
			q := c.quote(t, order)
			if q.Refund != order.Price.Total || !q.Kept.IsZero() || q.Void || !strings.Contains(q.Rule, "changed") {
				t.Fatalf("%s: quote %+v; want all of %s refunded, and the reason", name, q, order.Price.Total)
			}
			gone, err := c.Cancel(t.Context(), order.ID, q.ID)
			if err != nil || gone.Refund == nil || gone.Refund.Amount != order.Price.Total || gone.Notice != nil {
				t.Fatalf("%s: Cancel = %+v, %v", name, gone.Refund, err)
			}
		}
	})
	t.Run("changing to other flights within three days costs nothing, whatever the fare", func(t *testing.T) {
		for _, name := range []string{"Light", "Classic", "Marine"} {
			c, order := disturbed(t, name, 10*aDay, because("cancelled"))
			day := gangway.DateOf(order.Itinerary.Departure())
			changes, err := c.FindChanges(t.Context(), order.ID, []flight.Leg{between("MNL", "AMS", day.AddDays(2))})
			if err != nil || len(changes) == 0 {
				t.Fatalf("%s: FindChanges = %d, %v", name, len(changes), err)
			}
			for _, o := range changes {
				if !o.Due.IsZero() || !o.Penalty.IsZero() || o.Price != order.Price {
					t.Errorf("%s: %s due, penalty %s, new price %s; want nothing, and %s",
						name, o.Due, o.Penalty, o.Price.Total, order.Price.Total)
				}
			}
			far, err := c.FindChanges(t.Context(), order.ID, []flight.Leg{between("MNL", "AMS", day.AddDays(7))})
			if err != nil || name == "Light" && len(far) > 0 ||
				name == "Classic" && (len(far) == 0 || far[0].Penalty.IsZero()) {
				t.Errorf("%s: %d offers a week later, %v; want the fare's own terms", name, len(far), err)
			}
			moved, err := c.Change(t.Context(), order.ID, changes[0].ID)
			if err != nil || moved.Price != order.Price || moved.Notice != nil ||
				slices.Equal(moved.Tickets, order.Tickets) {
				t.Errorf("%s: Change = %s, notice %+v, tickets %q, %v",
					name, moved.Price.Total, moved.Notice, moved.Tickets, err)
			}
		}
	})
	t.Run("of two legs only the disrupted one is replaced", func(t *testing.T) {
		c := open(t)
		there, back := between("MNL", "AMS", "2026-12-10"), between("AMS", "MNL", "2026-12-14")
		offers := c.offers(t, flight.Ask{Legs: []flight.Leg{there, back}, Vessel: "Nordlys", Flag: "NO", MaxStops: -1})
		i := slices.IndexFunc(offers, brand("Marine"))
		if i < 0 {
			t.Fatalf("none of %d offers is marine", len(offers))
		}
		order := c.ticket(t, "r1", offers[i])
		old := order.Itinerary.Legs()
		for _, leg := range []int{0, 1} {
			a := c.account(t)
			c.now = old[leg][0].Departure.Add(-2 * aDay)
			got := a.Disturb(t, order.ID, func(o flight.Order) bool {
				return because("cancelled")(o) && slices.ContainsFunc(old[leg],
					func(seg gangway.Segment) bool { return strings.HasPrefix(o.Notice.Why, seg.FlightNumber+" ") })
			})
			legs := got.Notice.Itinerary.Legs()
			same := func(i int) bool {
				return sameFlown(gangway.Itinerary{Segments: legs[i]}, gangway.Itinerary{Segments: old[i]})
			}
			if len(legs) != 2 || same(leg) || !same(1-leg) {
				t.Errorf("leg %d was disrupted, and %v is offered for %v",
					leg, got.Notice.Itinerary.Route(), order.Itinerary.Route())
			}
			if leg == 1 { // the first leg was flown
				q, err := a.QuoteCancel(t.Context(), order.ID)
				if err != nil || q.Refund.Minor <= 0 || q.Kept.Minor <= 0 || q.Refund.Add(q.Kept) != order.Price.Total {
					t.Errorf("quote %+v, %v; want the price of what was flown kept", q, err)
				}
			}
		}
	})
}

// This tries thousands of seeds on one order: whatever airlines do, the flights that they offer can be
// flown.
func TestEveryNoticeIsSound(t *testing.T) {
	c := open(t)
	order := c.ticket(t, "r1", c.offer(t, toWork, brand("Classic")))
	a := c.account(t)
	kinds := map[string]int{}
	for _, before := range []time.Duration{20 * aDay, 3 * time.Hour, -time.Hour} {
		c.now = order.Itinerary.Departure().Add(-before)
		for seed := range int64(1500) {
			o := must(a.For(seed+1).Order(t.Context(), order.ID))(t)
			n := o.Notice
			if n == nil {
				continue
			}
			segments := n.Itinerary.Segments
			if n.ID == "" || n.Why == "" || n.At.After(c.now) {
				t.Fatalf("notice %+v", n)
			}
			if len(segments) == 0 {
				kinds["nothing"]++
				continue
			}
			kinds["something"]++
			if segments[0].Origin != "MNL" || segments[len(segments)-1].Destination != "AMS" {
				t.Fatalf("%s: %v", n.Why, n.Itinerary.Route())
			}
			for i, seg := range segments {
				if i > 0 && (seg.Origin != segments[i-1].Destination ||
					seg.Departure.Sub(segments[i-1].Arrival) < 25*time.Minute) {
					t.Fatalf("%s: %s at %s after %s lands at %s",
						n.Why, seg.FlightNumber, seg.Departure, segments[i-1].FlightNumber, segments[i-1].Arrival)
				}
				if seg.CO2eKg <= 0 || seg.DistanceKm <= 0 || seg.Cabin == "" {
					t.Fatalf("%s: segment %+v", n.Why, seg)
				}
			}
		}
	}
	if kinds["something"] < 100 {
		t.Fatalf("%v; want many notices that offer something", kinds)
	}
}
