package orders

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"gangway"
	"gangway/internal/book/flight/sim/tariff"
)

// A manifest is the seats of one flight that an account's orders have. It is
// written together with the orders, so that no two processes sell one seat twice.
type manifest struct {
	Seats map[string]seatTaken `json:"seats"` // by order

	id      string
	version int
}

// A seatTaken seat is an order's on some flight.
type seatTaken struct {
	Cabin gangway.Cabin `json:"cabin"`
	Until time.Time     `json:"until,omitzero"` // the end of the hold; zero: ticketed
}

const seatsPrefix = orderPrefix + "seats_"

// manifestsOf is where the manifests of a day begin, and those of the day before end.
func manifestsOf(day int) string { return fmt.Sprintf("%s%05d_", seatsPrefix, day) }

// readManifest reads a manifest without the seats whose hold has ended.
func (s *Seller) readManifest(id string, doc []byte, version int) (manifest, error) {
	m := manifest{Seats: map[string]seatTaken{}, id: id, version: version}
	if err := json.Unmarshal(doc, &m); err != nil {
		return m, fmt.Errorf("read seats %s: %w", id, err)
	}
	now := s.now()
	maps.DeleteFunc(m.Seats, func(_ string, p seatTaken) bool { return !p.Until.IsZero() && !now.Before(p.Until) })
	return m, nil
}

// manifestOf returns the manifest of a flight; an empty one where nothing was booked.
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
