package book

import (
	"context"
	"strings"
	"unicode/utf8"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/world"
)

// Findings are what a text may mean, of each kind the best few.
type Findings struct {
	Bookings   []gangway.Booking // named by a locator, a ticket or another identifier
	Travellers []gangway.Traveller
	Passengers []gangway.Booking // the latest booking of each person who is not on record
	Vessels    []string
	Changes    []store.CrewChangeLine // named by their identifier, or the next of a vessel
	Requests   []store.StoredTravelRequest
	Ports      []world.Place

	More bool // of some kind there are more
}

// How many of each kind are found: together they fit below a field.
const (
	mostPeople  = 6
	mostOfKind  = 3
	mostNext    = 2 // crew changes of a vessel
	looksAtName = 20
)

// Findable reports whether a text is long enough to find things by: two letters, or one that is a syllable.
func Findable(typed string) bool {
	typed = strings.TrimSpace(typed)
	return utf8.RuneCountInString(typed) > 1 || typed != "" && isSyllabic(typed)
}

// FindAnything returns what a text that somebody types may mean to an account on a day.
func FindAnything(ctx context.Context, in store.Scoped, typed string, today gangway.Date) (f Findings, err error) {
	if typed = strings.TrimSpace(typed); !Findable(typed) {
		return f, nil
	}
	named, err := in.NamedBookings(ctx, typed, mostOfKind+1)
	if err != nil {
		return f, err
	}
	f.Bookings = few(&f, named, mostOfKind)
	known, err := Suggest(ctx, in, typed, mostPeople+1)
	if err != nil {
		return f, err
	}
	f.Travellers = few(&f, known, mostPeople)
	if f.Passengers, err = notOnRecord(ctx, in, typed, f.Travellers); err != nil {
		return f, err
	}
	vessels, err := in.Vessels(ctx, typed, mostOfKind+1)
	if err != nil {
		return f, err
	}
	changes, err := in.CrewChangesNamed(ctx, typed, mostOfKind+1)
	if err != nil {
		return f, err
	}
	for _, v := range few(&f, vessels, mostOfKind) {
		name, err := in.VesselName(ctx, v)
		if err != nil {
			return f, err
		}
		f.Vessels = append(f.Vessels, name)
		next, err := in.CrewChangesOf(ctx, v, today, mostNext)
		if err != nil {
			return f, err
		}
		changes = append(changes, next...)
	}
	if f.Changes, err = changeLines(ctx, in, few(&f, changes, mostOfKind)); err != nil {
		return f, err
	}
	requests, err := in.TravelRequestsNamed(ctx, typed, mostOfKind+1)
	if err != nil {
		return f, err
	}
	f.Requests = few(&f, requests, mostOfKind)
	places, _ := world.ShipEnd.Find(typed, mostOfKind)
	for _, p := range places {
		if p.Kind == world.PortPlace {
			f.Ports = append(f.Ports, p)
		}
	}
	return f, nil
}

// few returns the first n of list, and notes if there are more.
func few[T any](f *Findings, list []T, n int) []T {
	f.More = f.More || len(list) > n
	return list[:min(n, len(list))]
}

// notOnRecord returns the latest booking of each passenger whose name begins as typed, except known travellers.
func notOnRecord(ctx context.Context, in store.Scoped, typed string,
	known []gangway.Traveller) (list []gangway.Booking, err error) {
	name := gangway.TypedName(typed)
	if name == "" {
		return nil, nil
	}
	found, err := in.BookingsNamed(ctx, name, looksAtName)
	if err != nil {
		return nil, err
	}
	is := gangway.Among(known)
	for _, b := range found {
		if !is(b.Passenger) && len(list) < mostPeople-len(known) {
			list = append(list, b)
			known = append(known, b.Passenger)
			is = gangway.Among(known)
		}
	}
	return list, nil
}

// changeLines returns crew changes in the order of their keys' list, each once.
func changeLines(ctx context.Context, in store.Scoped, keys []string) (list []store.CrewChangeLine, err error) {
	of := map[string][]gangway.Traveller{}
	for _, key := range keys {
		of[key] = nil
	}
	lines, err := in.CrewChangeLines(ctx, of)
	for _, key := range keys {
		if line, ok := lines[key]; ok {
			list = append(list, line)
			delete(lines, key)
		}
	}
	return list, err
}
