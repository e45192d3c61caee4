package duffeltest

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// lives is how long an offer can be booked.
const lives = 30 * time.Minute

type askedPassenger struct {
	Type     *string          `json:"type"`
	Age      *int             `json:"age"`
	FareType *string          `json:"fare_type"`
	Given    string           `json:"given_name"`
	Family   string           `json:"family_name"`
	Loyalty  []map[string]any `json:"loyalty_programme_accounts"`
}

type timeRange struct {
	From string `json:"from"`
	To   string `json:"to"`
}

type askedSlice struct {
	Origin      string     `json:"origin"`
	Destination string     `json:"destination"`
	Date        string     `json:"departure_date"`
	Departure   *timeRange `json:"departure_time"`
	Arrival     *timeRange `json:"arrival_time"`
}

type searchAsk struct {
	Slices         []askedSlice     `json:"slices"`
	Passengers     []askedPassenger `json:"passengers"`
	Cabin          *string          `json:"cabin_class"`
	MaxConnections *int             `json:"max_connections"`
	PrivateFares   map[string]any   `json:"private_fares"`
}

type offerPassenger struct {
	ID       string  `json:"id"`
	Type     *string `json:"type"`
	Age      *int    `json:"age"`
	FareType *string `json:"fare_type"`
	Loyalty  []any   `json:"loyalty_programme_accounts"`
}

type requestSlice struct {
	Origin          airport `json:"origin"`
	OriginType      string  `json:"origin_type"`
	Destination     airport `json:"destination"`
	DestinationType string  `json:"destination_type"`
	Date            string  `json:"departure_date"`
}

type offerRequest struct {
	ID         string           `json:"id"`
	Live       bool             `json:"live_mode"`
	CreatedAt  *instant         `json:"created_at"`
	Cabin      string           `json:"cabin_class"`
	Slices     []requestSlice   `json:"slices"`
	Passengers []offerPassenger `json:"passengers"`
	Offers     []*offer         `json:"offers"`
	booked     bool             // an offer request can be booked once
}

type paymentRequirements struct {
	Instant    bool     `json:"requires_instant_payment"`
	RequiredBy *instant `json:"payment_required_by"`
	Guarantee  *instant `json:"price_guarantee_expires_at"`
}

type privateFare struct {
	Type string `json:"type"`
}

type offer struct {
	ID              string              `json:"id"`
	Live            bool                `json:"live_mode"`
	CreatedAt       *instant            `json:"created_at"`
	UpdatedAt       *instant            `json:"updated_at"`
	ExpiresAt       *instant            `json:"expires_at"`
	Total           money               `json:"total_amount"`
	TotalCurrency   string              `json:"total_currency"`
	Base            money               `json:"base_amount"`
	BaseCurrency    string              `json:"base_currency"`
	Tax             money               `json:"tax_amount"`
	TaxCurrency     string              `json:"tax_currency"`
	EmissionsKg     string              `json:"total_emissions_kg"`
	Owner           carrier             `json:"owner"`
	DocumentsNeeded bool                `json:"passenger_identity_documents_required"`
	DocumentTypes   []string            `json:"supported_passenger_identity_document_types"`
	Loyalty         []string            `json:"supported_loyalty_programmes"`
	Payment         paymentRequirements `json:"payment_requirements"`
	Conditions      conditions          `json:"conditions"`
	PrivateFares    []privateFare       `json:"private_fares"`
	Passengers      []offerPassenger    `json:"passengers"`
	Slices          []slice             `json:"slices"`
	Services        []any               `json:"available_services"`
	Partial         bool                `json:"partial"`

	request *offerRequest
	brand   brand
	cabin   string
	route   string // of the first direction
	moved   bool   // its price has changed since it was found
}

// createOfferRequest searches.
func (d *Duffel) createOfferRequest(c *call) (any, error) {
	var ask searchAsk
	if err := c.read(&ask); err != nil {
		return nil, err
	}
	if s := c.r.URL.Query().Get("supplier_timeout"); s != "" {
		if _, err := strconv.Atoi(s); err != nil {
			return nil, invalid("supplier_timeout", "validation_format", "supplier_timeout has to be milliseconds")
		}
	}
	r := &offerRequest{ID: d.id("orq"), Live: c.live, CreatedAt: at(c.now), Cabin: "economy", Offers: []*offer{}}
	if ask.Cabin != nil {
		r.Cabin = *ask.Cabin
	}
	if cabinFactors[r.Cabin] == 0 {
		return nil, invalid("cabin_class", "validation_inclusion", "cabin_class is not one of the cabin classes")
	}
	if ask.MaxConnections != nil && (*ask.MaxConnections < 0 || *ask.MaxConnections > 2) {
		return nil, invalid("max_connections", "validation_inclusion", "max_connections has to be 0, 1 or 2")
	}
	marines, err := d.readPassengers(ask.Passengers, r)
	if err != nil {
		return nil, err
	}
	choices, err := d.readSlices(c, ask, r)
	if err != nil {
		return nil, err
	}
	route := ask.Slices[0].Origin + "-" + ask.Slices[0].Destination
	if route == "STN-LHR" {
		return nil, &apiError{504, "api_error", "gateway_timeout", "Gateway timeout",
			"The airlines did not answer in time", ""}
	}
	for i := 0; i < fewest(choices); i++ {
		var flights [][]flown
		for _, choice := range choices {
			flights = append(flights, choice[i])
		}
		for _, b := range brandsOf(route, i, marines) {
			d.addOffer(c, r, flights, b, route)
		}
	}
	c.status = http.StatusCreated
	return r, nil
}

// brandsOf returns the fares of the i-th journey.
func brandsOf(route string, i int, marines bool) []brand {
	list := []brand{basic, flex}
	switch {
	case route == "JFK-EWR":
		list = []brand{flex}
	case route == "LTN-SYD":
		list = []brand{flex}
	case i == 2:
		list = []brand{flex, silent}
	}
	if marines {
		list = append(list, marine)
	}
	return list
}

func fewest(choices [][][]flown) int {
	n := len(choices[0])
	for _, choice := range choices {
		n = min(n, len(choice))
	}
	return n
}

// readPassengers reads the passengers, and whether they get the marine fares filed for us.
func (d *Duffel) readPassengers(asked []askedPassenger, r *offerRequest) (marines bool, err error) {
	if len(asked) == 0 {
		return false, invalid("passengers", "validation_required", "passengers can't be blank")
	}
	for _, p := range asked {
		given := 0
		if p.Type != nil {
			given++
		}
		if p.FareType != nil {
			given++
		} else if p.Age != nil {
			given++
		}
		if given != 1 {
			return false, invalid("passengers", "validation_required",
				"a passenger has exactly one of type, age and fare_type")
		}
		if p.Type != nil && *p.Type != "adult" {
			return false, invalid("type", "validation_inclusion", "type can only be adult")
		}
		if p.FareType != nil && !slices.Contains(fareTypes, *p.FareType) {
			return false, invalid("fare_type", "validation_inclusion", "fare_type is not one of the fare types")
		}
		adult := "adult"
		r.Passengers = append(r.Passengers, offerPassenger{ID: d.id("pas"), Type: &adult, Age: p.Age,
			FareType: p.FareType, Loyalty: []any{}})
		marines = marines || p.FareType != nil && *p.FareType == "marine"
	}
	return marines, nil
}

var fareTypes = []string{"marine", "contract_bulk", "humanitarian", "student", "teacher", "seat_only",
	"visiting_friends_and_family"}

// readSlices reads the slices of a search, and returns the flights for each.
func (d *Duffel) readSlices(c *call, ask searchAsk, r *offerRequest) ([][][]flown, error) {
	if len(ask.Slices) == 0 {
		return nil, invalid("slices", "validation_required", "slices can't be blank")
	}
	var choices [][][]flown
	for _, s := range ask.Slices {
		from, to := placesOf(s.Origin), placesOf(s.Destination)
		if len(from) == 0 {
			return nil, invalid("origin", "invalid_iata_code", "origin is not a known place")
		}
		if len(to) == 0 {
			return nil, invalid("destination", "invalid_iata_code", "destination is not a known place")
		}
		date, err := time.Parse(time.DateOnly, s.Date)
		if err != nil {
			return nil, invalid("departure_date", "validation_format", "departure_date has to be a date")
		}
		if date.Before(c.now.AddDate(0, 0, -1).Truncate(24 * time.Hour)) {
			return nil, invalid("departure_date", "validation_inclusion", "departure_date has to be in the future")
		}
		for _, r := range []*timeRange{s.Departure, s.Arrival} {
			if r != nil && (!clockTime(r.From) || !clockTime(r.To)) {
				return nil, invalid("departure_time", "validation_format", "a time has to be HH:MM")
			}
		}
		kind := func(code string) string {
			if cities[code] != nil {
				return "city"
			}
			return "airport"
		}
		r.Slices = append(r.Slices, requestSlice{Origin: airportOf(from[0]), OriginType: kind(s.Origin),
			Destination: airportOf(to[0]), DestinationType: kind(s.Destination), Date: s.Date})
		var list [][]flown
		for _, a := range from {
			for _, b := range to {
				list = append(list, slotsOf(a, b, date)...)
			}
		}
		choices = append(choices, slices.DeleteFunc(list, func(f []flown) bool {
			return ask.MaxConnections != nil && len(f)-1 > *ask.MaxConnections || !within(s.Departure,
				f[0].departure) || !within(s.Arrival, f[len(f)-1].arrival) || f[0].departure.Before(c.now)
		}))
	}
	return choices, nil
}

func clockTime(s string) bool { _, err := time.Parse("15:04", s); return err == nil }

// within reports whether a local time lies in a range, both ends included.
func within(r *timeRange, t time.Time) bool {
	return r == nil || t.Format("15:04") >= r.From && t.Format("15:04") <= r.To
}

// addOffer makes an offer of flights.
func (d *Duffel) addOffer(c *call, r *offerRequest, flights [][]flown, b brand, route string) {
	o := &offer{
		ID: d.id("off"), Live: c.live, CreatedAt: at(c.now), UpdatedAt: at(c.now), ExpiresAt: at(c.now.Add(lives)),
		TotalCurrency: currency, BaseCurrency: currency, TaxCurrency: currency, EmissionsKg: "0", Owner: duffelAirways,
		DocumentTypes: []string{"passport"}, Loyalty: []string{}, PrivateFares: []privateFare{},
		Services:   []any{},
		Passengers: slices.Clone(r.Passengers),
		Conditions: conditions{Refund: b.refund, Change: b.change}, request: r, brand: b,
		cabin: r.Cabin, route: route,
	}
	if b.private {
		o.PrivateFares = append(o.PrivateFares, privateFare{Type: "negotiated"})
	} // otherwise it is not sold at the requested fare type, although the passengers still have it
	for _, f := range flights {
		o.Slices = append(o.Slices, d.slice(f, b, r.Cabin, o.Passengers))
		base, tax := priceOf(f, b, r.Cabin)
		o.Base += base * money(len(r.Passengers))
		o.Tax += tax * money(len(r.Passengers))
	}
	o.Base += d.markup
	o.Total = o.Base + o.Tax
	o.EmissionsKg = strconv.FormatInt(int64(o.Base)/100, 10)
	o.Payment = d.requirements(c.now, o)
	r.Offers = append(r.Offers, o)
	d.offers[o.ID] = o
}

// requirements says by when an order made from the offer now must be paid: seats are held for
// three days and prices for one, if there is time before departure.
func (d *Duffel) requirements(now time.Time, o *offer) paymentRequirements {
	left := o.Slices[0].departure().Sub(now)
	if !o.brand.hold || left < 24*time.Hour {
		return paymentRequirements{Instant: true}
	}
	keep := min(72*time.Hour, left-12*time.Hour)
	return paymentRequirements{RequiredBy: at(now.Add(keep)), Guarantee: at(now.Add(min(24*time.Hour, keep)))}
}

// getOffer returns an offer as it is now. From LHR to STN its price changes.
func (d *Duffel) getOffer(c *call) (any, error) {
	o, ok := d.offers[c.r.PathValue("id")]
	if !ok {
		return nil, errNotFound
	}
	if o.route == "LHR-STN" && !o.moved {
		o.moved = true
		o.raise(o.Total / 10)
	}
	return o, nil
}

func (o *offer) raise(by money) {
	o.Base += by
	o.Total += by
}

// RaiseOffer changes the price of an offer by so many hundredths.
func (d *Duffel) RaiseOffer(id string, by int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.offers[id].raise(money(by))
}

// RaisePrices changes the price of all offers found from now on by so many hundredths.
func (d *Duffel) RaisePrices(by int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.markup = money(by)
}

// Operate makes another airline operate the flights found from now on, still under the flight
// numbers of the model's own airline.
func (d *Duffel) Operate(name, code string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.operating = &carrier{ID: "arl_" + code, Name: name, IATACode: code}
}
