package samplecustomer

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
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

// receive takes in one push: it checks the signature, ignores a push that it has
// already received, and answers at once.
//
// It shows how a customer answers B5.
func (s *System) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, "the push could not be read", http.StatusBadRequest)
		return
	}
	if err := s.verify(body, r.Header); err != nil {
		s.log.Warn("refused a push with a wrong signature", "error", err)
		http.Error(w, "the signature is wrong", http.StatusUnauthorized)
		return
	}
	var b record
	if err := json.Unmarshal(body, &b); err != nil || len(b.Actions) != 1 {
		http.Error(w, "a booking record with one action is expected", http.StatusBadRequest)
		return
	}
	id := r.Header.Get("Webhook-Id")
	s.change(func() {
		if id != "" && s.seen[id] {
			s.repeats++
			return
		}
		s.seen[id] = true
		a := b.Actions[0]
		h := happening{ID: id, At: s.now(), Action: a.Action, User: a.User, Signed: s.secret != "", Booking: b,
			Raw: indented(body)}
		h.Late = slices.ContainsFunc(s.feed, func(o happening) bool {
			return o.Booking.ID == b.ID && o.Booking.Actions[0].Timestamp > a.Timestamp
		})
		s.feed = slices.Insert(s.feed, 0, h)
		s.feed = s.feed[:min(len(s.feed), shown)]
	})
	w.WriteHeader(http.StatusNoContent)
}

// verify checks a push's signature. Without a secret it accepts every push.
func (s *System) verify(body []byte, header http.Header) error {
	if s.secret == "" {
		return nil
	}
	hook, err := standardwebhooks.NewWebhook(s.secret)
	if err != nil {
		return err
	}
	return hook.Verify(body, header)
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
