package samplecustomer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/examples/receivers/go/receiver"
)

// A record is a booking as Gangway sends it; only what the page shows is read.
//
// Spec: Booking record.
type record struct {
	Actions []struct {
		Action    string `json:"action"`
		Timestamp int64  `json:"timestamp"`
		User      string `json:"user"`
	} `json:"actions"`
	Passenger struct {
		LastName  string `json:"last_name"`
		FirstName string `json:"first_name"`
		ID        string `json:"id"`
	} `json:"passenger"`
	Segments []struct {
		FlightNumber  string `json:"flight_number"`
		Origin        string `json:"origin"`
		Destination   string `json:"destination"`
		DepartureDate string `json:"departure_date"`
		DepartureTime string `json:"departure_time"`
	} `json:"segments"`
	Tickets  []string       `json:"tickets"`
	ID       string         `json:"id"`
	Locator  string         `json:"locator"`
	State    string         `json:"state"`
	Metadata map[string]any `json:"metadata"`
	Price    struct {
		Total    json.Number `json:"total"`
		Currency string      `json:"ccy"`
	} `json:"price"`
}

// Traveller returns the traveller's name.
func (r record) Traveller() string {
	return strings.TrimSpace(r.Passenger.FirstName + " " + r.Passenger.LastName)
}

// Route returns the airports in order, as in MNL – DXB – AMS.
func (r record) Route() string {
	var stops []string
	for _, s := range r.Segments {
		if len(stops) == 0 || stops[len(stops)-1] != s.Origin {
			stops = append(stops, s.Origin)
		}
		stops = append(stops, s.Destination)
	}
	return strings.Join(stops, " – ")
}

// Leaves returns the first flight and when it leaves.
func (r record) Leaves() string {
	if len(r.Segments) == 0 {
		return ""
	}
	s := r.Segments[0]
	return s.FlightNumber + ", " + s.DepartureDate + " " + s.DepartureTime
}

// Words returns a state in plain words.
func Words(state string) string { return strings.ReplaceAll(state, "_", " ") }

// A happening is one action that was pushed.
type happening struct {
	ID      string // webhook-id
	At      time.Time
	Action  string
	User    string
	Signed  bool
	Late    bool // a later action of the booking arrived before it
	Booking record
	Raw     string
}

// shown is how many actions the page keeps.
const shown = 200

// took shows an action that was pushed.
//
// It shows how a customer answers B5: package receiver does what every receiver has to do.
func (s *System) took(p receiver.Push, outcome receiver.Outcome) {
	var b record
	if err := json.Unmarshal(p.Record, &b); err != nil {
		s.log.Warn("a push cannot be shown", "error", err)
		return
	}
	s.change(func() {
		if outcome == receiver.Repeat {
			s.repeats++
			return
		}
		a := b.Actions[0]
		s.feed = slices.Insert(s.feed, 0, happening{ID: p.ID, At: s.now(), Action: a.Action, User: a.User,
			Signed: s.secret != "", Late: outcome == receiver.Late, Booking: b, Raw: indented(p.Record)})
		s.feed = s.feed[:min(len(s.feed), shown)]
	})
}

// ago returns how long ago something happened, in the largest unit that fits.
func ago(d time.Duration) string {
	switch {
	case d < 2*time.Second:
		return "just now"
	case d < time.Minute:
		return strconv.Itoa(int(d.Seconds())) + " s ago"
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min ago"
	}
	return fmt.Sprintf("%d h %02d min ago", int(d.Hours()), int(d.Minutes())%60)
}
