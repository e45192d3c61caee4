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
	refused := func(status, bookings int, accepted time.Time) gangway.OutletFacts {
		tries := []gangway.OutletTry{{Booking: "again", At: now.Add(-minute), Status: status, Again: true}}
		for i := range bookings {
			tries = append(tries, gangway.OutletTry{Booking: string(rune('a' + i)), At: now.Add(-minute), Status: status})
		}
		if !accepted.IsZero() {
			tries = append(tries, gangway.OutletTry{Booking: "z", At: accepted, Status: http.StatusOK, Accepted: true})
		}
		return gangway.OutletFacts{Sent: true, Waiting: 1, Oldest: now.Add(-minute), Resting: 1, Tries: tries,
			Last:    gangway.OutletFailure{Status: status, At: now.Add(-minute), Why: "why", Mend: "mend"},
			Refused: []gangway.OutletFailure{{Locator: "ABC", Status: status, At: now.Add(-minute), Why: "why"}}}
	}
	unmade := gangway.OutletFacts{Sent: true, Parked: 4, Last: gangway.OutletFailure{At: began, Why: "why", Mend: "mend",
		Unmade: true}, Refused: []gangway.OutletFailure{{At: began, Mend: "mend", Unmade: true, Parked: true}}}
	failing := gangway.Outlet{FailingSince: now.Add(-2 * minute)}
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
		"nothing was sent yet":               {gangway.Outlet{}, gangway.OutletFacts{}, gangway.IsNew, ""},
		"something was":                      {gangway.Outlet{}, gangway.OutletFacts{Sent: true}, gangway.IsOn, ""},
		"something is on its way":            {gangway.Outlet{}, gangway.OutletFacts{Waiting: 1, Oldest: now}, gangway.IsOn, ""},
		"switched off":                       {gangway.Outlet{Off: true, Paused: true}, unmade, gangway.IsOff, ""},
		"paused":                             {gangway.Outlet{Paused: true}, unmade, gangway.IsPaused, ""},
		"paused while it fails":              {gangway.Outlet{Paused: true, FailingSince: began}, unmade, gangway.IsPausedFailing, mend},
		"no connection":                      {failing, refused(0, 1, lately), gangway.IsFailing, "mend"},
		"a gateway before it":                {failing, refused(http.StatusBadGateway, 1, lately), gangway.IsFailing, ""},
		"its authentication":                 {failing, refused(http.StatusUnauthorized, 1, lately), gangway.IsFailing, ""},
		"it refuses all, as far as is known": {failing, refused(http.StatusConflict, 1, time.Time{}), gangway.IsFailing, ""},
		"it refuses one booking of several":  {failing, refused(http.StatusConflict, 1, lately), gangway.IsRefusing, ""},
		"and that one again":                 {failing, refused(http.StatusConflict, 0, lately), gangway.IsRefusing, ""},
		"it refuses three in a row":          {failing, refused(http.StatusConflict, 3, lately), gangway.IsFailing, ""},
		"it has accepted nothing for hours":  {failing, refused(http.StatusConflict, 1, before), gangway.IsFailing, ""},
		"it accepts the others":              {gangway.Outlet{}, refused(http.StatusConflict, 0, lately), gangway.IsRefusing, ""},
		"something waits for an hour": {gangway.Outlet{}, gangway.OutletFacts{Sent: true, Waiting: 1, Oldest: began},
			gangway.IsBehind, "What was answered is among the outlet's tries."},
		"not if it is sent every two": {gangway.Outlet{Batch: 2 * time.Hour},
			gangway.OutletFacts{Sent: true, Waiting: 1, Oldest: began}, gangway.IsOn, ""},
		"nothing can be made of some records": {gangway.Outlet{}, unmade, gangway.IsParked, mend},
		"nor of any":                          {gangway.Outlet{FailingSince: began}, unmade, gangway.IsFailing, mend},
		"until the mapping was changed":       {gangway.Outlet{SetAt: lately}, unmade, gangway.IsParked, changed},
		"and that it fails again is another matter": {gangway.Outlet{SetAt: lately, FailingSince: began}, unmade,
			gangway.IsFailing, changed},
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
			if c.One != one || len(c.Failures) == 1 != one || (c.Why == "") != one || !c.Since.Equal(failing.FailingSince) {
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
		"refused":        {gangway.Feed{}, gangway.FeedFacts{Good: at, Last: gangway.FeedRun{Received: 2, Refused: 2}}, gangway.IsAllRefused, "all was refused that came last"},
		"partly refused": {gangway.Feed{}, gangway.FeedFacts{Good: at, Last: gangway.FeedRun{Received: 2, Refused: 1}}, gangway.IsOn, "fine"},
	} {
		if got := gangway.ConditionOfFeed(tt.f, tt.known); got.State != tt.want || got.Words != tt.words {
			t.Errorf("%s: the feed is %q, %q; want %q, %q", name, got.State, got.Words, tt.want, tt.words)
		}
	}
}
