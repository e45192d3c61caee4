package orders_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/world"
)

// A counter sells the network's flights to one account, at a time of its own.
type counter struct {
	flight.Supplier
	now    time.Time
	ledger store.Ledger
}

func open(t *testing.T) *counter {
	t.Helper()
	db := storetest.New(t)
	c := &counter{now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), ledger: db.In(storetest.Account(t, db).Scope()).Ledger()}
	network, err := sim.New(sim.Config{Now: func() time.Time { return c.now }})
	if err != nil {
		t.Fatal(err)
	}
	c.Supplier = network.For(c.ledger, 0)
	return c
}

var (
	passenger = gangway.Traveller{LastName: "Santos", FirstName: "Maria"}
	toWork    = between("MNL", "AMS", "2026-12-10")
)

// between is a flight on a day.
func between(from, to gangway.Airport, on gangway.Date) flight.Leg {
	return flight.Leg{From: []flight.End{{Airport: from}}, To: []flight.End{{Airport: to}}, Date: on}
}

// offer returns the first offer that fits.
func (c *counter) offer(t *testing.T, leg flight.Leg, fits func(flight.Offer) bool) flight.Offer {
	t.Helper()
	var offers []flight.Offer
	err := c.Search(t.Context(), flight.Ask{Legs: []flight.Leg{leg}, Vessel: "Nordlys", Flag: "NO", MaxStops: -1}, func(o []flight.Offer) { offers = append(offers, o...) })
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(offers, fits)
	if i < 0 {
		t.Fatalf("none of %d offers fits", len(offers))
	}
	return offers[i]
}

// brand fits offers of a brand with changes of flights that a small delay does not endanger.
func brand(name string) func(flight.Offer) bool {
	return func(o flight.Offer) bool {
		for _, leg := range o.Itinerary.Legs() {
			for i := range leg[1:] {
				if leg[i+1].Departure.Sub(leg[i].Arrival) < 100*time.Minute {
					return false
				}
			}
		}
		return o.Terms.Brand == name && len(o.Itinerary.Segments) > 1
	}
}

func (c *counter) hold(t *testing.T, reference string, o flight.Offer) flight.Order {
	t.Helper()
	order, err := c.Hold(t.Context(), ask(reference, o))
	if err != nil {
		t.Fatalf("Hold: %v", err)
	}
	return order
}

func ask(reference string, o flight.Offer) flight.HoldAsk {
	return flight.HoldAsk{Reference: reference, Offer: o.ID, Price: o.Price.Total, Passenger: passenger, Vessel: "Nordlys", Flag: "NO"}
}

func (c *counter) ticket(t *testing.T, reference string, o flight.Offer) flight.Order {
	t.Helper()
	order := c.hold(t, reference, o)
	order, err := c.Issue(t.Context(), order.ID, order.Price.Total)
	if err != nil {
		t.Fatalf("Issue: %v", err)
	}
	return order
}

func (c *counter) quote(t *testing.T, order flight.Order) flight.CancelQuote {
	t.Helper()
	q, err := c.QuoteCancel(t.Context(), order.ID)
	if err != nil {
		t.Fatalf("QuoteCancel: %v", err)
	}
	return q
}

func TestHold(t *testing.T) {
	t.Run("an offer in the last second of its life can be held, and not after it", func(t *testing.T) {
		c := open(t)
		o := c.offer(t, toWork, brand("Light"))
		c.now = o.Expires.Add(-time.Nanosecond)
		c.hold(t, "r1", o)
		c.now = o.Expires
		if _, err := c.Hold(t.Context(), ask("r2", o)); gangway.KindOf(err) != gangway.Conflict {
			t.Fatalf("Hold = %v; want Conflict", err)
		}
		if again := c.hold(t, "r1", o); again.Status != flight.Held {
			t.Fatalf("the first hold is %s; want it held still", again.Status)
		}
	})
	t.Run("every brand can be held and then ticketed, to the last second", func(t *testing.T) {
		for _, name := range []string{"Light", "Classic", "Flex", "Marine"} {
			c := open(t)
			order := c.hold(t, "r1", c.offer(t, toWork, brand(name)))
			c.now = order.TicketBy.Add(-time.Nanosecond)
			if got, err := c.Issue(t.Context(), order.ID, order.Price.Total); err != nil || got.Status != flight.Ticketed {
				t.Errorf("%s: Issue = %s, %v", name, got.Status, err)
			}
			late := open(t)
			order = late.hold(t, "r1", late.offer(t, toWork, brand(name)))
			late.now = order.TicketBy
			if got, err := late.Issue(t.Context(), order.ID, order.Price.Total); gangway.KindOf(err) != gangway.Conflict {
				t.Errorf("%s: Issue at the deadline = %s, %v; want Conflict", name, got.Status, err)
			}
		}
	})
	t.Run("what was looked for in vain never comes", func(t *testing.T) {
		c := open(t)
		o := c.offer(t, toWork, brand("Marine"))
		for range 2 {
			if _, err := c.Find(t.Context(), "r1"); gangway.KindOf(err) != gangway.NotFound {
				t.Fatalf("Find = %v; want NotFound", err)
			}
		}
		if _, err := c.Hold(t.Context(), ask("r1", o)); gangway.KindOf(err) != gangway.Conflict {
			t.Fatalf("Hold = %v; want Conflict", err)
		}
		if _, err := c.Find(t.Context(), "r1"); gangway.KindOf(err) != gangway.NotFound {
			t.Fatalf("Find = %v; want NotFound", err)
		}
	})
	t.Run("what is missing is said", func(t *testing.T) {
		c := open(t)
		o := c.offer(t, toWork, brand("Marine"))
		for name, spoil := range map[string]func(*flight.HoldAsk){
			"the vessel":    func(a *flight.HoldAsk) { a.Vessel = "" },
			"the flag":      func(a *flight.HoldAsk) { a.Flag = "" },
			"the name":      func(a *flight.HoldAsk) { a.Passenger.LastName = "" },
			"the reference": func(a *flight.HoldAsk) { a.Reference = "" },
		} {
			a := ask("r1", o)
			spoil(&a)
			if _, err := c.Hold(t.Context(), a); gangway.KindOf(err) != gangway.Invalid {
				t.Errorf("Hold without %s = %v; want Invalid", name, err)
			}
		}
	})
	t.Run("two orders never share a locator", func(t *testing.T) {
		c := open(t)
		o := c.offer(t, toWork, brand("Marine"))
		first := c.hold(t, "r1", o)
		// In another account the same reference gives the same locator; here it is taken already.
		other := open(t)
		if err := other.ledger.Save(t.Context(), gangway.Document{ID: first.ID, Reference: "somebody else's", Doc: []byte(`{}`), Version: 1}); err != nil {
			t.Fatal(err)
		}
		if got := other.hold(t, "r1", o); got.PNRs[0] == first.PNRs[0] || len(got.PNRs[0]) != 6 || got.Reference != "r1" {
			t.Fatalf("locator %s; want another than %s", got.PNRs[0], first.PNRs[0])
		}
	})
}

func TestTickets(t *testing.T) {
	t.Run("thirteen digits: the airline's code, 999, and seven of its own", func(t *testing.T) {
		c := open(t)
		seen := map[string]bool{}
		for i := range 5 {
			o := c.offer(t, toWork, brand("Marine"))
			order := c.ticket(t, fmt.Sprint("r", i), o)
			plating, _ := world.AirlineOf(order.Plating)
			if len(order.Tickets) != 1 || len(order.Tickets[0]) != 13 || !strings.HasPrefix(order.Tickets[0], plating.Numeric+"999") || seen[order.Tickets[0]] {
				t.Fatalf("tickets %q on %s; want one of its own, %s999…", order.Tickets, order.Plating, plating.Numeric)
			}
			seen[order.Tickets[0]] = true
		}
	})
	t.Run("a number that is taken is not given again", func(t *testing.T) {
		c := open(t)
		o := c.offer(t, toWork, brand("Marine"))
		taken := c.ticket(t, "r1", o).Tickets[0]
		other := open(t)
		if err := other.ledger.Save(t.Context(), gangway.Document{ID: "ticket_" + taken, Doc: []byte(`{"order": "another", "paper": 0}`), Version: 1}); err != nil {
			t.Fatal(err)
		}
		if got := other.ticket(t, "r1", o).Tickets; len(got) != 1 || got[0] == taken {
			t.Fatalf("tickets %q; want another than %s", got, taken)
		}
	})
	t.Run("an airline without accounting code issues none", func(t *testing.T) {
		c := open(t)
		o := c.offer(t, between("LGW", "GVA", "2026-12-10"), func(o flight.Offer) bool { return o.Plating == "U2" })
		if order := c.ticket(t, "r1", o); len(order.Tickets) != 0 || order.Status != flight.Ticketed || len(order.PNRs) == 0 {
			t.Fatalf("%s with tickets %q and locator %q; want no tickets", order.Status, order.Tickets, order.PNRs)
		}
	})
}

func TestRefunds(t *testing.T) {
	all := func(o flight.Order) int64 { return o.Price.Total.Minor }
	none := func(flight.Order) int64 { return 0 }
	tests := []struct {
		name   string
		brand  string
		at     func(flight.Order) time.Time
		refund func(flight.Order) int64
	}{
		{"Flex gets all back", "Flex", dayBefore, all},
		{"Marine gets all back less the fee", "Marine", dayBefore, func(o flight.Order) int64 { return o.Price.Total.Minor - o.Terms.CancelFee.Minor }},
		{"Light loses all by a no-show", "Light", lastLeft, none},
		{"Classic loses all by a no-show", "Classic", lastLeft, none},
		{"nothing comes back when the journey is over", "Flex", over, none},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := open(t)
			order := c.ticket(t, "r1", c.offer(t, toWork, brand(tt.brand)))
			c.now = tt.at(order)
			q := c.quote(t, order)
			if q.Refund.Minor != tt.refund(order) || q.Refund.Add(q.Kept) != order.Price.Total || q.Void || q.Rule == "" {
				t.Fatalf("quote %+v of %+v; want %d back", q, order.Price, tt.refund(order))
			}
			gone, err := c.Cancel(t.Context(), order.ID, q.ID)
			if err != nil || gone.Status != flight.Withdrawn || (gone.Refund == nil) != q.Refund.IsZero() {
				t.Fatalf("Cancel = %s, refund %+v, %v", gone.Status, gone.Refund, err)
			}
		})
	}
	t.Run("Light and Classic get the taxes back, but not what airlines add to them", func(t *testing.T) {
		for _, name := range []string{"Light", "Classic"} {
			c := open(t)
			order := c.ticket(t, "r1", c.offer(t, toWork, brand(name)))
			c.now = dayBefore(order)
			q := c.quote(t, order)
			if added := order.Price.Taxes != q.Refund; strings.Contains(q.Rule, "surcharge") != added {
				t.Errorf("%s: %q with %s back of taxes of %s; want a surcharge named only where there is one", name, q.Rule, q.Refund, order.Price.Taxes)
			}
			if q.Refund.Minor <= 0 || q.Refund.Minor >= order.Price.Taxes.Minor || q.Refund.Add(q.Kept) != order.Price.Total {
				t.Errorf("%s: quote %+v of %+v; want some of the taxes", name, q, order.Price)
			}
		}
	})
	t.Run("half-way, what was flown is kept at its own fare", func(t *testing.T) {
		c := open(t)
		order := c.ticket(t, "r1", c.offer(t, toWork, brand("Flex")))
		first := order.Itinerary.Segments[0]
		c.now = first.Departure.Add(time.Minute)
		q := c.quote(t, order)
		if q.Refund.Minor <= 0 || q.Refund.Minor >= order.Price.Total.Minor || q.Refund.Add(q.Kept) != order.Price.Total {
			t.Fatalf("quote %+v of %+v", q, order.Price)
		}
		if want := order.Itinerary.Segments[1].Departure; q.Expires.After(want) || q.Expires.After(c.now.Add(30*time.Minute)) {
			t.Fatalf("the quote is good until %s; want no longer than to the next departure, %s", q.Expires, want)
		}
	})
	t.Run("the refund comes three days later", func(t *testing.T) {
		c := open(t)
		order := c.ticket(t, "r1", c.offer(t, toWork, brand("Flex")))
		c.now = dayBefore(order)
		gone, err := c.Cancel(t.Context(), order.ID, c.quote(t, order).ID)
		if err != nil || gone.Refund == nil {
			t.Fatalf("Cancel = %+v, %v", gone.Refund, err)
		}
		settled := c.now.Add(72 * time.Hour)
		for at, want := range map[time.Time]time.Time{settled.Add(-time.Second): {}, settled: settled, settled.AddDate(1, 0, 0): settled} {
			c.now = at
			if o, err := c.Order(t.Context(), order.ID); err != nil || !o.Refund.SettledAt.Equal(want) {
				t.Errorf("at %s: settled at %s, %v; want %s", at, o.Refund.SettledAt, err, want)
			}
		}
	})
}

func dayBefore(o flight.Order) time.Time { return o.Itinerary.Departure().Add(-24 * time.Hour) }
func over(o flight.Order) time.Time      { return o.Itinerary.Arrival() }
func lastLeft(o flight.Order) time.Time {
	return o.Itinerary.Segments[len(o.Itinerary.Segments)-1].Departure.Add(time.Second)
}

func TestVoid(t *testing.T) {
	c := open(t)
	order := c.ticket(t, "r1", c.offer(t, toWork, brand("Light")))
	// 09:00 in UTC is 17:00 in Manila.
	if want := time.Date(2026, 11, 2, 15, 59, 0, 0, time.UTC); !order.VoidUntil.Equal(want) {
		t.Fatalf("void until %s; want 23:59 in Manila, %s", order.VoidUntil, want)
	}
	c.now = order.VoidUntil.Add(-10 * time.Minute)
	q := c.quote(t, order)
	if !q.Void || !q.Expires.Equal(order.VoidUntil) {
		t.Fatalf("quote %+v; want a void until %s", q, order.VoidUntil)
	}
	c.now = order.VoidUntil
	if _, err := c.Cancel(t.Context(), order.ID, q.ID); gangway.KindOf(err) != gangway.Conflict {
		t.Fatalf("Cancel after the void period = %v; want Conflict", err)
	}
	if q := c.quote(t, order); q.Void || q.Refund.Minor <= 0 || q.Refund.Minor >= order.Price.Taxes.Minor {
		t.Fatalf("quote %+v; want no void any more, and no more than taxes back", q)
	}
}

func TestChanges(t *testing.T) {
	later := []flight.Leg{between("MNL", "AMS", "2026-12-14")}
	t.Run("the difference and the fee, once ticketed", func(t *testing.T) {
		for _, name := range []string{"Classic", "Flex", "Marine"} {
			for _, ticketed := range []bool{false, true} {
				c := open(t)
				order := c.hold(t, "r1", c.offer(t, toWork, brand(name)))
				if ticketed {
					order = c.issue(t, order)
				}
				offers, err := c.FindChanges(t.Context(), order.ID, later)
				if err != nil || len(offers) == 0 {
					t.Fatalf("%s: FindChanges = %d, %v", name, len(offers), err)
				}
				for _, o := range offers {
					fee := gangway.Money{Currency: "USD"}
					if ticketed && order.Terms.Changes == gangway.PaidChange {
						fee = order.Terms.ChangeFee
					}
					due := gangway.Money{Currency: "USD"}
					if ticketed {
						due = o.NewPrice.Flights().Sub(order.Price.Total).Add(fee)
					}
					if o.Penalty != fee || o.Due != due || o.NewPrice.Fees.Minor != fee.Minor || o.Terms.Brand != name {
						t.Errorf("%s: %s due, penalty %s, new price %s of %s; want %s with a fee of %s", name, o.Due, o.Penalty, o.NewPrice.Total, order.Price.Total, due, fee)
					}
					if ticketed && order.Terms.Cancellations != gangway.Refundable && o.NewPrice.Fare.Minor < order.Price.Fare.Minor {
						t.Errorf("%s: the fare falls from %s to %s though it is not refundable", name, order.Price.Fare, o.NewPrice.Fare)
					}
				}
				changed, err := c.Change(t.Context(), order.ID, offers[0].ID)
				if err != nil || changed.Price != offers[0].NewPrice || changed.Status != order.Status || gangway.DateOf(changed.Itinerary.Departure()) != later[0].Date {
					t.Fatalf("%s: Change = %s %s, %v", name, changed.Status, changed.Price.Total, err)
				}
				if ticketed && (len(changed.Tickets) != 1 || slices.Equal(changed.Tickets, order.Tickets)) {
					t.Errorf("%s: tickets %q after %q; want a new one", name, changed.Tickets, order.Tickets)
				}
				again, err := c.Change(t.Context(), order.ID, offers[0].ID)
				if err != nil || !slices.Equal(again.Tickets, changed.Tickets) {
					t.Errorf("%s: the same change again = %q, %v; want nothing done", name, again.Tickets, err)
				}
				if _, err := c.PriceChange(t.Context(), order.ID, offers[len(offers)-1].ID); gangway.KindOf(err) != gangway.Conflict {
					t.Errorf("%s: PriceChange of an offer for the flights before = %v; want Conflict", name, err)
				}
			}
		}
	})
	t.Run("Light cannot be changed, and nothing once the journey has begun", func(t *testing.T) {
		c := open(t)
		order := c.ticket(t, "r1", c.offer(t, toWork, brand("Light")))
		if _, err := c.FindChanges(t.Context(), order.ID, later); gangway.KindOf(err) != gangway.Conflict {
			t.Errorf("FindChanges of Light = %v; want Conflict", err)
		}
		order = c.ticket(t, "r2", c.offer(t, toWork, brand("Flex")))
		c.now = order.Itinerary.Departure()
		if _, err := c.FindChanges(t.Context(), order.ID, later); gangway.KindOf(err) != gangway.Conflict {
			t.Errorf("FindChanges on the way = %v; want Conflict", err)
		}
	})
	t.Run("no other brand by way of a change", func(t *testing.T) {
		c := open(t)
		order := c.ticket(t, "r1", c.offer(t, toWork, brand("Flex")))
		light := c.offer(t, later[0], brand("Light"))
		if _, err := c.Change(t.Context(), order.ID, "x2-"+light.ID); gangway.KindOf(err) != gangway.NotFound {
			t.Errorf("Change to another brand = %v; want NotFound", err)
		}
	})
}

func (c *counter) issue(t *testing.T, order flight.Order) flight.Order {
	t.Helper()
	order, err := c.Issue(t.Context(), order.ID, order.Price.Total)
	if err != nil {
		t.Fatalf("Issue: %v", err)
	}
	return order
}
