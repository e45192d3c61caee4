package bookings

import (
	"context"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
)

// A bookingPlan is today's plan for a booking, to compare other flights with.
type bookingPlan struct {
	gangway.Plan
	wanted []gangway.Leg // the legs to fly, with when the traveller is wanted at their ends
}

// bookingPlanOf adds to today's plan for b when the traveller is wanted. The hour that its search
// asked for stays, as on the page of the crew change.
func bookingPlanOf(ctx context.Context, in store.Scoped, b gangway.Booking, p gangway.Plan) (bookingPlan, error) {
	why := b.Purpose
	if len(p.Legs) == 0 {
		return bookingPlan{Plan: p}, nil
	}
	if p.Side == "" || why.Search == "" {
		return bookingPlan{p, p.Legs}, nil
	}
	s, err := in.Search(ctx, why.Search)
	switch {
	case gangway.KindOf(err) == gangway.NotFound:
		return bookingPlan{p, p.Legs}, nil
	case err != nil:
		return bookingPlan{}, err
	case why.Member >= len(s.Members) || len(s.Members[why.Member].Legs) == 0:
		return bookingPlan{p, p.Legs}, nil
	}
	return bookingPlan{p, flights.AtPlan(s.Members[why.Member].Legs, p)}, nil
}

// spare says how flights do not fit the plan, or how much time to spare they leave.
func (p bookingPlan) spare(it gangway.Itinerary) flights.SpareWords {
	return flights.SpareBeside(it, p.wanted, p.Plan)
}
