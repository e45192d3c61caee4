package mapping

import (
	"regexp"
	"strings"
	"sync"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

// codeInText finds the code in "Manila (MNL)" and "MNL - Manila".
var codeInText = regexp.MustCompile(`\(([A-Za-z]{3})\)|^([A-Z]{3}) ?[-–/,:] |[-–/] ?([A-Z]{3})$`)

// airportOf returns the code of an airport: its own, or that of the only airport
// of a city, a port or a name.
func airportOf(text string) string {
	text = strings.TrimSpace(text)
	if code := strings.ToUpper(text); len(code) == 3 && world.Known(code) {
		return code
	}
	if found := codeInText.FindStringSubmatch(text); found != nil {
		if code := strings.ToUpper(found[1] + found[2] + found[3]); world.Known(code) {
			return code
		}
	}
	name := placeName(text)
	if code := airportNames()[name]; code != "" {
		return code
	}
	if city, _, ok := strings.Cut(text, ","); ok { // the country behind it
		if code := airportNames()[placeName(city)]; code != "" {
			return code
		}
	}
	if len(text) == 5 || len(text) == 6 {
		if p, ok := world.PlaceOf(text); ok && p.Kind == world.PortPlace {
			if code := airportNames()[placeName(p.City)]; code != "" {
				return code
			}
			if len(p.Airports) == 1 {
				return p.Airports[0].Airport.IATA
			}
		}
	}
	return text
}

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
	return strings.Join(strings.Fields(s), " ")
}

// smallBeside is how many times fewer passengers than the largest an airport of
// a city has that nobody means by the city's name.
const smallBeside = 50

// airportNames has the airport of each name that means only one.
var airportNames = sync.OnceValue(func() map[string]string {
	of := map[string][]world.Airport{}
	for _, a := range world.Airports() {
		if _, moved := world.CurrentCode(a.IATA); moved || !a.Scheduled {
			continue
		}
		names := map[string]bool{placeName(a.City): true, placeName(a.Name): true}
		if i := strings.IndexAny(a.City, ","); i > 0 {
			names[placeName(a.City[:i])] = true
		}
		for name := range names {
			if name != "" {
				of[name] = append(of[name], a)
			}
		}
	}
	only := map[string]string{}
	for name, list := range of {
		best, second := world.Airport{Passengers: -1}, -1
		for _, a := range list {
			if a.Passengers > best.Passengers {
				best, second = a, best.Passengers
			} else {
				second = max(second, a.Passengers)
			}
		}
		if len(list) == 1 || best.Passengers > 0 && second*smallBeside < best.Passengers {
			only[name] = best.IATA
		}
	}
	for _, p := range world.Ports() {
		if len(p.Airports) != 1 {
			continue
		}
		for name := range strings.SplitSeq(p.Name, " / ") {
			if name = placeName(name); len(of[name]) == 0 {
				only[name] = p.Airports[0]
			}
		}
	}
	return only
})
