package gangway_test

import (
	"net/http"
	"testing"
	"time"

	"gangway/internal/gangway"
)

// TestConditionOf goes through what an outlet may meet: an hour after it began, with what is known then.
func TestConditionOf(t *testing.T) {
	began := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	now := began.Add(time.Hour)
	const minute = time.Minute
	// refused is what is known after an outlet refused so many bookings for the first time, and one again.
	refused := func(status, bookings int, accepted time.Time) gangway.OutletFacts {
		at := now.Add(-minute)
		tries := []gangway.OutletTry{{Booking: "again", At: at, Status: status, Again: true}}
		for i := range bookings {
			tries = append(tries, gangway.OutletTry{Booking: string(rune('a' + i)), At: at, Status: status})
		}
		if !accepted.IsZero() {
			tries = append(tries, gangway.OutletTry{Booking: "z", At: accepted, Status: http.StatusOK, Accepted: true})
		}
		f := gangway.OutletFailure{Locator: "ABC", Status: status, At: at, Why: "why", Mend: "mend"}
		return gangway.OutletFacts{Sent: true, Waiting: 1, Oldest: at, Resting: 1, Tries: tries, Last: f,
			Refused: []gangway.OutletFailure{f}}
	}
	unmade := gangway.OutletFailure{At: began, Why: "why", Mend: "mend", Unmade: true, Parked: true}
	parked := gangway.OutletFacts{Sent: true, Parked: 4, Last: unmade, Refused: []gangway.OutletFailure{unmade}}
	waits := gangway.OutletFacts{Sent: true, Waiting: 1, Oldest: began}
	well, failing := gangway.Outlet{}, gangway.Outlet{FailingSince: now.Add(-2 * minute)}
	lately, before := now.Add(-5*minute), now.Add(-2*time.Hour)
	const (
		changed = "The outlet was changed since: deliver again what is parked."
		mend    = "mend Once the reason is mended, somebody has to deliver again what is parked."
	)
	for name, tt := range map[string]struct {
		o     gangway.Outlet
		known gangway.OutletFacts
		want  gangway.ConditionState
		toDo  string // empty: whatever it is
	}{
		"nothing was sent yet":               {well, gangway.OutletFacts{}, gangway.IsNew, ""},
		"something was":                      {well, gangway.OutletFacts{Sent: true}, gangway.IsOn, ""},
		"something is on its way":            {well, gangway.OutletFacts{Waiting: 1, Oldest: now}, gangway.IsOn, ""},
		"switched off":                       {gangway.Outlet{Off: true, Paused: true}, parked, gangway.IsOff, ""},
		"paused":                             {gangway.Outlet{Paused: true}, parked, gangway.IsPaused, ""},
		"no connection":                      {failing, refused(0, 1, lately), gangway.IsFailing, "mend"},
		"a gateway before it":                {failing, refused(502, 1, lately), gangway.IsFailing, ""},
		"its authentication":                 {failing, refused(401, 1, lately), gangway.IsFailing, ""},
		"it refuses all, as far as is known": {failing, refused(409, 1, time.Time{}), gangway.IsFailing, ""},
		"it refuses one booking of several":  {failing, refused(409, 1, lately), gangway.IsRefusing, ""},
		"and that one again":                 {failing, refused(409, 0, lately), gangway.IsRefusing, ""},
		"it refuses three in a row":          {failing, refused(409, 3, lately), gangway.IsFailing, ""},
		"it has accepted nothing for hours":  {failing, refused(409, 1, before), gangway.IsFailing, ""},
		"it accepts the others":              {well, refused(409, 0, lately), gangway.IsRefusing, ""},
		"something waits for an hour": {well, waits, gangway.IsBehind,
			"What was answered is among the outlet's tries."},
		"not if it is sent every two":         {gangway.Outlet{Batch: 2 * time.Hour}, waits, gangway.IsOn, ""},
		"nothing can be made of some records": {well, parked, gangway.IsParked, mend},
		"nor of any":                          {gangway.Outlet{FailingSince: began}, parked, gangway.IsFailing, mend},
		"and it is paused": {gangway.Outlet{FailingSince: began, Paused: true}, parked, gangway.IsPausedFailing,
			mend},
		"until the mapping was changed": {gangway.Outlet{SetAt: lately}, parked, gangway.IsParked, changed},
	} {
		t.Run(name, func(t *testing.T) {
			got := gangway.ConditionOf(tt.o, tt.known, now)
			if got.State != tt.want || tt.toDo != "" && got.ToDo != tt.toDo || got.Words == "" || got.Sign == "" {
				t.Errorf("the outlet is %q (%+v); want %q and to do %q", got.State, got, tt.want, tt.toDo)
			}
		})
	}
	t.Run("what fails is one booking where nothing else was sent", func(t *testing.T) {
		for status, one := range map[int]bool{http.StatusBadGateway: true, http.StatusGone: false, 0: false} {
			c := gangway.ConditionOf(failing, refused(status, 1, time.Time{}), now)
			if c.One != one || len(c.Failures) == 1 != one || (c.Why == "") != one || c.Since.IsZero() {
				t.Errorf("answered %d it is %+v; want one booking: %v", status, c, one)
			}
		}
	})
	t.Run("an answer from before somebody did something says so", func(t *testing.T) {
		for want, o := range map[string]gangway.Outlet{"": {SetAt: before, ResumedAt: before},
			"it was changed": {SetAt: now}, "it was resumed": {SetAt: before, ResumedAt: now}} {
			o.FailingSince = began
			if c := gangway.ConditionOf(o, refused(http.StatusGone, 1, time.Time{}), now); c.Before != want {
				t.Errorf("set at %s, resumed at %s: before %q; want %q", o.SetAt, o.ResumedAt, c.Before, want)
			}
		}
	})
	t.Run("when it is tried next", func(t *testing.T) {
		later := now.Add(minute)
		for name, tt := range map[string]struct {
			o          gangway.Outlet
			held, next time.Time
			together   bool
		}{
			"by itself": {gangway.Outlet{}, time.Time{}, later, false},
			"held":      {gangway.Outlet{HeldUntil: later.Add(minute)}, later.Add(minute), later.Add(minute), false},
			"paused":    {gangway.Outlet{Paused: true}, time.Time{}, time.Time{}, false},
			"together":  {gangway.Outlet{Batch: time.Hour}, time.Time{}, later, true},
		} {
			c := gangway.ConditionOf(tt.o, gangway.OutletFacts{Waiting: 1, Oldest: now, Next: later}, now)
			if !c.Held.Equal(tt.held) || !c.Next.Equal(tt.next) || c.Together != tt.together {
				t.Errorf("%s: held until %s, next at %s, together %v; want %+v", name, c.Held, c.Next, c.Together, tt)
			}
		}
	})
}

func TestConditionOfFeed(t *testing.T) {
	at := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	ended := func(received, refused int) gangway.FeedFacts {
		return gangway.FeedFacts{Good: at, Last: gangway.FeedRun{Received: received, Refused: refused}}
	}
	byHand := gangway.Feed{Transport: gangway.Transport{Kind: gangway.UploadTransport}}
	for name, tt := range map[string]struct {
		f     gangway.Feed
		known gangway.FeedFacts
		want  gangway.ConditionState
		words string
	}{
		"off":            {gangway.Feed{Off: true}, gangway.FeedFacts{Failing: at}, gangway.IsOff, "switched off"},
		"failing":        {gangway.Feed{}, gangway.FeedFacts{Failing: at, Asked: true}, gangway.IsFailing, "failing"},
		"asked":          {gangway.Feed{}, gangway.FeedFacts{Asked: true}, gangway.IsAsked, "asked when needed"},
		"new":            {gangway.Feed{}, gangway.FeedFacts{}, gangway.IsNew, "not fetched yet"},
		"new, by hand":   {byHand, gangway.FeedFacts{}, gangway.IsNew, "no document yet"},
		"refused":        {gangway.Feed{}, ended(2, 2), gangway.IsAllRefused, "all was refused that came last"},
		"partly refused": {gangway.Feed{}, ended(2, 1), gangway.IsOn, "fine"},
	} {
		if got := gangway.ConditionOfFeed(tt.f, tt.known); got.State != tt.want || got.Words != tt.words {
			t.Errorf("%s: the feed is %q, %q; want %q, %q", name, got.State, got.Words, tt.want, tt.words)
		}
	}
}
