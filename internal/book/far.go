package book

import (
	"context"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/world"
)

// A FarError says that nothing was booked because the flights end on another continent than everything that is planned
// for the traveller and the vessel, and the booker was not asked: codes of places are easily mistaken.
//
// Decided: docs/choices.md, "Another continent than the plan".
type FarError struct{ To, Planned gangway.Place }

func (e *FarError) Error() string {
	return string(e.To) + " is on another continent than " + string(e.Planned) + ", which is planned: confirm that " +
		"it is meant"
}

// Unwrap makes it a Conflict.
func (e *FarError) Unwrap() error { return gangway.Errorf(gangway.Conflict, "%s", e.Error()) }

// planAhead is how far ahead, and how many, crew changes of a vessel are looked at.
const (
	planAhead    = 60
	changesAhead = 10
)

// Far returns a FarError if a booking for a member of s needs that the booker is asked about its continent.
func (d *Desk) Far(ctx context.Context, in store.Scoped, s gangway.Search, member int) (*FarError, error) {
	b, legs, err := d.draft(ctx, in, gangway.User{}, BookAsk{Search: s.ID, Member: member})
	if err != nil {
		return nil, err
	}
	return d.far(ctx, in, b, legs)
}

func (d *Desk) far(ctx context.Context, in store.Scoped, b gangway.Booking, legs []gangway.Leg) (*FarError, error) {
	if len(legs) == 0 {
		return nil, nil
	}
	to := legs[len(legs)-1].Destination
	planned, err := d.plannedPlaces(ctx, in, b)
	if err != nil || len(planned) == 0 || continent(to) == "" {
		return nil, err
	}
	for _, p := range append(planned, gangway.Place(b.Passenger.HomeAirport)) {
		if continent(p) == continent(to) {
			return nil, nil
		}
	}
	return &FarError{to, planned[0]}, nil
}

// plannedPlaces returns where b's crew change or travel request has the traveller, and where its vessel changes crew in
// the next weeks.
func (d *Desk) plannedPlaces(ctx context.Context, in store.Scoped, b gangway.Booking) ([]gangway.Place, error) {
	plan, err := PlanOf(ctx, in, b)
	if err != nil {
		return nil, err
	}
	var list []gangway.Place
	for _, l := range plan.Legs {
		list = append(list, l.Destination, l.Origin)
	}
	if vessel := gangway.Fold(b.Purpose.Vessel); vessel != "" {
		today := gangway.DateOf(d.now(in).UTC())
		keys, err := in.CrewChangeKeys(ctx, vessel, today, today.AddDays(planAhead), changesAhead)
		if err != nil {
			return nil, err
		}
		none := map[string][]gangway.Traveller{}
		for _, key := range keys {
			none[key] = nil
		}
		changes, err := in.CrewChangeLines(ctx, none)
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			if c, there := changes[key]; there {
				place, _ := c.Where()
				list = append(list, place)
			}
		}
	}
	known := list[:0]
	for _, p := range list {
		if continent(p) != "" {
			known = append(known, p)
		}
	}
	return known, nil
}

func continent(code gangway.Place) string {
	p, _ := world.PlaceOf(string(code))
	return p.Continent()
}

// settledFar returns a FarError unless the booker was asked or there is nothing to ask.
func (d *Desk) settledFar(ctx context.Context, in store.Scoped, b gangway.Booking, legs []gangway.Leg,
	ask BookAsk) error {
	if ask.Supplier == flight.Elsewhere {
		return nil
	}
	far, err := d.far(ctx, in, b, legs)
	if err == nil && far != nil && far.To != ask.Far {
		return far
	}
	return err
}
