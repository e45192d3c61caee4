package book

import (
	"context"
	"reflect"
	"sync"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A Progress is how far a crew change is booked.
type Progress struct {
	Key, Vessel string
	Flag        gangway.Country
	Place       gangway.Place // empty where nobody has named one
	Date        gangway.Date
	Sent        gangway.Date // the date that was sent, where the ship has been moved since
	On, Off     int
	Booked      int      // people, as planned
	Good        int      // of them, those of whom nothing else is to be said
	Misfits     []string // in what bookings do not fit the plan, in few words
	Unneeded    int      // bookings of people who are no longer needed
	Cut         bool     // there are more bookings than were compared
	Search      string   // of the newest booking
	RequestedAs string   // the customer's identifier
	Source      gangway.Source
}

// Size is how many people join and leave.
func (p Progress) Size() int { return p.On + p.Off }

// progressCompared is how many bookings of a crew change are compared with it.
const progressCompared = 200

// progressKept is how many crew changes are remembered.
const progressKept = 4096

// A progressCache remembers how far crew changes are booked, each with what it was made from.
type progressCache struct {
	mu   sync.Mutex
	made map[[2]string]madeProgress // by account and key
}

type madeProgress struct {
	from  store.ChangeVersion
	rules gangway.CrewRules
	until time.Time // when the next of them sets out or lands; zero: never
	Progress
}

// ProgressOf returns how far the crew changes with the given keys are booked, in their order. One that was taken back
// meanwhile is left out. What has not changed is not compared again.
func (d *Desk) ProgressOf(ctx context.Context, in store.Scoped, keys []string) ([]Progress, error) {
	versions, err := in.ChangeVersions(ctx, keys)
	if err != nil {
		return nil, err
	}
	of, err := settingOf(ctx, in)
	if err != nil {
		return nil, err
	}
	account, now := in.Scope().Account, d.now(in)
	known, missing := map[string]Progress{}, []string{}
	d.progress.mu.Lock()
	for _, key := range keys {
		switch made, there := d.progress.made[[2]string{account, key}]; {
		case versions[key] == store.ChangeVersion{}:
		case there && made.from == versions[key] && reflect.DeepEqual(made.rules, of.rules) &&
			(made.until.IsZero() || now.Before(made.until)):
			known[key] = made.Progress
		default:
			missing = append(missing, key)
		}
	}
	d.progress.mu.Unlock()
	fresh, err := progressOf(ctx, in, missing, of.rules, now)
	if err != nil {
		return nil, err
	}
	d.progress.mu.Lock()
	if d.progress.made == nil || len(d.progress.made) > progressKept {
		d.progress.made = map[[2]string]madeProgress{}
	}
	for key, made := range fresh {
		known[key] = made.Progress
		made.from = versions[key]
		d.progress.made[[2]string{account, key}] = made
	}
	d.progress.mu.Unlock()
	var list []Progress
	old := in.SearchesFrom(d.clock()).AddDays(7) // people fly some days before or after
	for _, key := range keys {
		if p, there := known[key]; there {
			if p.Date < old {
				p.Search = ""
			}
			list = append(list, p)
		}
	}
	return list, nil
}

func progressOf(ctx context.Context, in store.Scoped, keys []string, rules gangway.CrewRules,
	now time.Time) (map[string]madeProgress, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	bookings, err := in.BookingsOfChanges(ctx, keys, progressCompared+1)
	if err != nil {
		return nil, err
	}
	booked := map[string][]gangway.Traveller{}
	for _, key := range keys {
		booked[key] = nil
		for _, b := range bookings[key] {
			booked[key] = append(booked[key], b.Passenger)
		}
	}
	lines, err := in.CrewChangeLines(ctx, booked)
	made := map[string]madeProgress{}
	for key, c := range lines {
		p := madeProgress{rules: rules, Progress: newProgress(c, bookings[key], rules, now)}
		for _, b := range bookings[key] {
			for _, at := range []time.Time{b.Itinerary.Departure().Add(-gangway.SetsOut), b.Itinerary.Arrival()} {
				if at.After(now) && (p.until.IsZero() || at.Before(p.until)) {
					p.until = at
				}
			}
		}
		made[key] = p
	}
	return made, err
}

// newProgress judges those who are booked for a crew change, by their bookings, the newest first.
func newProgress(c store.CrewChangeLine, bookings []gangway.Booking, rules gangway.CrewRules, now time.Time) Progress {
	planned := CrewPlanned(c.CrewChange, "", rules)
	p := Progress{Key: c.Key(), Vessel: c.Vessel, Flag: c.Flag, Place: planned.Place, Date: planned.Date, On: c.On,
		Off: c.Off, RequestedAs: c.TravelRequestID, Source: c.Origin.Source, Cut: len(bookings) > progressCompared}
	if p.Date != c.ChangeDate {
		p.Sent = c.ChangeDate
	}
	if len(bookings) > 0 {
		p.Search = bookings[0].Purpose.Search
	}
	crew := newCrew(planned, bookings[:min(len(bookings), progressCompared)])
	crew.judge(nil, now)
	for _, of := range crew.People {
		switch {
		case of.Booking == nil:
		case of.Plan.Unneeded != "":
			p.Unneeded++
		case of.Fit.OK():
			p.Booked++
		default:
			p.Misfits = append(p.Misfits, Off(of.Fit))
		}
		if of.Good() {
			p.Good++
		}
	}
	return p
}
