package app

import (
	"net/http"
	"strings"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/world"
)

// suggestions is how many are offered at once: what the eye takes in without scrolling.
const suggestions = 10

// A suggestedTraveller is a line of the list below the traveller field.
type suggestedTraveller struct {
	Key     string
	Name    string
	About   string
	Home    gangway.Airport
	Expires gangway.Date
	Fill    map[string]string // fields of the form that picking her fills in
}

// suggestTravellers answers with the travellers whose surname starts with what
// was typed, as options for the combobox.
func (a *App) suggestTravellers(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	typed := strings.ReplaceAll(r.URL.Query().Get("surname"), ",", " ")
	found, err := a.desk.Suggest(r.Context(), in, typed, suggestions)
	if err != nil {
		return err
	}
	list := make([]suggestedTraveller, 0, len(found))
	for _, t := range found {
		s := suggestedTraveller{Key: t.Key(), Name: t.LastName + ", " + t.FirstName, About: about(t), Home: t.HomeAirport, Expires: t.DocExpire}
		s.Fill = map[string]string{"traveller": s.Key, "name": s.Name}
		if t.HomeAirport != "" {
			s.Fill["from"] = airportLabel(t.HomeAirport)
		}
		list = append(list, s)
	}
	return a.options(w, "traveller-options", list)
}

// suggestAirports answers with the airports that fit what was typed, by code,
// city, name or the sea port that they serve.
func (a *App) suggestAirports(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	field := r.URL.Query().Get("field")
	if field != "from" && field != "to" && field != "airport" {
		field = "to"
	}
	list := findPlaces(r.URL.Query().Get("q"), suggestions)
	for i := range list {
		list[i].Fill = map[string]string{field: list[i].Label}
	}
	return a.options(w, "airport-options", list)
}

func (a *App) options(w http.ResponseWriter, part string, list any) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "private, max-age=30")
	return a.part(w, "book", part, list)
}

// A foundPlace is an airport that a field may mean.
type foundPlace struct {
	Code  gangway.Airport
	Label string // what stands in the field: "MNL Manila"
	About string
	Fill  map[string]string
}

// findPlaces returns the airports for what was typed. A sea port brings the
// airports that crews use for it.
func findPlaces(typed string, limit int) []foundPlace {
	var list []foundPlace
	seen := map[string]bool{}
	add := func(p world.Airport, about string) {
		if seen[p.IATA] || len(list) == limit {
			return
		}
		seen[p.IATA] = true
		list = append(list, foundPlace{Code: gangway.Airport(p.IATA), Label: airportLabel(gangway.Airport(p.IATA)), About: about})
	}
	airports := world.FindAirports(typed, limit)
	if len(airports) > 0 && strings.EqualFold(airports[0].IATA, strings.TrimSpace(typed)) {
		add(airports[0], aboutAirport(airports[0]))
	}
	for _, port := range world.FindPorts(typed, 2) {
		for _, code := range port.Airports {
			if p, ok := world.AirportOf(code); ok {
				add(p, "for the port of "+port.Name)
			}
		}
	}
	for _, p := range airports {
		add(p, aboutAirport(p))
	}
	return list
}

func aboutAirport(p world.Airport) string {
	return p.Name + ", " + world.CountryName(p.Country)
}

// airportLabel is how an airport stands in a field: its code and its city. A
// code that we do not know stands alone.
func airportLabel(code gangway.Airport) string {
	p, ok := world.AirportOf(string(code))
	if !ok || string(code) != p.IATA {
		return string(code)
	}
	return p.IATA + " " + city(p)
}

// city returns the city of an airport without the suburb or county that some
// have behind it, as in "Manila (Pasay)" or "London/Gatwick, West Sussex".
func city(p world.Airport) string {
	if p.City == "" {
		return p.Name
	}
	if end := strings.IndexAny(p.City, "(/,"); end > 0 {
		return strings.TrimSpace(p.City[:end])
	}
	return p.City
}
