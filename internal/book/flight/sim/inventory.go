package sim

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway"
)

// capacity returns how many seats a flight has in a cabin.
func (t *timetable) capacity(l *line, c gangway.Cabin) int {
	seats := aircraftTypes[l.aircraft].seats
	switch c {
	case gangway.First:
		return 8
	case gangway.Business:
		if seats > 250 {
			return seats / 8
		}
		return seats / 12
	case gangway.PremiumEconomy:
		return seats / 12
	}
	economy := seats
	for _, better := range []gangway.Cabin{gangway.PremiumEconomy, gangway.Business, gangway.First} {
		if t.cabin(l, better) == better {
			economy -= t.capacity(l, better)
		}
	}
	return economy
}

// load returns how full other people have booked a flight: its bucket of
// demands, and per mille of its seats.
func (t *timetable) load(h hop) (bucket, mille int) {
	l := &t.lines[h.line]
	n := mix(code(t.carriers[l.carrier].Code), uint64(l.number), uint64(h.day))
	p := int(n % 100)
	for i, d := range demands {
		if p -= d.cases; p < 0 {
			end := fullest
			if i+1 < len(demands) {
				end = demands[i+1].load
			}
			return i, d.load + int(n>>32%uint64(end-d.load))
		}
	}
	return 0, 0
}

// free returns how many seats of a flight other people leave to an account, in
// the cabin in which one sits who asked for one. It is one at least.
func (t *timetable) free(h hop, asked gangway.Cabin) int {
	_, mille := t.load(h)
	l := &t.lines[h.line]
	return (t.capacity(l, t.cabin(l, asked))*(1000-mille) + 999) / 1000
}

// demand returns how full a flight is, as an index into demands, when an
// account has so many seats on it beside those of other people.
func (t *timetable) demand(h hop, asked gangway.Cabin, own int) int {
	bucket, mille := t.load(h)
	if own == 0 {
		return bucket
	}
	l := &t.lines[h.line]
	mille += 1000 * own / t.capacity(l, t.cabin(l, asked))
	for bucket+1 < len(demands) && mille >= demands[bucket+1].load {
		bucket++
	}
	return bucket
}

// seatsLeft returns how many seats a journey's fullest flight still sells, nine
// at most, as airlines say it, when an account has own ones already.
func (t *timetable) seatsLeft(j journey, cabin gangway.Cabin, own []int) int {
	least, n := 9, 0
	for i := range j {
		for _, h := range j[i].flights() {
			least = min(least, t.free(h, cabin)-at(own, n))
			n++
		}
	}
	return max(0, least)
}

// at returns the n-th number; zero where there are none.
func at(numbers []int, n int) int {
	if n < len(numbers) {
		return numbers[n]
	}
	return 0
}

// A seat is a flight on a day and a cabin in it.
type seat struct {
	flight string // as in "EK333"
	day    int    // by the timetable, even if the flight has moved to the next
	cabin  gangway.Cabin
}

// String names the flight as offers do, as in "EK333.20801".
func (p seat) String() string { return p.flight + "." + strconv.Itoa(p.day) }

// A manifest is the seats of one flight that an account's orders have. It is
// written together with the orders, so that no two processes sell one seat twice.
type manifest struct {
	Seats map[string]taken `json:"seats"` // by order

	id      string
	version int
}

// A taken seat is an order's on some flight.
type taken struct {
	Cabin gangway.Cabin `json:"cabin"`
	Until time.Time     `json:"until,omitzero"` // the end of the hold; zero: ticketed
}

const seatsPrefix = orderPrefix + "seats_"

// manifestsOf is where the manifests of a day begin, and those of the day before end.
func manifestsOf(day int) string { return fmt.Sprintf("%s%05d_", seatsPrefix, day) }

// readManifest reads a manifest without the seats whose hold has ended.
func (s *seller) readManifest(id string, doc []byte, version int) (manifest, error) {
	m := manifest{Seats: map[string]taken{}, id: id, version: version}
	if err := json.Unmarshal(doc, &m); err != nil {
		return m, fmt.Errorf("read seats %s: %w", id, err)
	}
	now := s.now()
	maps.DeleteFunc(m.Seats, func(_ string, p taken) bool { return !p.Until.IsZero() && !now.Before(p.Until) })
	return m, nil
}

// manifestOf returns the manifest of a flight; an empty one where nothing was booked.
func (s *seller) manifestOf(ctx context.Context, p seat) (manifest, error) {
	m := manifest{Seats: map[string]taken{}, id: manifestsOf(p.day) + p.flight}
	doc, version, err := s.ledger.Load(ctx, m.id)
	switch {
	case err != nil && gangway.KindOf(err) == gangway.NotFound:
		return m, nil
	case err != nil:
		return m, fmt.Errorf("load seats %s: %w", m.id, err)
	}
	return s.readManifest(m.id, doc, version)
}

// count returns how many seats there are in a cabin, but for an order's own.
func (m manifest) count(cabin gangway.Cabin, but string) int {
	n := 0
	for order, p := range m.Seats {
		if p.Cabin == cabin && order != but {
			n++
		}
	}
	return n
}

// booked counts an account's own seats by flight, day and cabin.
type booked map[seat]int

// bookedOn returns the own seats on the days of all journeys.
func (s *seller) bookedOn(ctx context.Context, journeys []journey) (booked, error) {
	if s.ledger == nil || len(journeys) == 0 {
		return nil, nil
	}
	first, last := journeys[0][0].hops[0].day, 0
	for _, j := range journeys {
		for i := range j {
			first = min(first, j[i].hops[0].day)
			last = max(last, j[i].hops[j[i].n-1].day)
		}
	}
	own := booked{}
	err := s.ledger.Scan(ctx, manifestsOf(first), manifestsOf(last+1), func(d gangway.Document) error {
		m, err := s.readManifest(d.ID, d.Doc, d.Version)
		if err != nil {
			return err
		}
		date, flight, _ := strings.Cut(strings.TrimPrefix(d.ID, seatsPrefix), "_")
		day, err := strconv.Atoi(date)
		for _, p := range m.Seats {
			own[seat{flight, day, p.Cabin}]++
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("count the seats booked: %w", err)
	}
	return own, nil
}

// of returns the own seats on each flight of a journey; nil when there are none.
func (b booked) of(t *timetable, j journey, asked gangway.Cabin) []int {
	if len(b) == 0 {
		return nil
	}
	var own []int
	some := false
	for _, p := range t.seats(j, asked) {
		own = append(own, b[p])
		some = some || b[p] > 0
	}
	if !some {
		return nil
	}
	return own
}

// seats returns the seats that a journey takes.
func (t *timetable) seats(j journey, asked gangway.Cabin) []seat {
	var all []seat
	for i := range j {
		for _, h := range j[i].flights() {
			all = append(all, seat{t.flightNumber(h.line), h.day, t.cabin(&t.lines[h.line], asked)})
		}
	}
	return all
}

// seats returns the seats that an order has, one for each of its flights; none
// where its offer does not tell.
func (r record) seats() []seat {
	all := flightsOf(r.Offer)
	if len(all) != len(r.Itinerary.Segments) {
		return nil
	}
	for i := range all {
		all[i].cabin = r.Itinerary.Segments[i].Cabin
	}
	return all
}

// flightsOf reads the flights of an offer from its identifier, whether or not
// the timetable has them.
func flightsOf(offer string) []seat {
	var all []seat
	for _, part := range strings.FieldsFunc(offer, func(c rune) bool { return c == '-' || c == '_' }) {
		name, rest, ok := strings.Cut(part, ".")
		date, _, _ := strings.Cut(rest, ".")
		if day, err := strconv.Atoi(date); ok && err == nil {
			all = append(all, seat{flight: name, day: day})
		}
	}
	return all
}

// reseat returns what has to be written, with the order, so that the order has
// the seats it wants until an instant, and no longer those it had. Conflict: a
// flight is sold out.
func (s *seller) reseat(ctx context.Context, order string, had, wants []seat, until time.Time) ([]gangway.Document, error) {
	manifests := map[string]manifest{}
	of := func(p seat) (manifest, error) {
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
		if h, ok := s.hopOf(p); ok && m.count(p.cabin, order) >= s.free(h, p.cabin) {
			return nil, errSoldOut
		}
		m.Seats[order] = taken{Cabin: p.cabin, Until: until}
	}
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

var errSoldOut = gangway.Errorf(gangway.Conflict, "the last seat on one of these flights is gone: search again")

// hopOf returns the line and day of a seat; false where the timetable does not have it.
func (t *timetable) hopOf(p seat) (hop, bool) {
	if len(p.flight) < 3 {
		return hop{}, false
	}
	number, err := strconv.Atoi(p.flight[2:])
	if err != nil {
		return hop{}, false
	}
	i, ok := t.lineOf(p.flight[:2], number)
	return hop{line: i, day: p.day}, ok
}

// ownSeats returns the account's own seats on each flight of a quote, as they
// are now, but for those of an order.
func (s *seller) ownSeats(ctx context.Context, q quote, but string) ([]int, error) {
	if s.ledger == nil {
		return nil, nil
	}
	var own []int
	for _, p := range s.seats(q.journey, q.cabin) {
		m, err := s.manifestOf(ctx, p)
		if err != nil {
			return nil, err
		}
		own = append(own, m.count(p.cabin, but))
	}
	return own, nil
}
