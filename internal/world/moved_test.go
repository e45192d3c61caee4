package world

import (
	"slices"
	"testing"
)

func TestMovedCodes(t *testing.T) {
	for _, m := range moves() {
		t.Run(m.code, func(t *testing.T) {
			now, ok := AirportOf(m.now)
			if !ok || !now.Scheduled {
				t.Fatalf("%s is now %s: known %t, with airlines %t", m.code, m.now, ok, now.Scheduled)
			}
			if old, known := airportsByCode()[m.code]; known && airports()[old].Scheduled {
				t.Errorf("%s still has airlines", m.code)
			}
			if p, ok := PlaceOf(m.code); !ok || p.Code != m.now || p.Airports[0].Airport.IATA != m.now ||
				!slices.Contains(p.Formerly, m.code) {
				t.Errorf("PlaceOf(%s) = %s, formerly %v, %t; want %s", m.code, p.Code, p.Formerly, ok, m.now)
			}
			if found := codesOf(findAny(m.code, 10)); len(found) == 0 || found[0] != m.now ||
				slices.Contains(found, m.code) {
				t.Errorf("Find(%s) = %v; want %s first, and no airport without airlines", m.code, found, m.now)
			}
			if a, ok := AirportOf(m.code); !ok || a.Country != now.Country {
				t.Errorf("AirportOf(%s) = %s in %s, %t; want the airport or a successor",
					m.code, a.IATA, a.Country, ok)
			}
			if again, moved := CurrentCode(m.now); moved || again != m.now {
				t.Errorf("CurrentCode(%s) = %s, %t; want a current code", m.now, again, moved)
			}
		})
	}
	if now, moved := CurrentCode(" kiv "); now != "RMO" || !moved {
		t.Errorf("CurrentCode(kiv) = %s, %t; want RMO", now, moved)
	}
}
