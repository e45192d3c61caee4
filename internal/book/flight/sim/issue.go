package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/world"
)

// Issue pays for a held order and turns it into tickets.
func (s *seller) Issue(ctx context.Context, id string, pay gangway.Money) (flight.Order, error) {
	return slowly(ctx, s, func() (flight.Order, error) {
		return s.update(ctx, id, func(r *record) error {
			switch {
			case r.Status == flight.Lapsed:
				return gangway.Errorf(gangway.Conflict, "the seats were held until %s and are gone", r.HoldUntil.Format("2 January 15:04 MST"))
			case r.Status != flight.Held:
				return gangway.Errorf(gangway.Conflict, "the airline has this order as %s", r.Status)
			case pay != r.Price.Total:
				return gangway.Errorf(gangway.Conflict, "the price is %s, not %s", r.Price.Total, pay)
			}
			r.Status, r.VoidUntil = flight.Ticketed, s.voidUntil(r.Itinerary)
			return s.ticket(ctx, r)
		})
	})
}

// voidUntil returns until when tickets issued now can be given back as if they
// had never been: 23:59 of the day where the journey begins, or its beginning.
func (s *seller) voidUntil(it gangway.Itinerary) time.Time {
	first := it.Segments[0]
	y, m, d := s.now().In(s.places[s.byCode[string(first.Origin)]].loc).Date()
	until := time.Date(y, m, d, 23, 59, 0, 0, s.places[s.byCode[string(first.Origin)]].loc)
	if until.After(first.Departure) {
		until = first.Departure
	}
	return until.UTC()
}

// ticket gives an order a ticket for each reservation that it is made of.
// Airlines without an accounting code issue none: their locator is all there is.
func (s *seller) ticket(ctx context.Context, r *record) error {
	r.Tickets = nil
	for _, carrier := range platings(r.Order) {
		if carrier.Numeric == "" {
			continue
		}
		number, err := s.takeNumber(ctx, carrier.Numeric, r.ID, r.Papers)
		if err != nil {
			return err
		}
		r.Tickets = append(r.Tickets, number)
		r.Papers++
	}
	return nil
}

// platings returns the airlines that issue an order's tickets: the plating one,
// or where the order is split, the airline of each part.
func platings(o flight.Order) []world.Airline {
	if !o.Terms.Splitting {
		plating, _ := world.AirlineOf(o.Plating)
		return []world.Airline{plating}
	}
	var all []world.Airline
	var before world.Airline
	for i, seg := range o.Itinerary.Segments {
		carrier, _ := world.AirlineOf(seg.Carrier)
		joined := i > 0 && (carrier == before || carrier.Type != world.LowCost && before.Type != world.LowCost)
		if !joined {
			all = append(all, carrier)
		}
		before = carrier
	}
	return all
}

// takeNumber takes a ticket number for an order: the airline's accounting code,
// 999, and seven digits. No agent has documents that begin with 999, so it can
// never be mistaken for a real ticket. The number is entered in the ledger
// before it is used; whoever tries again for the same paper gets the same.
func (s *seller) takeNumber(ctx context.Context, numeric, order string, paper int) (string, error) {
	type entry struct {
		Order string `json:"order"`
		Paper int    `json:"paper"`
	}
	mine := entry{order, paper}
	doc, err := json.Marshal(mine)
	if err != nil {
		return "", fmt.Errorf("write ticket number: %w", err)
	}
	for try := range 1000 {
		number := fmt.Sprintf("%s999%07d", numeric, chance("ticket", fmt.Sprintf("%s %d", order, paper), try)%10_000_000)
		id := ticketPrefix + number
		if err := s.ledger.Save(ctx, gangway.Document{ID: id, Reference: id, Doc: doc, Version: 1}); !conflict(err) {
			return number, err
		}
		taken, _, err := s.ledger.Load(ctx, id)
		if err != nil {
			return "", fmt.Errorf("load ticket number: %w", err)
		}
		var by entry
		if err := json.Unmarshal(taken, &by); err != nil {
			return "", fmt.Errorf("read ticket number: %w", err)
		}
		if by == mine {
			return number, nil
		}
	}
	return "", fmt.Errorf("airline %s has no ticket numbers left", numeric)
}
