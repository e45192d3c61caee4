package orders

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"gangway/internal/book/flight/sim/tariff"
	"gangway/internal/gangway"
)

// A manifest has the seats of an account's orders on one flight. It is saved together with the
// orders, so that no two processes sell the same seat.
type manifest struct {
	Seats map[string]seatTaken `json:"seats"` // by order

	id      string
	version int
}

// A seatTaken is an order's seat on a flight.
type seatTaken struct {
	Cabin gangway.Cabin `json:"cabin"`
	Until time.Time     `json:"until,omitzero"` // the end of the hold; zero: ticketed
}

const seatsPrefix = orderPrefix + "seats_"

// manifestsOf is the prefix of a day's manifests, and the end of those of the day before.
func manifestsOf(day int) string { return fmt.Sprintf("%s%05d_", seatsPrefix, day) }

// readManifest reads a manifest and leaves out seats whose hold has ended.
func (s *Seller) readManifest(id string, doc []byte, version int) (manifest, error) {
	m := manifest{Seats: map[string]seatTaken{}, id: id, version: version}
	if err := json.Unmarshal(doc, &m); err != nil {
		return m, fmt.Errorf("read seats %s: %w", id, err)
	}
	now := s.now()
	maps.DeleteFunc(m.Seats, func(_ string, p seatTaken) bool { return !p.Until.IsZero() && !now.Before(p.Until) })
	return m, nil
}

// manifestOf returns the manifest of a flight; an empty one if nothing is booked.
func (s *Seller) manifestOf(ctx context.Context, p tariff.Seat) (manifest, error) {
	m := manifest{Seats: map[string]seatTaken{}, id: manifestsOf(p.Day) + p.Flight}
	doc, version, err := s.ledger.Load(ctx, m.id)
	switch {
	case gangway.KindOf(err) == gangway.NotFound:
		return m, nil
	case err != nil:
		return m, fmt.Errorf("load seats %s: %w", m.id, err)
	}
	return s.readManifest(m.id, doc, version)
}

// count returns how many seats in a cabin are taken, not counting an order's own.
func (m manifest) count(cabin gangway.Cabin, but string) int {
	n := 0
	for order, p := range m.Seats {
		if p.Cabin == cabin && order != but {
			n++
		}
	}
	return n
}
