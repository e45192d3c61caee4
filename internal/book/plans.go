package book

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// Plans has today's plans for any number of bookings, from only a few queries.
type Plans struct {
	changes  map[string]store.CrewChangeLine // with those who are booked
	searches map[string]gangway.Search
	requests map[request]gangway.TravelRequest
	lists    map[crewListDate]gangway.CrewList
	asked    map[string]bool // the crew changes that may have moved
	setting
}

// Undecided says why nothing is bought for a crew change while bookers are asked whether it moved.
const Undecided = "nobody has said yet whether its crew change moved"

type request struct{ id, sub string }

type crewListDate struct {
	change string
	at     gangway.Place
}

// PlansOf looks up today's plans for bookings.
func PlansOf(ctx context.Context, in store.Scoped, list []gangway.Booking) (Plans, error) {
	p := Plans{requests: map[request]gangway.TravelRequest{}, lists: map[crewListDate]gangway.CrewList{}}
	changes, requests, searches := map[string][]gangway.Traveller{}, map[string]bool{}, map[string]bool{}
	for _, b := range list {
		switch {
		case b.Purpose.Change != "":
			changes[b.Purpose.Change] = append(changes[b.Purpose.Change], b.Passenger)
		case b.Purpose.RequestID != "":
			requests[b.Purpose.RequestID] = true
		}
	}
	var err error
	if p.setting, err = settingOf(ctx, in); err != nil {
		return p, err
	}
	p.changes, err = in.CrewChangeLines(ctx, changes)
	if err == nil && len(changes) > 0 {
		p.asked, err = in.Asked(ctx)
	}
	if err != nil {
		return p, err
	}
	for _, b := range list {
		if _, there := p.changes[b.Purpose.Change]; !there && b.Purpose.Change != "" && b.Purpose.Search != "" {
			searches[b.Purpose.Search] = true
		}
	}
	if p.searches, err = in.SearchesOf(ctx, slices.Collect(maps.Keys(searches))); err != nil {
		return p, err
	}
	asked, err := in.TravelRequestsOf(ctx, slices.Collect(maps.Keys(requests)))
	for _, q := range asked {
		p.requests[request{q.RequestID, q.SubRequestID}] = q
	}
	return p, err
}

// PlanOf returns today's plan for what b was booked for; a plan without legs if
// there is none.
func PlanOf(ctx context.Context, in store.Scoped, b gangway.Booking) (gangway.Plan, error) {
	p, err := PlansOf(ctx, in, []gangway.Booking{b})
	return p.Of(b), err
}

// Misfit says how b differs from today's plan, or that this is not known yet; empty if it does not.
func (p Plans) Misfit(b gangway.Booking) string {
	return cmp.Or(p.differs(b), map[bool]string{true: Undecided}[p.Asked(b)])
}

func (p Plans) differs(b gangway.Booking) string {
	j, plan := p.Judge(b, time.Time{}), p.Of(b)
	return cmp.Or(Misfit(j.Fit, Against(plan)), map[bool]string{true: renamedWords}[j.Holds(gangway.NameChanged)])
}

// Asked reports whether people are asked whether the crew change of b moved: nothing of it is green.
func (p Plans) Asked(b gangway.Booking) bool { return p.asked[b.Purpose.Change] }

// Badge is Misfit in few words, for a row.
func (p Plans) Badge(b gangway.Booking) string {
	switch {
	case p.differs(b) != "":
		return StandingWords(p.Judge(b, time.Time{}))
	case p.Asked(b):
		return AskedWords
	}
	return ""
}

// OldPlan reports whether b is known not to be what is planned now.
func (p Plans) OldPlan(b gangway.Booking) bool { return p.differs(b) != "" }

// Judge judges one of the bookings alone. now is by the account's clock.
func (p Plans) Judge(b gangway.Booking, now time.Time) gangway.Judgement {
	return p.Of(b).Judge([]gangway.Booking{b}, false, now)
}

// Of returns today's plan for one of the bookings; a plan without legs if there is
// none.
func (p Plans) Of(b gangway.Booking) gangway.Plan {
	switch why := b.Purpose; {
	case why.Change != "":
		return p.ofCrew(b)
	case why.RequestID != "":
		q, there := p.requests[request{why.RequestID, why.SubRequestID}]
		switch {
		case !there && b.Supplier != flight.Elsewhere:
			return gangway.Plan{Unneeded: gangway.TakenBack}
		case there && q.Flight != nil:
			return p.of(gangway.Plan{Legs: q.Flight.Legs()})
		}
	}
	return gangway.Plan{}
}

func (p Plans) ofCrew(b gangway.Booking) gangway.Plan {
	key := crewListDate{b.Purpose.Change, gangway.Place(b.Purpose.Airport)}
	if c, there := p.changes[key.change]; there {
		list, made := p.lists[key]
		if !made {
			list = c.List(key.at)
			p.lists[key] = list
		}
		return p.of(list.Plan(b.Passenger, b.Purpose.Side))
	}
	s, there := p.searches[b.Purpose.Search]
	switch {
	case there && s.Uploaded:
		return gangway.Plan{Side: b.Purpose.Side, Unneeded: gangway.TakenBack}
	case there && b.Purpose.Member < len(s.Members):
		return p.of(s.Plan(b.Purpose.Member))
	}
	return gangway.Plan{}
}

// endedByPeople is how much of what people ended is looked at.
const endedByPeople = 30

// Unseated returns those of the latest bookings that people ended whose travellers are to fly still and are not booked
// otherwise; cut: there are others, which ended before.
func Unseated(ctx context.Context, in store.Scoped, now time.Time) (left []gangway.EndedBooking, cut bool, err error) {
	list, err := in.EndedByPeople(ctx, endedByPeople)
	if err != nil {
		return nil, false, err
	}
	ended := make([]gangway.Booking, len(list))
	for i, e := range list {
		ended[i] = e.Booking
	}
	plans, err := PlansOf(ctx, in, ended)
	if err != nil {
		return nil, false, err
	}
	for _, e := range list {
		plan := plans.Of(e.Booking)
		if !e.MayHoldAgain(now) || plan.Unneeded != "" {
			continue
		}
		legs := plan.Legs
		if len(legs) == 0 {
			legs = legsOf(e.Itinerary)
		}
		others, err := Twice(ctx, in, e.Passenger, legs)
		if err != nil {
			return nil, false, err
		}
		if len(others) == 0 {
			left = append(left, e)
		}
	}
	return left, len(list) == endedByPeople, nil
}
