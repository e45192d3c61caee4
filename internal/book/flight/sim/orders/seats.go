package orders

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/book/flight/sim/timetable"
	"gangway/internal/gangway"
)

// ownSeats returns how many seats the account now has on each flight of a quote, not counting
// those of one order.
func (s *Seller) ownSeats(ctx context.Context, q tariff.Quote, but string) ([]int, error) {
	if s.ledger == nil {
		return nil, nil
	}
	var own []int
	for _, p := range s.Seats(q.Journey, q.Cabin) {
		m, err := s.manifestOf(ctx, p)
		if err != nil {
			return nil, err
		}
		own = append(own, m.count(p.Cabin, but))
	}
	return own, nil
}

// ownSeats counts an account's own seats by flight, day and cabin.
type ownSeats map[tariff.Seat]int

// bookedOn returns the account's seats on the days of all journeys.
func (s *Seller) bookedOn(ctx context.Context, journeys []timetable.Journey) (ownSeats, error) {
	if s.ledger == nil || len(journeys) == 0 {
		return nil, nil
	}
	first, last := journeys[0][0].Hops[0].Day, 0
	for _, j := range journeys {
		for i := range j {
			first = min(first, j[i].Hops[0].Day)
			last = max(last, j[i].Hops[j[i].N-1].Day)
		}
	}
	own := ownSeats{}
	err := s.ledger.Scan(ctx, manifestsOf(first), manifestsOf(last+1), func(d gangway.Document) error {
		m, err := s.readManifest(d.ID, d.Doc, d.Version)
		if err != nil {
			return err
		}
		date, flight, _ := strings.Cut(strings.TrimPrefix(d.ID, seatsPrefix), "_")
		day, err := strconv.Atoi(date)
		for _, p := range m.Seats {
			own[tariff.Seat{Flight: flight, Day: day, Cabin: p.Cabin}]++
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("count booked seats: %w", err)
	}
	return own, nil
}

// of returns the account's seats on each flight of a journey; nil if it has none.
func (b ownSeats) of(t *tariff.Tariff, j timetable.Journey, asked gangway.Cabin) []int {
	if len(b) == 0 {
		return nil
	}
	var own []int
	some := false
	for _, p := range t.Seats(j, asked) {
		own = append(own, b[p])
		some = some || b[p] > 0
	}
	if !some {
		return nil
	}
	return own
}

// reseat returns the documents to save with the order so that it has the seats that it wants until
// an instant, and no longer those that it had. Conflict: a flight is sold out.
func (s *Seller) reseat(
	ctx context.Context, order string, had, wants []tariff.Seat, until time.Time,
) ([]gangway.Document, error) {
	manifests := map[string]manifest{}
	of := func(p tariff.Seat) (manifest, error) {
		if m, ok := manifests[p.String()]; ok {
			return m, nil
		}
		m, err := s.manifestOf(ctx, p)
		manifests[p.String()] = m
		return m, err
	}
	for _, p := range had {
		m, err := of(p)
		if err != nil {
			return nil, err
		}
		delete(m.Seats, order)
	}
	for _, p := range wants {
		m, err := of(p)
		if err != nil {
			return nil, err
		}
		if free, ok := s.FreeOn(p); ok && m.count(p.Cabin, order) >= free {
			return nil, errSoldOut
		}
		m.Seats[order] = seatTaken{Cabin: p.Cabin, Until: until}
	}
	return writeManifests(manifests)
}

// writeManifests returns the next version of each manifest, in the order of their flights.
func writeManifests(manifests map[string]manifest) ([]gangway.Document, error) {
	var docs []gangway.Document
	for _, m := range manifests {
		doc, err := json.Marshal(m)
		if err != nil {
			return nil, fmt.Errorf("write seats %s: %w", m.id, err)
		}
		docs = append(docs, gangway.Document{ID: m.id, Doc: doc, Version: m.version + 1})
	}
	slices.SortFunc(docs, func(a, b gangway.Document) int { return cmp.Compare(a.ID, b.ID) })
	return docs, nil
}

var errSoldOut = gangway.Errorf(gangway.Conflict, "the last seat on one of these flights has been sold: search again")
