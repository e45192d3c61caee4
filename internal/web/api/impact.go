package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
)

// An impact is a crew change with how everybody in it stands.
type impact struct {
	TravelRequestID string                   `json:"travel_request_id"`
	Vessel          string                   `json:"vessel"`
	Flag            gangway.Country          `json:"flag"`
	ChangeDate      gangway.Date             `json:"change_date"`
	MovedFrom       gangway.Date             `json:"moved_from,omitempty"`
	MovedTo         gangway.Date             `json:"moved_to,omitempty"`  // it was asked by a former date
	Undecided       bool                     `json:"undecided,omitempty"` // bookers are asked whether it moved
	Cut             bool                     `json:"cut,omitempty"`       // it has more bookings than were compared
	People          []impactPerson           `json:"people"`
	Counts          map[gangway.Standing]int `json:"counts"`
}

// An impactPerson is one person of an impact. Times are at the ship.
type impactPerson struct {
	ID        string             `json:"id"`
	LastName  string             `json:"last_name"`
	FirstName string             `json:"first_name"`
	Side      string             `json:"side"`
	Plan      gangway.Standing   `json:"plan"`
	Also      []gangway.Standing `json:"also"`
	Nights    int                `json:"nights"`
	Bookings  []string           `json:"bookings"`
	Arrives   string             `json:"arrives,omitempty"`
	Leaves    string             `json:"leaves,omitempty"`
}

// crewChangeImpact says how everybody in a crew change stands with what is booked for them.
//
// Decided: docs/choices.md, "Bookings beside a plan".
func (a *API) crewChangeImpact(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	asked, err := crewChangeNamed(r)
	if err != nil {
		return err
	}
	key := asked.Key()
	if asked.TravelRequestID == "" {
		if key, err = crewChangeOn(r.Context(), in, asked); err != nil {
			return err
		}
	}
	account, err := in.Account(r.Context())
	if err != nil {
		return err
	}
	crew, err := book.CrewOf(r.Context(), in, key, account.Scope().Now(a.now()))
	if err != nil {
		return err
	}
	body, err := json.Marshal(impactOf(crew, asked.ChangeDate))
	if err != nil {
		return fmt.Errorf("write how a crew change stands: %w", err)
	}
	sum := sha256.Sum256(body)
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sum[:12]))
	w.Header().Set("Cache-Control", "private, no-cache")
	w.Header().Set("Content-Type", "application/json")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body)) // answers 304 to If-None-Match
	return nil
}

// crewChangeOn returns the key of the crew change that has a vessel, flag and date, or else of the one that had them
// before it moved.
func crewChangeOn(ctx context.Context, in store.Scoped, asked gangway.CrewChange) (string, error) {
	list, err := in.CrewChangesOn(ctx, asked.Vessel, asked.ChangeDate)
	if err != nil {
		return "", err
	}
	now, key := map[bool][]string{}, map[bool]string{} // the identifiers and the last key, by whether they have it now
	for _, c := range list {
		_, date := c.Where()
		is := date == asked.ChangeDate
		if (is || slices.Contains(c.FormerDates(), asked.ChangeDate)) && (asked.Flag == "" || c.Flag == asked.Flag) {
			now[is], key[is] = append(now[is], c.TravelRequestID), c.Key()
		}
	}
	switch is := len(now[true]) > 0; len(now[is]) {
	case 0:
		return "", errNoCrewChange
	case 1:
		return key[is], nil
	default:
		return "", &web.Refusal{Status: http.StatusConflict, TravelRequestIDs: now[is],
			Msg: "several crew changes have this vessel, flag and date: name one by its travel_request_id"}
	}
}

// impactOf says how a crew stands; asked is the date by which the crew change was asked for, or empty.
func impactOf(crew book.Crew, asked gangway.Date) impact {
	c := crew.Change
	n := impact{TravelRequestID: c.TravelRequestID, Vessel: c.Vessel, Flag: c.Flag, ChangeDate: crew.Date,
		Undecided: crew.Asked, Cut: crew.Cut, People: []impactPerson{}, Counts: crew.Counts()}
	if former := c.FormerDates(); len(former) > 0 {
		n.MovedFrom = former[len(former)-1]
	}
	if asked != "" && asked != crew.Date {
		n.MovedTo = crew.Date
	}
	for _, p := range crew.People {
		one := impactPerson{ID: p.Traveller.ID, LastName: p.Traveller.LastName, FirstName: p.Traveller.FirstName,
			Side: strings.ReplaceAll(string(p.Side), "-", ""), Plan: p.Standing, Bookings: []string{}, Nights: p.Nights,
			Also: append([]gangway.Standing{}, p.Also...)}
		for _, b := range p.Live {
			one.Bookings = append(one.Bookings, b.Locator)
		}
		if at := &one.Arrives; !p.At.IsZero() {
			if p.Side == gangway.OffSigner {
				at = &one.Leaves
			}
			*at = p.At.Format(time.RFC3339)
		}
		n.People = append(n.People, one)
	}
	return n
}
