package mapping

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

// codeInText finds the code in "Manila (MNL)" and "MNL - Manila".
var codeInText = regexp.MustCompile(`\(([A-Za-z]{3})\)|^([A-Z]{3}) ?[-–/,:] |[-–/] ?([A-Z]{3})$`)

// anyAirport is airportOf where no country is known.
func anyAirport(text string) (code, unsure string) { return airportOf(text, "") }

// airportOf returns the code of an airport: its own, or that of the only airport of a city, a port or a name, in a
// country, where one is given. Otherwise it returns the text.
func airportOf(text, country string) (code, unsure string) {
	text, country = strings.TrimSpace(text), countryOf(country)
	if code := strings.ToUpper(text); len(code) == 3 && world.Known(code) {
		return code, ""
	}
	if found := codeInText.FindStringSubmatch(text); found != nil {
		if code := strings.ToUpper(found[1] + found[2] + found[3]); world.Known(code) {
			return code, ""
		}
	}
	city, behind, _ := strings.Cut(text, ",")
	if behind = countryOf(behind); !gangway.Country(behind).Assigned() {
		behind = country
	}
	for _, is := range [][2]string{{city, behind}, {text, country}, {city, country}} { // CA may be California
		code, why := airportNamed(is[0], is[1])
		if code != "" {
			return code, ""
		}
		unsure = cmp.Or(unsure, why)
	}
	if len(text) == 5 || len(text) == 6 {
		if p, ok := world.PlaceOf(text); ok && p.Kind == world.PortPlace {
			if code, _ := airportNamed(p.City, p.Country); code != "" {
				return code, ""
			}
			if len(p.Airports) == 1 {
				return p.Airports[0].Airport.IATA, ""
			}
		}
	}
	return text, unsure
}

// placeName brings the name of a place into the form in which they are compared.
func placeName(s string) string {
	s = strings.NewReplacer("'", "", "’", "", "-", " ", ".", " ").Replace(gangway.Fold(s))
	if i := strings.IndexAny(s, "(/"); i > 0 {
		s = s[:i]
	}
	s = strings.TrimSpace(s)
	for _, word := range []string{" international airport", " intl airport", " airport", " international", " port",
		" anchorage"} {
		s = strings.TrimSuffix(s, word)
	}
	s = strings.TrimPrefix(strings.TrimPrefix(s, "port of "), "airport ")
	return strings.ReplaceAll(strings.ReplaceAll(s+" ", "saint ", "st "), " ", "")
}

// A name means its largest airport if that one has smallBeside times the passengers of each other airport of the name.
// A place of another country counts as smallTown thousand passengers a year, even without flights.
const (
	smallBeside = 50
	smallTown   = 50
)

// A namesake is an airport with a name.
type namesake struct {
	country, code string
	passengers    int // thousands a year; -1: it has no flights
}

// airportNamed returns the only airport of a name in a country, or where none is given, in all. Unsure: there are
// several countries, or it is not in that one.
func airportNamed(name, country string) (code, unsure string) {
	list, best := airportNames()[placeName(name)], namesake{passengers: -1}
	if gangway.Country(country).Assigned() && len(list) > 0 {
		list = slices.DeleteFunc(slices.Clone(list), func(n namesake) bool { return n.country != country })
		if len(list) == 0 {
			return "", elsewhereGuess
		}
	}
	for _, n := range list {
		if n.passengers > best.passengers {
			best = n
		}
	}
	code = best.code
	for _, n := range list {
		elsewhere := n.country != best.country && best.code != ""
		if elsewhere {
			n.passengers = max(n.passengers, smallTown)
		}
		switch {
		case n.code == best.code || n.passengers < 0 || n.passengers*smallBeside < best.passengers:
		case elsewhere:
			return "", placesGuess
		default:
			code = ""
		}
	}
	return code, ""
}

// airportNames has the airports of each name, of cities and ports, too.
var airportNames = sync.OnceValue(func() map[string][]namesake {
	of := map[string][]namesake{}
	add := func(n namesake, names ...string) {
		for _, name := range names {
			if name = placeName(name); name != "" {
				of[name] = append(of[name], n)
			}
		}
	}
	for _, a := range world.Airports() {
		if _, moved := world.CurrentCode(a.IATA); moved {
			continue
		}
		if !a.Scheduled {
			a.Passengers = -1
		}
		city, _, _ := strings.Cut(a.City, ",")
		add(namesake{a.Country, a.IATA, a.Passengers}, a.City, a.Name, city)
	}
	for _, c := range world.Cities() {
		if a := c.Airports[0].Airport; len(c.Airports) == 1 {
			add(namesake{a.Country, a.IATA, a.Passengers}, c.Name)
		}
	}
	for _, p := range world.Ports() {
		usual, _ := world.AirportOf(p.Airports[0])
		for name := range strings.SplitSeq(p.Name, " / ") {
			known := slices.ContainsFunc(of[placeName(name)], func(n namesake) bool {
				return n.country == p.Country && n.passengers >= 0
			})
			for _, code := range p.Airports {
				if !known { // none of several is meant more than the others
					add(namesake{p.Country, code, usual.Passengers}, name)
				}
			}
		}
	}
	return of
})
