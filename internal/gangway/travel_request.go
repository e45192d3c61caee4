package gangway

import "encoding/json"

// A TravelRequest is the planned travel of one traveller: a flight, a hotel or both.
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

// A HotelNeed is where and when a traveller needs a hotel.
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

// Starts returns the day on which the journey begins: that of the flight, or else
// of the hotel; and the day of the hotel. Empty where no date is known.
func (r TravelRequest) Starts() (journey, hotel Date) {
	if r.Hotel != nil {
		journey, hotel = r.Hotel.CheckIn, r.Hotel.CheckIn
	}
	if r.Flight != nil {
		journey = r.Flight.Starts()
	}
	return journey, hotel
}
