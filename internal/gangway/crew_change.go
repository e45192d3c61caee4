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

	// Dropped are the members that a later upload left out, the latest first. They
	// are never searched for or booked with the others. Customers never send any.
	Dropped []DroppedMember `json:"-"`

	// Moved is where a person moved the ship to; nil: the customer's own place and date apply.
	Moved *ShipMove `json:"-"`

	// Rules are what a coordinator set for this crew change. Its hours are the ship's own, on its day; what is empty is
	// as the account's settings say.
	Rules CrewRules `json:"-"`

	// News is what the last upload changed; nil: it came once.
	News *UploadNews `json:"-"`

	// StoredKey is the key under which c is stored, if that is not its Name: it came for another date first.
	StoredKey string     `json:"-"`
	Moves     []DateMove `json:"-"` // of a crew change without an identifier, the latest last

	Origin Origin `json:"-"` // of the stored record
}

// A CrewMember is a traveller who joins or leaves a vessel.
type CrewMember struct {
	Traveller
	Arrive       PortCall          `json:"arrive,omitzero"` // when an on-signer is wanted at the crew change airport
	Depart       PortCall          `json:"depart,omitzero"` // when an off-signer may leave from it
	ChangeDate   Date              `json:"change_date,omitempty"`
	Metadata     map[string]string `json:"metadata,omitempty"`
	CustomFields map[string]string `json:"custom_fields,omitempty"`
}

// A PortCall is a date at the crew change airport; Airport is set if the
// customer named it together with the date.
type PortCall struct {
	Airport Airport `json:"airport,omitempty"`
	Date    Date    `json:"date,omitempty"`
}

// A Side says whether a crew member joins or leaves; the values are the interface's.
type Side string

const (
	OnSigner  Side = "on-signer"
	OffSigner Side = "off-signer"
)

// Key returns what c is stored under. It stays when c moves to another date.
func (c CrewChange) Key() string {
	if c.StoredKey != "" {
		return c.StoredKey
	}
	return c.Name()
}

// Name returns what identifies c when it is sent again: the customer's
// identifier, or else vessel, flag and date. Vessels' names are compared folded,
// because one system writes Nordlys and another NORDLYS.
//
// Decided: docs/choices.md, "Uploads".
func (c CrewChange) Name() string {
	if c.TravelRequestID != "" {
		return "id:" + c.TravelRequestID
	}
	return namedByDate + strings.Join([]string{string(c.ChangeDate), string(c.Flag), Fold(c.Vessel)}, ":")
}

// Size returns how many people join and leave.
func (c CrewChange) Size() int { return len(c.OnSigners) + len(c.OffSigners) }

// Airport returns the airport of the crew change if the customer named one: for
// the whole change, or with a member's date.
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

// Call returns the date, and perhaps the airport, at which m is expected at the
// crew change: an on-signer's arrival or an off-signer's departure. Hand-offs
// send off-signers with an arrival too; it is used when there is no departure.
func (m CrewMember) Call(side Side) PortCall {
	if side == OffSigner && m.Depart != (PortCall{}) {
		return m.Depart
	}
	if side == OnSigner && m.Arrive == (PortCall{}) {
		return m.Depart
	}
	return m.Arrive
}
