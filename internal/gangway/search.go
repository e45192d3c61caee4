package gangway

import (
	"encoding/json"
	"time"
)

// A Search is a search for flights, for one traveller or for all members of a
// crew change. It is stored, so that people can come back to its results.
type Search struct {
	ID        string         `json:"id"`
	By        string         `json:"by"` // the user's e-mail
	CreatedAt time.Time      `json:"created_at"`
	Vessel    string         `json:"vessel,omitempty"`
	Flag      Country        `json:"flag,omitempty"`
	Uploaded  bool           `json:"uploaded,omitempty"` // the crew change came from the customer's system
	Change    string         `json:"change,omitempty"`   // key of the crew change it came from
	ChangeID  string         `json:"travel_request_id,omitempty"`
	Date      Date           `json:"date,omitempty"`    // date of the crew change
	Airport   Place          `json:"airport,omitempty"` // where the crew change is: an airport, a city or a port
	Members   []SearchMember `json:"members"`

	// Notes are sentences about how a hand-off as a whole was understood.
	Notes []string `json:"notes,omitempty"`

	// Unplaced: the hand-off did not say which environment it is for.
	Unplaced bool `json:"unplaced,omitempty"`

	// Moved is where the ship was before somebody moved it in this search; nil: nobody has.
	Moved *MovedFrom `json:"moved,omitempty"`
}

// Marine reports whether suppliers can offer marine fares: they are filed for the crew of a vessel under its flag.
func (s Search) Marine() bool { return s.Vessel != "" && s.Flag != "" }

// SameFlights reports whether s looks for the flights that other looks for: of
// one crew change, for the same people, on the same ways and days. Who looks, and
// what was chosen since, makes no difference.
func (s Search) SameFlights(other Search) bool {
	if s.Change == "" || s.Change != other.Change || len(s.Members) != len(other.Members) {
		return false
	}
	wanted, err := s.wanted()
	also, otherErr := other.wanted()
	return err == nil && otherErr == nil && string(wanted) == string(also)
}

// wanted is what s looks for.
func (s Search) wanted() ([]byte, error) {
	s.ID, s.By, s.CreatedAt, s.Moved = "", "", time.Time{}, nil
	members := s.Members
	s.Members = make([]SearchMember, len(members))
	for i, m := range members {
		m.Chosen, m.ChosenBy, m.Carried = "", "", false
		s.Members[i] = m
	}
	return json.Marshal(s)
}

// A MovedFrom is where and when a ship was to be met before it was moved.
type MovedFrom struct {
	Place Place     `json:"place,omitempty"`
	Date  Date      `json:"date,omitempty"`
	By    string    `json:"by"` // who moved it: an e-mail address
	At    time.Time `json:"at"`
}

// A SearchMember is one traveller of a search and where they have to go.
type SearchMember struct {
	Traveller    Traveller `json:"traveller"`
	Side         Side      `json:"side,omitempty"`
	Rank         string    `json:"rank,omitempty"`
	Legs         []Leg     `json:"legs"`
	FareType     FareType  `json:"fare_type,omitempty"` // empty: both
	RequestID    string    `json:"request_id,omitempty"`
	SubRequestID string    `json:"sub_request_id,omitempty"`
	// the travel request's additionalInfo: departure times and flight ids by leg
	Wishes       map[string]string `json:"wishes,omitempty"`
	Metadata     map[string]string `json:"metadata,omitempty"`
	CustomFields map[string]string `json:"custom_fields,omitempty"`
	// what was missing or malformed in the customer's record
	Warnings []string `json:"warnings,omitempty"`
	// the flights that a booker picked for the traveller, by their content; empty: the proposed ones
	Chosen   string `json:"chosen,omitempty"`
	ChosenBy string `json:"chosen_by,omitempty"` // who picked them: an e-mail address
	// they were picked before the ship was moved, and stay while they still fit
	Carried bool `json:"carried,omitempty"`
}
