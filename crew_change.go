package gangway

import (
	"encoding/json"
	"strings"
)

// A CrewChange is a vessel and a date, with those who join and those who leave.
//
// Spec: Crew change record.
type CrewChange struct {
	Vessel          string          `json:"vessel"`
	Flag            Country         `json:"flag,omitempty"`
	ChangeDate      Date            `json:"change_date,omitempty"`
	TravelRequestID string          `json:"travel_request_id,omitempty"`
	ChangeAirport   Airport         `json:"change_airport,omitempty"` // hand-off only
	OnSigners       []CrewMember    `json:"onsigners,omitempty"`
	OffSigners      []CrewMember    `json:"offsigners,omitempty"`
	Extra           json.RawMessage `json:"extra,omitempty"`

	// Dropped are those whom a later upload left out, the latest first. They are
	// never searched for or booked with the others. What a customer sends has none.
	Dropped []DroppedMember `json:"-"`

	// Moved is where the ship was put by hand; nil: nowhere else than sent.
	Moved *ShipMove `json:"-"`

	Origin Origin `json:"-"` // of the record that is kept
}

// A CrewMember is a traveller who joins or leaves a vessel.
type CrewMember struct {
	Traveller
	Arrive       PortCall          `json:"arrive,omitzero"` // when an on-signer is wanted at the crew change airport
	Depart       PortCall          `json:"depart,omitzero"` // when an off-signer may leave it
	ChangeDate   Date              `json:"change_date,omitempty"`
	Metadata     map[string]string `json:"metadata,omitempty"`
	CustomFields map[string]string `json:"custom_fields,omitempty"`
}

// A PortCall is a date at the crew change airport; Airport is set where the
// customer named it with the date.
type PortCall struct {
	Airport Airport `json:"airport,omitempty"`
	Date    Date    `json:"date,omitempty"`
}

// A Side says whether a crew member joins or leaves; the values are the wire's.
type Side string

const (
	OnSigner  Side = "on-signer"
	OffSigner Side = "off-signer"
)

// Key returns what makes c the same crew change when it is sent again: the
// customer's identifier, or else vessel, flag and date. Names of vessels are
// compared folded: one system writes Nordlys, another NORDLYS.
//
// Decided: docs/choices.md, "Uploads".
func (c CrewChange) Key() string {
	if c.TravelRequestID != "" {
		return "id:" + c.TravelRequestID
	}
	return strings.Join([]string{"on", string(c.ChangeDate), string(c.Flag), Fold(c.Vessel)}, ":")
}

// ChangeKey returns a key as Key makes it of one from before vessels' names were
// folded in keys: searches, bookings and addresses that people have kept still
// have them.
func ChangeKey(key string) string {
	parts := strings.SplitN(key, ":", 4)
	if parts[0] != "on" || len(parts) < 4 {
		return key
	}
	parts[3] = Fold(parts[3])
	return strings.Join(parts, ":")
}

// Size returns how many people join and leave.
func (c CrewChange) Size() int { return len(c.OnSigners) + len(c.OffSigners) }

// Airport returns the airport of the crew change, where the customer named
// one: for the whole change, or with a member's date.
func (c CrewChange) Airport() Airport {
	if c.ChangeAirport != "" {
		return c.ChangeAirport
	}
	for _, m := range c.OnSigners {
		if m.Arrive.Airport != "" {
			return m.Arrive.Airport
		}
	}
	for _, m := range c.OffSigners {
		if m.Depart.Airport != "" {
			return m.Depart.Airport
		}
	}
	return ""
}

// Call returns the date, and perhaps the airport, that binds m at the crew
// change: an on-signer's arrival or an off-signer's departure. Hand-offs send
// off-signers with an arrival as well; it serves where no departure is given.
func (m CrewMember) Call(side Side) PortCall {
	if side == OffSigner && m.Depart != (PortCall{}) {
		return m.Depart
	}
	if side == OnSigner && m.Arrive == (PortCall{}) {
		return m.Depart
	}
	return m.Arrive
}
