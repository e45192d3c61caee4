package orders

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim/chance"
	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// Issue pays for a held order and has its tickets issued.
func (s *Seller) Issue(ctx context.Context, id string, pay gangway.Money) (flight.Order, error) {
	var refusal error // by magic, which remembers it
	order, err := s.update(ctx, id, func(r *record) ([]gangway.Document, error) {
		switch {
		case r.Status == flight.Lapsed:
			return nil, errLapsed(*r)
		case r.Status != flight.Held:
			return nil, gangway.Errorf(gangway.Conflict, "the airline has this order as %s", r.Status)
		case pay != r.Price.Total:
			return nil, gangway.Errorf(gangway.Conflict, "the price is now %s, not %s", r.Price.Total, pay)
		}
		if refusal = r.refuseTicket(); refusal != nil {
			return nil, nil
		}
		r.Status, r.VoidUntil = flight.Ticketed, s.voidUntil(r.Itinerary)
		seats, err := s.reseat(ctx, r.ID, r.seats(), r.seats(), time.Time{})
		if err != nil {
			return nil, err
		}
		tickets, err := s.ticket(ctx, r)
		if err != nil {
			return nil, err
		}
		return append(seats, tickets...), s.afterTicket(r)
	})
	if err == nil && refusal != nil {
		return flight.Order{}, refusal
	}
	return order, err
}

// voidUntil returns until when tickets issued now can be voided: 23:59 of the day at the place
// where the journey begins, or the journey's beginning.
func (s *Seller) voidUntil(it gangway.Itinerary) time.Time {
	departure := it.Departure()
	until := tariff.EndOfDay(s.now(), s.Airport(it.Segments[0].Origin).Loc)
	if until.After(departure) {
		until = departure
	}
	return until.UTC()
}

// ticket gives an order a ticket for each part of its bill, and returns the documents that
// reserve their numbers. Airlines without an accounting code issue no tickets, only a locator.
func (s *Seller) ticket(ctx context.Context, r *record) ([]gangway.Document, error) {
	r.Tickets = nil
	var docs []gangway.Document
	for _, p := range r.Bill {
		carrier, _ := world.AirlineOf(p.Plating)
		if carrier.Numeric == "" {
			continue
		}
		number, err := s.freeNumber(ctx, carrier.Numeric, r.ID, r.Papers)
		if err != nil {
			return nil, err
		}
		doc, err := json.Marshal(ticketRecord{Order: r.ID, Paper: r.Papers, Check: checkDigit(number)})
		if err != nil {
			return nil, fmt.Errorf("write ticket: %w", err)
		}
		r.Tickets = append(r.Tickets, number)
		r.Papers++
		docs = append(docs, gangway.Document{ID: ticketPrefix + number, Doc: doc, Version: 1})
	}
	return docs, nil
}

// A ticketRecord is a ticket in the ledger.
type ticketRecord struct {
	Order string `json:"order"`
	Paper int    `json:"paper"` // how many tickets the order had before
	Check int    `json:"check"` // the check digit that airlines print after the number
}

// freeNumber returns an unused ticket number: the airline's accounting code, 999, and seven
// digits. No agent has documents that begin with 999, so it cannot be mistaken for a real
// ticket.
func (s *Seller) freeNumber(ctx context.Context, numeric, order string, paper int) (string, error) {
	for try := range 1000 {
		drawn := chance.Draw("ticket", fmt.Sprintf("%s %d", order, paper), try)
		number := fmt.Sprintf("%s999%07d", numeric, drawn%10_000_000)
		if _, _, err := s.ledger.Load(ctx, ticketPrefix+number); err != nil {
			if gangway.KindOf(err) == gangway.NotFound {
				return number, nil
			}
			return "", fmt.Errorf("load ticket: %w", err)
		}
	}
	return "", fmt.Errorf("airline %s has no ticket numbers left", numeric)
}

// checkDigit returns the digit printed after a ticket number: the number modulo seven.
func checkDigit(number string) int {
	rest := 0
	for _, c := range number {
		rest = (rest*10 + int(c-'0')) % 7
	}
	return rest
}
