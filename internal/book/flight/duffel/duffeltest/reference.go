package duffeltest

import (
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

func (d *Duffel) listAirports(c *call) (any, error) {
	country := c.r.URL.Query().Get("iata_country_code")
	var list []world.Airport
	for _, a := range world.Airports() {
		if country == "" || a.Country == country {
			list = append(list, a)
		}
	}
	some, err := page(c, list, func(a world.Airport) string { return a.IATA })
	if err != nil {
		return nil, err
	}
	out := make([]airport, len(some))
	for i, a := range some {
		out[i] = airportOf(a)
	}
	return out, nil
}

func (d *Duffel) getAirport(c *call) (any, error) {
	code, _, _ := strings.Cut(strings.TrimPrefix(c.r.PathValue("id"), "arp_"), "_")
	a, ok := world.AirportOf(code)
	if !ok || airportOf(a).ID != c.r.PathValue("id") {
		return nil, errNotFound
	}
	return airportOf(a), nil
}

func (d *Duffel) listAirlines(c *call) (any, error) {
	return page(c, []carrier{duffelAirways}, func(a carrier) string { return a.ID })
}

func (d *Duffel) getAirline(c *call) (any, error) {
	if c.r.PathValue("id") != duffelAirways.ID {
		return nil, errNotFound
	}
	return duffelAirways, nil
}

// suggestPlaces completes the name of a place, cities before airports.
func (d *Duffel) suggestPlaces(c *call) (any, error) {
	text := c.r.URL.Query().Get("query")
	if text == "" {
		return nil, invalid("query", "validation_required", "query can't be blank")
	}
	type place struct {
		airport
		CountryName *string   `json:"country_name"`
		Airports    []airport `json:"airports"`
	}
	list := []place{}
	for code := range cities {
		if strings.EqualFold(code, text) {
			p := place{Airports: []airport{}}
			for _, a := range placesOf(code) {
				p.Airports = append(p.Airports, airportOf(a))
			}
			p.airport = p.Airports[0]
			p.Type, p.IATACode, p.ID, p.Name = "city", code, "cit_"+strings.ToLower(code), p.CityName
			list = append(list, p)
		}
	}
	for _, p := range world.FindPlaces(text, 8) {
		if p.Kind == world.AirportPlace {
			name := gangway.Country(p.Country).Name()
			list = append(list, place{airport: airportOf(p.Airports[0].Airport), CountryName: &name})
		}
	}
	return list, nil
}
