package wire

import (
	"fmt"
	"maps"
	"strings"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The booking record and its parts.
//
// Spec: Booking record.
type (
	booking struct {
		Actions   []action             `json:"actions"`
		Passenger passenger            `json:"passenger"`
		Durations []int                `json:"durations"`
		Segments  []segment            `json:"segments"`
		Baggage   map[string]allowance `json:"baggage"`
		Tickets   []string             `json:"tickets"`
		ID        string               `json:"id"`
		Locator   string               `json:"locator"`
		Terms     terms                `json:"terms"`
		Metadata  map[string]any       `json:"metadata"`
		State     gangway.State        `json:"state"`
		Price     price                `json:"price"`
		CreatedAt int64                `json:"created_at"`
		CreatedBy creator              `json:"created_by"`
	}
	action struct {
		Action    gangway.State `json:"action"`
		Timestamp int64         `json:"timestamp"`
		User      string        `json:"user"`
	}
	passenger struct {
		LastName  string `json:"last_name"`
		FirstName string `json:"first_name"`
		ID        string `json:"id"` // empty when the customer sent none
	}
	segment struct {
		Carrier             string          `json:"carrier"`
		FlightNumber        string          `json:"flight_number"`
		Origin              gangway.Airport `json:"origin"`
		Destination         gangway.Airport `json:"destination"`
		DepartureDate       string          `json:"departure_date"`
		DepartureTime       string          `json:"departure_time"`
		ArrivalDate         string          `json:"arrival_date"`
		ArrivalTime         string          `json:"arrival_time"`
		DestinationTerminal string          `json:"destination_terminal,omitempty"`
		Connecting          bool            `json:"connecting"`
		CabinClass          gangway.Cabin   `json:"cabin_class"`
	}
	allowance struct {
		Checked checked `json:"checked"`
	}
	checked struct {
		Pieces int `json:"pcs"`
		// kg per piece, or in total for an allowance by weight; 0 if the supplier does not say
		Weight int    `json:"weight"`
		URL    string `json:"url"`
	}
	terms struct {
		FareType      gangway.FareType   `json:"fare_type"`
		Splitting     bool               `json:"splitting"`
		Cancellations gangway.CancelRule `json:"cancellations"`
		Changes       gangway.ChangeRule `json:"changes"`
	}
	price struct {
		Total    jsontext.Value `json:"total"`
		Currency string         `json:"ccy"`
	}
	creator struct {
		Name  string `json:"name"`
		Email string `json:"email"`
	}
)

// Booking writes one booking record with the given actions, as it is pushed (B5) and pulled (A5).
// The same booking and actions always give the same bytes.
func Booking(b gangway.Booking, actions []gangway.Action) ([]byte, error) {
	doc, err := json.Marshal(record(b, actions), json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("write booking %s: %w", b.ID, err)
	}
	return doc, nil
}

func record(b gangway.Booking, actions []gangway.Action) booking {
	out := booking{
		Actions:   make([]action, len(actions)),
		Passenger: passenger{b.Passenger.LastName, b.Passenger.FirstName, b.Passenger.ID},
		Durations: make([]int, len(b.Itinerary.Segments)),
		Segments:  make([]segment, len(b.Itinerary.Segments)),
		Baggage:   make(map[string]allowance, len(b.Baggage)),
		Tickets:   append([]string{}, b.Tickets...),
		ID:        b.ID,
		Locator:   b.Locator,
		Terms:     terms{b.Terms.FareType, b.Terms.Splitting, b.Terms.Cancellations, b.Terms.Changes},
		Metadata:  metadata(b, actions),
		State:     b.State,
		Price:     price{jsontext.Value(b.Price.Total.Decimal()), b.Price.Total.Currency},
		CreatedAt: b.CreatedAt.Unix(),
		CreatedBy: creator{b.CreatedByName, b.CreatedBy},
	}
	if name := b.Passenger.TicketName(); b.Passenger.TicketDiffers() && name.Last != "" && name.First != "" {
		out.Metadata["ticket_name"] = name.String()
	}
	for i, a := range actions {
		out.Actions[i] = action{a.Name, a.At.Unix(), a.By}
	}
	for i, s := range b.Itinerary.Segments {
		out.Durations[i] = int(s.Duration().Minutes())
		out.Segments[i] = segment{
			Carrier: s.Carrier, FlightNumber: s.FlightNumber, Origin: s.Origin, Destination: s.Destination,
			DepartureDate: s.Departure.Format("2006-01-02"), DepartureTime: s.Departure.Format("15:04"),
			ArrivalDate: s.Arrival.Format("2006-01-02"), ArrivalTime: s.Arrival.Format("15:04"),
			DestinationTerminal: s.DestinationTerminal, Connecting: b.Itinerary.Connecting(i), CabinClass: s.Cabin,
		}
	}
	for _, a := range b.Baggage {
		out.Baggage[string(a.Origin)+"-"+string(a.Destination)] = allowance{checked{a.Pieces, a.WeightKg, a.URL}}
	}
	return out
}

// metadata has what the customer's records say about the booking's purpose,
// as far as it is known. A crew member's own entries go into an object of their
// own, so that none of them can hide one of ours.
//
// Decided: docs/choices.md, "Booking record".
func metadata(b gangway.Booking, actions []gangway.Action) map[string]any {
	m, p := make(map[string]any, 16), b.Purpose
	for key, id := range p.FlightIDs {
		if strings.HasSuffix(key, "_flight_id") {
			m[key] = id
		}
	}
	for _, member := range []struct{ name, value string }{
		{"crew_change_member", string(p.Side)}, {"crew_change_airport", string(p.Airport)},
		{"crew_change_date", string(p.Date)}, {"crew_change_port", string(p.Port)},
		{"vessel", p.Vessel}, {"vessel_flag", string(p.Flag)}, {"request_id", p.RequestID},
		{"sub_request_id", p.SubRequestID}, {"travel_request_id", p.TravelRequestID},
		{"attention", b.UnhandledAttention()},
	} {
		if member.value != "" {
			m[member.name] = member.value
		}
	}
	if len(p.Metadata) > 0 {
		m["metadata"] = maps.Clone(p.Metadata)
	}
	if len(p.CustomFields) > 0 {
		m["custom_fields"] = maps.Clone(p.CustomFields)
	}
	addMoney(m, b)
	addStanding(m, b, actions)
	return m
}

// addStanding says how the booking got into its state: by which action, from
// which state, why it was declined, and whether it is simulated.
func addStanding(m map[string]any, b gangway.Booking, actions []gangway.Action) {
	m["simulated"] = b.Simulated
	if n := len(actions); n > 0 {
		m["sequence"] = actions[n-1].Seq
	}
	if b.Previous != gangway.None {
		m["previous_state"] = b.Previous
	}
	if b.State == gangway.Declined && b.Approval != nil && b.Approval.Reason != "" {
		m["reject_reason"] = b.Approval.Reason
	}
}
