package main

import (
	"context"
	"fmt"
	"sync"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/wire"

	"github.com/go-json-experiment/json/jsontext"
)

type plannedCommand struct {
	feedFlags
	On gangway.Date `required:"" placeholder:"YYYY-MM-DD" help:"The day. What has no date yet is listed too."`
}

func (c *plannedCommand) check() error {
	if !c.On.Valid() {
		return wrongUsage("--on is a date as in 2026-12-01")
	}
	return nil
}

// plannedAtMost is how many travel requests, and how many crew changes, are listed.
const plannedAtMost = 1000

// A plannedAnswer is what is planned for a day, in the interface's spelling.
type plannedAnswer struct {
	TravelRequests []jsontext.Value `json:"travel_requests"`
	CrewChanges    []jsontext.Value `json:"crew_changes"`
	Truncated      bool             `json:"truncated,omitzero"` // there is more
}

// Run asks the customer's systems, as a booker's page does who picks the day, and lists what is planned.
func (c *plannedCommand) Run(t *terminal) error {
	poller, in, _, err := c.poller(t)
	if err != nil {
		return err
	}
	defer poller.Rest()
	answers, err := askForDay(t.ctx, poller, in, c.On)
	if err != nil {
		return err
	}
	warnOfAnswers(t, answers)
	requests, err := requestsOn(t.ctx, in, c.On)
	if err != nil {
		return err
	}
	keys, err := in.CrewChangeKeys(t.ctx, "", c.On, c.On, plannedAtMost)
	if err != nil {
		return err
	}
	answer := plannedAnswer{TravelRequests: []jsontext.Value{}, CrewChanges: []jsontext.Value{},
		Truncated: len(requests) >= plannedAtMost || len(keys) == plannedAtMost}
	rows := [][]any{{"PLAN", "WHO OR WHICH SHIP", "FLIGHT OR CREW", "SOURCE"}}
	for _, r := range requests {
		answer.TravelRequests = append(answer.TravelRequests, wire.TravelRequest(r.TravelRequest, r.Origin.Source))
		rows = append(rows, []any{"travel request " + printable(r.RequestID),
			printable(r.Traveller.LastName + ", " + r.Traveller.FirstName), needWords(r.TravelRequest),
			r.Origin.Source})
	}
	for _, key := range keys {
		change, err := in.CrewChange(t.ctx, key)
		if gangway.KindOf(err) == gangway.NotFound {
			continue // it is gone since
		}
		if err != nil {
			return err
		}
		answer.CrewChanges = append(answer.CrewChanges, wire.CrewChange(change))
		rows = append(rows, []any{"crew change", printable(change.Vessel), fmt.Sprintf("%d join, %d leave",
			len(change.OnSigners), len(change.OffSigners)), change.Origin.Source})
	}
	return c.printList(t, answer, rows)
}

// askForDay asks all feeds of both kinds of plans at the same time.
func askForDay(ctx context.Context, poller *poll.Poller, in store.Scoped, day gangway.Date) ([]poll.Answer, error) {
	var both sync.WaitGroup
	var requests, changes []poll.Answer
	var err, err2 error
	both.Go(func() {
		requests, err = poller.Ask(ctx, in, gangway.TravelRequestsFlow, gangway.Ask{From: day, To: day})
	})
	both.Go(func() { changes, err2 = poller.Ask(ctx, in, gangway.CrewChangesFlow, gangway.Ask{Date: day}) })
	both.Wait()
	if err == nil {
		err = err2
	}
	return append(requests, changes...), err
}

// requestsOn returns the travel requests that start on a day or have a hotel from then, and those without a date, at
// most plannedAtMost.
func requestsOn(ctx context.Context, in store.Scoped, day gangway.Date) (list []store.StoredTravelRequest, err error) {
	starting, err := in.TravelRequests(ctx, "", day, day, plannedAtMost)
	if err != nil {
		return nil, err
	}
	hotels, err := in.HotelRequests(ctx, day, day, plannedAtMost)
	if err != nil {
		return nil, err
	}
	undated, err := undatedRequests(ctx, in)
	if err != nil {
		return nil, err
	}
	listed := map[[2]string]bool{}
	for _, some := range [][]store.StoredTravelRequest{starting, hotels, undated} {
		for _, r := range some {
			if id := [2]string{r.RequestID, r.SubRequestID}; !listed[id] && len(list) < plannedAtMost {
				listed[id] = true
				list = append(list, r)
			}
		}
	}
	return list, nil
}

// undatedRequests returns the travel requests that have no date at all.
func undatedRequests(ctx context.Context, in store.Scoped) (list []store.StoredTravelRequest, err error) {
	flights, _, err := in.UndatedFlights(ctx, "", plannedAtMost)
	if err != nil {
		return nil, err
	}
	for _, handled := range []bool{false, true} {
		hotels, _, err := in.UndatedHotels(ctx, handled, plannedAtMost)
		if err != nil {
			return nil, err
		}
		flights = append(flights, hotels...)
	}
	for _, r := range flights {
		if starts, hotel := r.Starts(); starts == "" && hotel == "" {
			list = append(list, r)
		}
	}
	return list, nil
}

// needWords says what a travel request needs.
func needWords(r gangway.TravelRequest) string {
	switch {
	case r.Flight != nil:
		return fmt.Sprintf("%s-%s", r.Flight.Origin, r.Flight.Destination)
	case r.Hotel != nil:
		return "hotel in " + printable(r.Hotel.Location)
	}
	return "-"
}
