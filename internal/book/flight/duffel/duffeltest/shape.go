package duffeltest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gangway/internal/world"
)

// A money is an amount in hundredths of the account's currency.
type money int64

// currency is the currency of all prices.
const currency = "GBP"

// MarshalJSON writes a decimal in a string.
func (m money) MarshalJSON() ([]byte, error) { return json.Marshal(m.String()) }

func (m money) String() string {
	sign := ""
	if m < 0 {
		sign, m = "-", -m
	}
	return fmt.Sprintf("%s%d.%02d", sign, m/100, m%100)
}

// An instant is a time in UTC.
type instant time.Time

// MarshalJSON writes the time with its Z.
func (i instant) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.Time(i).UTC().Format("2006-01-02T15:04:05Z"))
}

func at(t time.Time) *instant { i := instant(t); return &i }

func (i *instant) time() time.Time {
	if i == nil {
		return time.Time{}
	}
	return time.Time(*i)
}

type airport struct {
	Type            string  `json:"type"` // "airport", or "city" with the fields of cities
	ID              string  `json:"id"`
	Name            string  `json:"name"`
	IATACode        string  `json:"iata_code"`
	ICAOCode        string  `json:"icao_code"`
	IATACountryCode string  `json:"iata_country_code"`
	IATACityCode    *string `json:"iata_city_code"`
	CityName        string  `json:"city_name"`
	City            *city   `json:"city"`
	Latitude        float64 `json:"latitude"`
	Longitude       float64 `json:"longitude"`
	TimeZone        string  `json:"time_zone"`
}

type city struct {
	Type            string    `json:"type"`
	ID              string    `json:"id"`
	Name            string    `json:"name"`
	IATACode        string    `json:"iata_code"`
	IATACountryCode string    `json:"iata_country_code"`
	Airports        []airport `json:"airports,omitempty"`
}

type carrier struct {
	ID            string  `json:"id"`
	Name          string  `json:"name"`
	IATACode      string  `json:"iata_code"`
	LogoLockup    *string `json:"logo_lockup_url"`
	LogoSymbol    *string `json:"logo_symbol_url"`
	ConditionsURL string  `json:"conditions_of_carriage_url"`
}

// duffelAirways is the airline of test mode.
var duffelAirways = carrier{ID: "arl_00009VME7D6ivUu8dn35WK", Name: "Duffel Airways", IATACode: "ZZ",
	ConditionsURL: "https://example.com/conditions"}

type aircraft struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	IATACode string `json:"iata_code"`
}

type segment struct {
	ID                  string             `json:"id"`
	Aircraft            aircraft           `json:"aircraft"`
	Origin              airport            `json:"origin"`
	Destination         airport            `json:"destination"`
	OriginTerminal      string             `json:"origin_terminal"`
	DestinationTerminal string             `json:"destination_terminal"`
	DepartingAt         string             `json:"departing_at"` // local, without offset
	ArrivingAt          string             `json:"arriving_at"`
	Duration            string             `json:"duration"`
	Distance            string             `json:"distance"`
	Marketing           carrier            `json:"marketing_carrier"`
	MarketingNumber     string             `json:"marketing_carrier_flight_number"`
	Operating           carrier            `json:"operating_carrier"`
	OperatingNumber     string             `json:"operating_carrier_flight_number"`
	Passengers          []segmentPassenger `json:"passengers"`
	Stops               []stop             `json:"stops"`
	departure, arrival  time.Time
}

type stop struct {
	ID          string  `json:"id"`
	Airport     airport `json:"airport"`
	ArrivingAt  string  `json:"arriving_at"`
	DepartingAt string  `json:"departing_at"`
	Duration    string  `json:"duration"`
}

type segmentPassenger struct {
	PassengerID   string    `json:"passenger_id"`
	CabinClass    string    `json:"cabin_class"`
	MarketingName string    `json:"cabin_class_marketing_name"`
	FareBasis     string    `json:"fare_basis_code"`
	Cabin         *struct{} `json:"cabin"`
	Seat          *struct{} `json:"seat"`
	Baggages      []baggage `json:"baggages"`
}

type baggage struct {
	Type     string `json:"type"` // carry_on or checked
	Quantity int    `json:"quantity"`
}

// A condition is the condition of a change or refund. nil: the airline gave no information.
// Allowed without an amount: the amount is unknown.
type condition struct {
	Allowed  bool    `json:"allowed"`
	Penalty  *money  `json:"penalty_amount"`
	Currency *string `json:"penalty_currency"`
}

func allowed(penalty money) *condition {
	in := currency
	return &condition{Allowed: true, Penalty: &penalty, Currency: &in}
}

type conditions struct {
	Refund *condition `json:"refund_before_departure"`
	Change *condition `json:"change_before_departure"`
}

type sliceConditions struct {
	conditions
	Seat     *bool `json:"advance_seat_selection"`
	Boarding *bool `json:"priority_boarding"`
	CheckIn  *bool `json:"priority_check_in"`
}

type slice struct {
	ID              string          `json:"id"`
	Origin          airport         `json:"origin"`
	OriginType      string          `json:"origin_type"`
	Destination     airport         `json:"destination"`
	DestinationType string          `json:"destination_type"`
	Duration        string          `json:"duration"`
	FareBrand       string          `json:"fare_brand_name"`
	ComparisonKey   string          `json:"comparison_key"`
	Shelf           *int            `json:"ngs_shelf"`
	Conditions      sliceConditions `json:"conditions"`
	Segments        []segment       `json:"segments"`
}

func (s slice) departure() time.Time { return s.Segments[0].departure }

// airportOf returns an airport as Duffel describes it.
func airportOf(a world.Airport) airport {
	out := airport{
		Type: "airport", ID: "arp_" + strings.ToLower(a.IATA) + "_" + strings.ToLower(a.Country), Name: a.Name,
		IATACode: a.IATA, ICAOCode: "X" + a.IATA,
		IATACountryCode: a.Country, CityName: a.City, Latitude: a.Lat, Longitude: a.Lon, TimeZone: a.Zone,
	}
	for code, members := range cities {
		for _, m := range members {
			if m == a.IATA {
				out.IATACityCode = &code
				out.City = &city{Type: "city", ID: "cit_" + strings.ToLower(code), Name: a.City, IATACode: code,
					IATACountryCode: a.Country}
			}
		}
	}
	return out
}

// cities are the metropolitan areas that the model knows.
var cities = map[string][]string{
	"LON": {"LHR", "LGW", "STN", "LTN", "LCY"},
	"NYC": {"JFK", "EWR", "LGA"},
	"PAR": {"CDG", "ORY"},
	"TYO": {"HND", "NRT"},
}

// placesOf returns the airports of the code of an airport or city.
func placesOf(code string) []world.Airport {
	codes := cities[code]
	if codes == nil {
		codes = []string{code}
	}
	var list []world.Airport
	for _, c := range codes {
		if a, ok := world.AirportOf(c); ok && len(code) == 3 {
			list = append(list, a)
		}
	}
	return list
}

// isoDuration writes a duration as in P1DT02H26M.
func isoDuration(d time.Duration) string {
	minutes := int(d.Minutes())
	days := ""
	if minutes >= 24*60 {
		days, minutes = fmt.Sprintf("%dD", minutes/(24*60)), minutes%(24*60)
	}
	return fmt.Sprintf("P%sT%02dH%02dM", days, minutes/60, minutes%60)
}
