package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// A pullFloor is what a good programmer would write who has to serve the bookings of a pull and nothing else: one
// query for the page, the snapshots read into plain structs by encoding/json, and the records written by it as they
// come. It hands nothing out, knows neither keys nor limits, and does not mind whether anybody reads its answer.
type pullFloor struct {
	db *sql.DB
}

// A bareSnapshot is of a stored booking what its record needs.
type bareSnapshot struct {
	ID        string `json:"id"`
	Locator   string `json:"locator"`
	State     string `json:"state"`
	Passenger struct {
		ID        string `json:"id"`
		LastName  string `json:"last_name"`
		FirstName string `json:"first_name"`
	} `json:"passenger"`
	Itinerary struct {
		Segments []struct {
			Leg                 int       `json:"leg"`
			Carrier             string    `json:"carrier"`
			FlightNumber        string    `json:"flight_number"`
			Origin              string    `json:"origin"`
			Destination         string    `json:"destination"`
			Departure           time.Time `json:"departure"`
			Arrival             time.Time `json:"arrival"`
			DestinationTerminal string    `json:"destination_terminal"`
			Cabin               string    `json:"cabin"`
		} `json:"segments"`
	} `json:"itinerary"`
	Baggage []struct {
		Origin      string `json:"origin"`
		Destination string `json:"destination"`
		Pieces      int    `json:"pcs"`
		WeightKg    int    `json:"weight"`
		URL         string `json:"url"`
	} `json:"baggage"`
	Terms bareTerms `json:"terms"`
	Price struct {
		Total struct {
			Minor    int64  `json:"minor"`
			Currency string `json:"ccy"`
		} `json:"total"`
	} `json:"price"`
	Tickets []string `json:"tickets"`
	Purpose struct {
		Side            string            `json:"side"`
		Airport         string            `json:"airport"`
		Date            string            `json:"date"`
		Vessel          string            `json:"vessel"`
		Flag            string            `json:"flag"`
		TravelRequestID string            `json:"travel_request_id"`
		Metadata        map[string]string `json:"metadata"`
	} `json:"purpose"`
	CreatedAt     time.Time `json:"created_at"`
	CreatedBy     string    `json:"created_by"`
	CreatedByName string    `json:"created_by_name"`
}

type bareTerms struct {
	FareType      string `json:"fare_type"`
	Splitting     bool   `json:"splitting"`
	Cancellations string `json:"cancellations"`
	Changes       string `json:"changes"`
}

// A bareRecord is a booking as its reader gets it.
type bareRecord struct {
	Actions   []bareAction             `json:"actions"`
	Passenger barePassenger            `json:"passenger"`
	Durations []int                    `json:"durations"`
	Segments  []bareSegment            `json:"segments"`
	Baggage   map[string]bareAllowance `json:"baggage"`
	Tickets   []string                 `json:"tickets"`
	ID        string                   `json:"id"`
	Locator   string                   `json:"locator"`
	Terms     bareTerms                `json:"terms"`
	Metadata  bareMetadata             `json:"metadata"`
	State     string                   `json:"state"`
	Price     struct {
		Total    json.Number `json:"total"`
		Currency string      `json:"ccy"`
	} `json:"price"`
	CreatedAt int64 `json:"created_at"`
	CreatedBy struct {
		Name  string `json:"name"`
		Email string `json:"email"`
	} `json:"created_by"`
}

type bareAction struct {
	Action    string `json:"action"`
	Timestamp int64  `json:"timestamp"`
	User      string `json:"user"`
}

type barePassenger struct {
	LastName  string `json:"last_name"`
	FirstName string `json:"first_name"`
	ID        string `json:"id"`
}

type bareSegment struct {
	Carrier             string `json:"carrier"`
	FlightNumber        string `json:"flight_number"`
	Origin              string `json:"origin"`
	Destination         string `json:"destination"`
	DepartureDate       string `json:"departure_date"`
	DepartureTime       string `json:"departure_time"`
	ArrivalDate         string `json:"arrival_date"`
	ArrivalTime         string `json:"arrival_time"`
	DestinationTerminal string `json:"destination_terminal,omitempty"`
	Connecting          bool   `json:"connecting"`
	CabinClass          string `json:"cabin_class"`
}

type bareAllowance struct {
	Checked struct {
		Pieces int    `json:"pcs"`
		Weight int    `json:"weight"`
		URL    string `json:"url"`
	} `json:"checked"`
}

type bareMetadata struct {
	Member          string            `json:"crew_change_member,omitempty"`
	Airport         string            `json:"crew_change_airport,omitempty"`
	Date            string            `json:"crew_change_date,omitempty"`
	Vessel          string            `json:"vessel,omitempty"`
	VesselFlag      string            `json:"vessel_flag,omitempty"`
	TravelRequestID string            `json:"travel_request_id,omitempty"`
	Metadata        map[string]string `json:"metadata,omitempty"`
	Simulated       bool              `json:"simulated"`
	Sequence        int               `json:"sequence"`
	PreviousState   string            `json:"previous_state,omitempty"`
}

// record makes the record of a booking with its actions, of which the last has the sequence number last.
func (b *bareSnapshot) record(actions []bareAction, last int) bareRecord {
	r := bareRecord{
		Actions: actions, Passenger: barePassenger{b.Passenger.LastName, b.Passenger.FirstName, b.Passenger.ID},
		Durations: make([]int, len(b.Itinerary.Segments)), Segments: make([]bareSegment, len(b.Itinerary.Segments)),
		Baggage: make(map[string]bareAllowance, len(b.Baggage)), Tickets: b.Tickets, ID: b.ID, Locator: b.Locator,
		Terms: b.Terms, State: b.State, CreatedAt: b.CreatedAt.Unix(),
		Metadata: bareMetadata{b.Purpose.Side, b.Purpose.Airport, b.Purpose.Date, b.Purpose.Vessel, b.Purpose.Flag,
			b.Purpose.TravelRequestID, b.Purpose.Metadata, true, last, ""},
	}
	if len(actions) > 1 {
		r.Metadata.PreviousState = actions[len(actions)-2].Action
	}
	total := b.Price.Total.Minor
	r.Price.Total = json.Number(fmt.Sprintf("%d.%02d", total/100, total%100))
	r.Price.Currency = b.Price.Total.Currency
	r.CreatedBy.Name, r.CreatedBy.Email = b.CreatedByName, b.CreatedBy
	for i, s := range b.Itinerary.Segments {
		r.Durations[i] = int(s.Arrival.Sub(s.Departure).Minutes())
		r.Segments[i] = bareSegment{s.Carrier, s.FlightNumber, s.Origin, s.Destination,
			s.Departure.Format("2006-01-02"), s.Departure.Format("15:04"), s.Arrival.Format("2006-01-02"),
			s.Arrival.Format("15:04"), s.DestinationTerminal,
			i+1 < len(b.Itinerary.Segments) && b.Itinerary.Segments[i+1].Leg == s.Leg, s.Cabin}
	}
	for _, a := range b.Baggage {
		var allowance bareAllowance
		allowance.Checked.Pieces, allowance.Checked.Weight, allowance.Checked.URL = a.Pieces, a.WeightKg, a.URL
		r.Baggage[a.Origin+"-"+a.Destination] = allowance
	}
	return r
}

// ServeHTTP answers with the bookings that a pull has handed out.
func (f *pullFloor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if err := f.write(r.Context(), w, r.URL.Query().Get("account"), r.URL.Query().Get("pull")); err != nil {
		panic(http.ErrAbortHandler)
	}
}

func (f *pullFloor) write(ctx context.Context, w io.Writer, account, pull string) error {
	rows, err := f.db.QueryContext(ctx, `
		SELECT a.seq, a.name, a.at, a.by_whom, CASE WHEN a.seq = p.to_seq THEN a.snapshot ELSE '' END
		FROM pull_booking p
		CROSS JOIN action a
		WHERE p.account = $1 AND p.pull = $2
			AND a.account = $1 AND a.booking = p.booking AND a.seq >= p.from_seq AND a.seq <= p.to_seq
		ORDER BY p.place, a.seq`, account, pull)
	if err != nil {
		return err
	}
	defer rows.Close()
	records := json.NewEncoder(w)
	records.SetEscapeHTML(false)
	before := "["
	var actions []bareAction
	for rows.Next() {
		var a bareAction
		var seq int
		var at int64
		var snapshot []byte
		if err := rows.Scan(&seq, &a.Action, &at, &a.User, &snapshot); err != nil {
			return err
		}
		a.Timestamp = at / 1000
		actions = append(actions, a)
		if len(snapshot) == 0 {
			continue
		}
		var b bareSnapshot
		if err := json.Unmarshal(snapshot, &b); err != nil {
			return err
		}
		if _, err := io.WriteString(w, before); err != nil {
			return err
		}
		if err := records.Encode(b.record(actions, seq)); err != nil {
			return err
		}
		before, actions = ",", actions[:0]
	}
	if err := rows.Err(); err != nil {
		return err
	}
	_, err = io.WriteString(w, "]")
	return err
}

// answerPullFloor is what the process of the floor does, until its standard input ends.
func answerPullFloor() error {
	driver, name := "pgx", os.Getenv(childDatabase)
	if file, ok := strings.CutPrefix(name, "sqlite:"); ok {
		driver, name = "sqlite", "file:"+file+
			"?_pragma=mmap_size(1073741824)&_pragma=query_only(1)&_pragma=cache_size(-8192)"
	}
	db, err := sql.Open(driver, name)
	if err != nil {
		return err
	}
	defer db.Close()
	return serveUntilTold(func(string) (http.Handler, error) { return &pullFloor{db}, nil })
}
