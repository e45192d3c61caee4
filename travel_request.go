package gangway

import "encoding/json"

// A TravelRequest is planned travel of one traveller: a flight, a hotel or both.
//
// Spec: Travel request record.
type TravelRequest struct {
	RequestID      string            `json:"request_id"`
	SubRequestID   string            `json:"sub_request_id,omitempty"`
	AdditionalInfo map[string]string `json:"additional_info,omitempty"`
	Traveller      Traveller         `json:"traveller"`
	CustomFields   map[string]string `json:"custom_fields,omitempty"`
	Flight         *FlightNeed       `json:"flight,omitempty"`
	Hotel          *HotelNeed        `json:"hotel,omitempty"`
	Vehicle        *Vehicle          `json:"vehicle,omitempty"`
	Rank           string            `json:"rank,omitempty"`
	Remarks        string            `json:"remarks,omitempty"`
	Extra          json.RawMessage   `json:"extra,omitempty"`
}

// A FlightNeed is where and when a traveller has to fly.
type FlightNeed struct {
	Origin      Airport `json:"origin"`
	Destination Airport `json:"destination"`
	Date        Date    `json:"date"` // departure from Origin
	Via         []Stop  `json:"via,omitempty"`
}

// A Stop is an intermediate airport and the date of departure from it.
type Stop struct {
	Airport Airport `json:"airport"`
	Date    Date    `json:"date"`
}

// Legs returns the flights asked for: one more than there are intermediate airports.
func (f FlightNeed) Legs() []Leg {
	legs := make([]Leg, 0, len(f.Via)+1)
	from, date := Place(f.Origin), f.Date
	for _, v := range f.Via {
		legs = append(legs, Leg{Origin: from, Destination: Place(v.Airport), Date: date})
		from, date = Place(v.Airport), v.Date
	}
	return append(legs, Leg{Origin: from, Destination: Place(f.Destination), Date: date})
}

// A HotelNeed is where and when a traveller has to sleep.
type HotelNeed struct {
	Location string `json:"location"`
	CheckIn  Date   `json:"check_in"`
	CheckOut Date   `json:"check_out"`
}

// A Vehicle is the ship or aircraft that the traveller works on.
type Vehicle struct {
	Name string  `json:"name"`
	Flag Country `json:"flag,omitempty"`
	Type string  `json:"type,omitempty"`
}
