package book

import (
	"context"
	"sync"

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
	from store.ChangeVersion
	Progress
}

// ProgressOf returns how far the crew changes with the given keys are booked, in their order. One that was taken back
// meanwhile is left out. What has not changed is not compared again.
func (d *Desk) ProgressOf(ctx context.Context, in store.Scoped, keys []string) ([]Progress, error) {
	versions, err := in.ChangeVersions(ctx, keys)
	if err != nil {
		return nil, err
	}
	account := in.Scope().Account
	known, missing := map[string]Progress{}, []string{}
	d.progress.mu.Lock()
	for _, key := range keys {
		switch made, there := d.progress.made[[2]string{account, key}]; {
		case versions[key] == store.ChangeVersion{}:
		case there && made.from == versions[key]:
			known[key] = made.Progress
		default:
			missing = append(missing, key)
		}
	}
	d.progress.mu.Unlock()
	fresh, err := progressOf(ctx, in, missing)
	if err != nil {
		return nil, err
	}
	d.progress.mu.Lock()
	if d.progress.made == nil || len(d.progress.made) > progressKept {
		d.progress.made = map[[2]string]madeProgress{}
	}
	for key, p := range fresh {
		known[key] = p
		d.progress.made[[2]string{account, key}] = madeProgress{versions[key], p}
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

func progressOf(ctx context.Context, in store.Scoped, keys []string) (map[string]Progress, error) {
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
	made := map[string]Progress{}
	for key, c := range lines {
		made[key] = newProgress(c, bookings[key])
	}
	return made, err
}

// newProgress compares the bookings of a crew change, newest first, with its plan.
func newProgress(c store.CrewChangeLine, bookings []gangway.Booking) Progress {
	planned := CrewPlanned(c.CrewChange, "")
	p := Progress{Key: c.Key(), Vessel: c.Vessel, Flag: c.Flag, Place: planned.Place, Date: planned.Date, On: c.On,
		Off: c.Off, RequestedAs: c.TravelRequestID, Source: c.Origin.Source, Cut: len(bookings) > progressCompared}
	if p.Date != c.ChangeDate {
		p.Sent = c.ChangeDate
	}
	flying := map[string]bool{}
	for _, b := range bookings[:min(len(bookings), progressCompared)] {
		switch fit := planned.Fit(b); {
		case fit.OK():
			flying[PersonOf(b)] = true
		case fit.Unneeded != "":
			p.Unneeded++
		default:
			p.Misfits = append(p.Misfits, Off(fit))
		}
		if p.Search == "" { // the newest booking comes first
			p.Search = b.Purpose.Search
		}
	}
	p.Booked = min(len(flying), p.Size())
	return p
}

// PersonOf identifies the person booked on a side of a crew change.
func PersonOf(b gangway.Booking) string {
	return string(b.Purpose.Side) + b.Passenger.Person() + " " + b.Passenger.FoldedName()
}
