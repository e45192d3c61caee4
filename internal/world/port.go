package world

import (
	"strings"
	"sync"
)

// A Port is a sea port where crews change.
//
// The order of its airports is entered by hand: the nearest is often not the one that
// crews use, because a border or a strait lies between.
type Port struct {
	Code     string // UN/LOCODE, as in "NLRTM"
	Name     string
	Country  string // ISO 3166-1 alpha-2
	Lat, Lon float64
	Zone     string   // IANA time zone
	Airports []string // IATA codes, the usual one first
}

var ports = sync.OnceValue(func() []Port {
	var list []Port
	table("ports.csv", 6, func(row []string) {
		list = append(list, Port{
			Code: row[0], Name: row[1], Country: row[0][:2], Lat: number(row[2]), Lon: number(row[3]),
			Zone: row[4], Airports: strings.Fields(row[5]),
		})
	})
	return list
})

// portOf returns the port with a UN/LOCODE, in upper or lower case, with or without
// the space after the country.
func portOf(code string) (p Port, known bool) {
	code = strings.ReplaceAll(codeForm(code), " ", "")
	for _, p := range ports() {
		if p.Code == code {
			return p, true
		}
	}
	return Port{}, false
}

// Ports returns all sea ports. The caller must not change them.
func Ports() []Port { return ports() }
