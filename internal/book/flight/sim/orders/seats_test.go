package orders_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// This does anything to many orders, in any order: each has seats on exactly its flights as long as it
// is active, and none afterwards.
func TestSeatsFollowOrders(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := open(t)
		a := c.account(t)
		c.Supplier = a
		days := []gangway.Date{"2026-11-20", "2026-11-21", "2026-11-22"}
		orders := []string{}
		for i := range rapid.IntRange(5, 25).Draw(rt, "steps") {
			leg := between("LHR", "JFK", rapid.SampledFrom(days).Draw(rt, "day"))
			if len(orders) == 0 || rapid.IntRange(0, 2).Draw(rt, "new") == 0 {
				offers := c.offers(t, flight.Ask{Legs: []flight.Leg{leg}, Vessel: "Nordlys", Flag: "NO", MaxStops: 1})
				order, err := c.Hold(t.Context(), ask(fmt.Sprint("r", i), rapid.SampledFrom(offers).Draw(rt, "offer")))
				if err != nil {
					rt.Fatalf("Hold: %v", err)
				}
				orders = append(orders, order.ID)
				continue
			}
			id := rapid.SampledFrom(orders).Draw(rt, "order")
			o, err := c.Order(t.Context(), id)
			if err != nil {
				rt.Fatalf("Order: %v", err)
			}
			switch rapid.SampledFrom([]string{"issue", "cancel", "change", "accept", "wait"}).Draw(rt, "do") {
			case "issue":
				_, err = c.Issue(t.Context(), id, o.Price.Total)
			case "cancel":
				var q flight.CancelQuote
				if q, err = c.QuoteCancel(t.Context(), id); err == nil {
					_, err = c.Cancel(t.Context(), id, q.ID)
				}
			case "change":
				var offers []flight.ChangeOffer
				if offers, err = c.FindChanges(t.Context(), id, []flight.Leg{leg}); err == nil && len(offers) > 0 {
					_, err = c.Change(t.Context(), id, offers[0].ID)
				}
			case "accept":
				if a.Supplier = a.For(rapid.Int64Range(0, 40).Draw(rt, "seed")); o.Notice != nil {
					_, err = c.Accept(t.Context(), id, o.Notice.ID)
				}
			case "wait":
				c.now = c.now.Add(time.Duration(rapid.IntRange(1, 30).Draw(rt, "hours")) * time.Hour)
			}
			if err != nil && gangway.KindOf(err) != gangway.Conflict {
				rt.Fatal(err)
			}
		}
		seats := c.living(t)
		for _, id := range orders {
			o, err := c.Order(t.Context(), id)
			if err != nil {
				rt.Fatalf("Order: %v", err)
			}
			want := []string(nil)
			if o.Status == flight.Held || o.Status == flight.Ticketed {
				want = flown(o.Itinerary)
			}
			if slices.Sort(seats[id]); !slices.Equal(seats[id], want) {
				rt.Fatalf("%s order %s has seats on %q; want %q", o.Status, id, seats[id], want)
			}
		}
	})
}

// living returns the flights on which orders have seats now.
func (c *counter) living(t *testing.T) map[string][]string {
	t.Helper()
	seats := map[string][]string{}
	err := c.ledger.Scan(t.Context(), "sim_seats_", "sim_seats`", func(d gangway.Document) error {
		var m struct {
			Seats map[string]struct {
				Until time.Time `json:"until"`
			} `json:"seats"`
		}
		err := json.Unmarshal(d.Doc, &m)
		for order, s := range m.Seats {
			if s.Until.IsZero() || c.now.Before(s.Until) {
				seats[order] = append(seats[order], d.ID[len("sim_seats_20801_"):])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return seats
}
