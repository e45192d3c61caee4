package gangway

// A PricedItinerary is flights together with what they cost and what that buys:
// the rules of the fare and the baggage that goes along. It is offered, ordered
// and booked as one; a supplier's offer becomes its order and then our booking.
type PricedItinerary struct {
	Itinerary Itinerary   `json:"itinerary"`
	Baggage   []Allowance `json:"baggage,omitempty"`
	Terms     Terms       `json:"terms"`
	Price     Price       `json:"price"`
	Emissions Emissions   `json:"emissions,omitzero"`
}
