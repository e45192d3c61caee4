package plan

import (
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
)

// MoveMember moves one person's flight with the ship: by as many days as the ship
// moves, to or from the new airport. Flights chosen before are kept as long as they
// are still found and fit.
func MoveMember(m *gangway.SearchMember, s gangway.Search, at gangway.Place, date gangway.Date) {
	days := 0
	if s.Date.Valid() {
		days = int(date.In(time.UTC).Sub(s.Date.In(time.UTC)).Hours() / 24)
	}
	shift := func(d gangway.Date) gangway.Date {
		switch {
		case !d.Valid():
			return d
		case !s.Date.Valid():
			return date
		}
		return d.AddDays(days)
	}
	m.Carried = m.Chosen != ""
	home := gangway.Place(m.Traveller.HomeAirport)
	if len(m.Legs) == 0 {
		if home == "" || book.SamePlace(home, at) {
			return
		}
		m.Warnings = nil
		m.Legs = []gangway.Leg{{Origin: home, Destination: at, ArriveOn: date}}
		if m.Side == gangway.OffSigner {
			m.Legs = []gangway.Leg{{Origin: at, Destination: home, Date: date}}
		}
		return
	}
	for i := range m.Legs {
		m.Legs[i].Date, m.Legs[i].ArriveOn = shift(m.Legs[i].Date), shift(m.Legs[i].ArriveOn)
	}
	if m.Side == gangway.OffSigner {
		m.Legs[0].Origin = at
	} else {
		m.Legs[len(m.Legs)-1].Destination = at
	}
}
