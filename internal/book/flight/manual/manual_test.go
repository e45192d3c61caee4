package manual_test

import (
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/manual"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

var now = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

func usd(cents int64) gangway.Money { return gangway.Money{Minor: cents, Currency: "USD"} }

// bought returns a ticket that an agency has sold.
func bought() flight.Entry {
	at := func(day, hour int) time.Time { return time.Date(2026, 12, day, hour, 0, 0, 0, time.UTC) }
	return flight.Entry{
		Agency: "Harbour Travel", PNRs: []string{"ABC234"}, Tickets: []string{"6182412345678"},
		Itinerary: gangway.Itinerary{Segments: []gangway.Segment{
			{Carrier: "SQ", FlightNumber: "SQ917", Origin: "MNL", Destination: "SIN", Departure: at(1, 6),
				Arrival: at(1, 10), Cabin: gangway.Economy},
			{Carrier: "SQ", FlightNumber: "SQ324", Origin: "SIN", Destination: "AMS", Departure: at(1, 16),
				Arrival: at(2, 5), Cabin: gangway.Economy},
		}},
		Price: gangway.Price{Total: usd(81250), Fare: usd(70000), Taxes: usd(11250)},
		Terms: gangway.Terms{FareType: gangway.Marine, Cancellations: gangway.Refundable, Changes: gangway.FreeChange},
	}
}

// held enters what was booked and holds it.
func held(t *testing.T, r flight.Register, reference string, e flight.Entry) flight.Order {
	t.Helper()
	offer := must(r.Enter(t.Context(), reference, e))(t)
	order := must(r.Hold(t.Context(), flight.HoldAsk{Reference: reference, Offer: offer, Price: e.Price.Total}))(t)
	return order
}

func TestRegister(t *testing.T) {
	storetest.EachInTrial(t, func(t *testing.T, db *store.DB) {
		r := manual.New(db.In(storetest.Account(t, db).Scope()).Ledger(), nil, func() time.Time { return now })

		t.Run("an entry is held once, and issued with its own tickets", func(t *testing.T) {
			first := held(t, r, "r1", bought())
			if again := held(t, r, "r2", bought()); again.ID == first.ID {
				t.Fatal("two entries became one order")
			}
			same := must(r.Hold(t.Context(), flight.HoldAsk{Reference: "r1", Offer: first.ID,
				Price: first.Price.Total}))(t)
			if found := must(r.Find(t.Context(), "r1"))(t); same.ID != first.ID || found.ID != first.ID {
				t.Fatalf("held again as %s, found as %s; want %s", same.ID, found.ID, first.ID)
			}
			issued := must(r.Issue(t.Context(), first.ID, first.Price.Total))(t)
			if issued.Status != flight.Ticketed || issued.Tickets[0] != "6182412345678" ||
				issued.PNRs[0] != "ABC234" || issued.Plating != "SQ" {
				t.Fatalf("Issue = %+v", issued)
			}
			if s := issued.Itinerary.Segments[1]; s.DistanceKm < 10_000 || s.CO2eKg <= 0 || issued.Emissions.CO2eKg <=
				s.CO2eKg || issued.Emissions.FactorSet == "" {
				t.Errorf("emissions %+v of %+v", issued.Emissions, s)
			}
		})
		t.Run("a withdrawn entry is never held", func(t *testing.T) {
			offer := must(r.Enter(t.Context(), "r3", bought()))(t)
			refused(t, gangway.NotFound)(r.Find(t.Context(), "r3"))
			refused(t, gangway.Conflict)(r.Hold(t.Context(), flight.HoldAsk{Reference: "r3", Offer: offer,
				Price: usd(81250)}))
		})
		t.Run("it is not issued without tickets, and its seats end at the agency's deadline", func(t *testing.T) {
			e := bought()
			e.Tickets, e.TicketBy = nil, now.Add(-time.Minute)
			if late := held(t, r, "r4", e); late.Status != flight.Lapsed {
				t.Fatalf("it is %s; want it lapsed", late.Status)
			}
			e.TicketBy = now.Add(time.Hour)
			order := held(t, r, "r5", e)
			_, err := r.Issue(t.Context(), order.ID, order.Price.Total)
			if refused(t, gangway.Conflict)(nil, err); !strings.Contains(err.Error(), "Harbour Travel") {
				t.Fatalf("Issue = %v; want to be asked for the ticket numbers", err)
			}
			done(t, r.EnterTickets(t.Context(), order.ID, []string{"6182412345679"}))
			issued := must(r.Issue(t.Context(), order.ID, order.Price.Total))(t)
			if issued.Tickets[0] != "6182412345679" {
				t.Fatalf("issued %q", issued.Tickets)
			}
		})
		t.Run("a refund is entered once it is known, and is never more than was paid", func(t *testing.T) {
			order := held(t, r, "r6", bought())
			must(r.Issue(t.Context(), order.ID, order.Price.Total))(t)
			quote := must(r.QuoteCancel(t.Context(), order.ID))(t)
			gone := must(r.Cancel(t.Context(), order.ID, quote.ID))(t)
			if !quote.Unknown || gone.Status != flight.Withdrawn || !gone.Refund.Unknown {
				t.Fatalf("cancelled on %+v: %s %+v", quote, gone.Status, gone.Refund)
			}
			refused(t, gangway.Invalid)(nil, r.EnterRefund(t.Context(), order.ID, usd(81251)))
			done(t, r.EnterRefund(t.Context(), order.ID, usd(70000)))
			refused(t, gangway.Conflict)(nil, r.EnterRefund(t.Context(), order.ID, usd(1)))
		})
		t.Run("a change made elsewhere moves the order once, and what was paid for it adds up",
			func(t *testing.T) {
				order := held(t, r, "r7", bought())
				later := bought()
				later.Price.Total, later.Due = usd(90000), usd(11750)
				for i := range later.Itinerary.Segments {
					s := &later.Itinerary.Segments[i]
					s.Departure, s.Arrival = s.Departure.AddDate(0, 0, 1), s.Arrival.AddDate(0, 0, 1)
				}
				refused(t, gangway.Invalid)(r.EnterChange(t.Context(), order.ID, later))
				must(r.Issue(t.Context(), order.ID, order.Price.Total))(t)
				for _, wrong := range []gangway.Money{usd(8749), {Minor: 11750, Currency: "EUR"}} {
					less := later
					less.Due = wrong
					refused(t, gangway.Invalid)(r.EnterChange(t.Context(), order.ID, less))
				}
				offer := must(r.EnterChange(t.Context(), order.ID, later))(t)
				if o := must(r.PriceChange(t.Context(), order.ID, offer))(t); o.Due != usd(11750) ||
					o.Penalty != usd(3000) || o.Price.Total != usd(93000) {
					t.Fatalf("PriceChange = %s due with a fee of %s for %s", o.Due, o.Penalty, o.Price.Total)
				}
				want := gangway.PriceOf(usd(78750), usd(11250), usd(3000))
				for range 2 {
					if moved := must(r.Change(t.Context(), order.ID, offer))(t); moved.Price != want ||
						len(moved.Changes) != 1 || !moved.Itinerary.Departure().Equal(later.Itinerary.Departure()) {
						t.Fatalf("Change = %+v", moved)
					}
				}
			})
		t.Run("an inconsistent entry is refused", func(t *testing.T) {
			for name, spoil := range map[string]func(*flight.Entry){
				"no flights": func(e *flight.Entry) { e.Itinerary.Segments = nil },
				"backwards": func(e *flight.Entry) {
					e.Itinerary.Segments[0].Arrival = e.Itinerary.Segments[0].Departure
				},
				"out of order": func(e *flight.Entry) {
					e.Itinerary.Segments[1].Departure = e.Itinerary.Segments[0].Departure
				},
				"no airport":            func(e *flight.Entry) { e.Itinerary.Segments[0].Origin = "manila" },
				"no flight number":      func(e *flight.Entry) { e.Itinerary.Segments[0].FlightNumber = "" },
				"no currency":           func(e *flight.Entry) { e.Price.Total.Currency = "" },
				"a short ticket number": func(e *flight.Entry) { e.Tickets = []string{"618"} },
				"one ticket twice":      func(e *flight.Entry) { e.Tickets = append(e.Tickets, e.Tickets[0]) },
			} {
				e := bought()
				spoil(&e)
				t.Log(name)
				refused(t, gangway.Invalid)(r.Enter(t.Context(), "bad", e))
			}
		})
	})
}
