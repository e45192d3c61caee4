package gangway

// A PricedItinerary is flights together with their price and what it buys: the
// rules of the fare and the included baggage. They are offered, ordered and
// booked as one: a supplier's offer becomes its order and then our booking.
type PricedItinerary struct {
	Itinerary Itinerary   `json:"itinerary"`
	Baggage   []Allowance `json:"baggage,omitempty"`
	Terms     Terms       `json:"terms"`
	Price     Price       `json:"price"`
	Emissions Emissions   `json:"emissions,omitzero"`
}
