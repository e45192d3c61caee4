package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway"
)

// Forget takes who travelled, of whom known is known, from a supplier's own
// document of an order that is over. It returns nothing where nobody is in it.
type Forget func(supplier string, doc []byte, known gangway.OwnValues) ([]byte, error)

// Erased says what of a traveller was erased.
type Erased struct {
	Travellers  int      `json:"travellers"`
	Requests    int      `json:"travel_requests"`
	CrewChanges int      `json:"crew_changes"` // in which the traveller was
	Searches    int      `json:"searches"`
	Bookings    int      `json:"bookings"` // they stay, of a traveller whom nobody knows
	Actions     int      `json:"actions"`  // of these bookings
	Attempts    int      `json:"attempts"` // to book, that came to nothing
	Batches     int      `json:"batches"`  // places in what was asked for many at once
	HandOffs    int      `json:"hand_offs"`
	Alike       []string `json:"alike,omitempty"` // who may be the same traveller, and was left
}

// Rows is how much was found.
func (e Erased) Rows() int {
	return e.Travellers + e.Requests + e.CrewChanges + e.Searches + e.Bookings + e.Attempts + e.Batches + e.HandOffs
}

// erasing is an erasure under way.
type erasing struct {
	mine   map[gangway.Identity]bool
	all    map[gangway.Identity]bool // who was looked at
	alike  []gangway.Identity        // who may be the same, and is left
	words  map[string]bool           // what the traveller's records say, to be found in sentences
	known  gangway.OwnValues         // the same, to be found in what was typed
	at     time.Time
	forget Forget
	done   Erased
}

func (e *erasing) has(t gangway.Traveller) bool { return e.mine[t.Identity()] }

// erasedAtOnce is how many rows are erased in one transaction: nearly everybody
// has fewer in all.
const erasedAtOnce = 500

// EraseTraveller erases a traveller from all that the account has: what there
// is nothing more to tell of goes, bookings stay without the person. Whoever is
// sent again later is somebody new.
//
// A traveller with up to some hundred records is erased in one transaction, one
// with more in several; what was interrupted goes on when it is asked for again.
// Each transaction has its entry in the audit log, so that of what was
// interrupted it tells all that is gone.
//
// NotFound: there is nobody. Conflict: there are several, or a booking still stands.
func (s Scoped) EraseTraveller(ctx context.Context, by gangway.Actor, who gangway.DataSubject, at time.Time,
	forget Forget) (Erased, error) {
	e := &erasing{words: map[string]bool{}, at: at, forget: forget}
	rows, err := s.find(ctx, who, e)
	if err != nil {
		return Erased{}, err
	}
	for _, l := range e.alike {
		if words := l.Describe(); !slices.Contains(e.done.Alike, words) {
			e.done.Alike = append(e.done.Alike, words)
		}
	}
	if err := s.refuseWhileLive(ctx, rows, at); err != nil {
		return Erased{}, err
	}
	for {
		part := rows[:min(len(rows), erasedAtOnce)]
		rows = rows[len(part):]
		before := e.done
		err := s.write(ctx, func(tx *sql.Tx) error {
			e.done = before
			for _, row := range part {
				if err := row.holder.erase(s, ctx, tx, row, e); err != nil {
					return err
				}
			}
			if len(rows) == 0 {
				if err := s.endErasure(ctx, tx, e); err != nil {
					return err
				}
			}
			return s.recordErasure(ctx, tx, by, e, len(rows) == 0)
		})
		if err != nil || len(rows) == 0 {
			return e.done, err
		}
	}
}

var errBeingBooked = gangway.Errorf(gangway.Conflict, "the traveller is being booked right now: try again in a minute")

// refuseWhileLive returns a Conflict that names the bookings of rows that are
// not over, or says that one is being made, before anything is erased.
func (s Scoped) refuseWhileLive(ctx context.Context, rows []travellerRow, now time.Time) error {
	var live []string
	for _, row := range rows {
		if row.holder.table == "intent" {
			i, err := s.Intent(ctx, row.id())
			if err == nil && i.Open {
				err = errBeingBooked
			}
			if err != nil {
				return err
			}
		}
		if row.holder.table == "batch_item" {
			if err := s.refuseOpenItem(ctx, s.db.reader, row); err != nil {
				return err
			}
		}
		if row.holder.table != "booking" {
			continue
		}
		b, err := s.Booking(ctx, row.id())
		if err != nil {
			return err
		}
		if !b.Over(now) {
			live = append(live, fmt.Sprintf("%s (%s, leaves %s)", b.Locator, b.State, departs(b)))
		}
	}
	if len(live) == 0 {
		return nil
	}
	more := ""
	if len(live) > 10 {
		live, more = live[:10], fmt.Sprintf(" and %d more", len(live)-10)
	}
	return gangway.Errorf(gangway.Conflict,
		"the traveller still has a booking: %s%s. Cancel it, or wait until the last flight has landed",
		strings.Join(live, ", "), more)
}

// endErasure erases the traveller from what is kept for a short time.
func (s Scoped) endErasure(ctx context.Context, tx *sql.Tx, e *erasing) error {
	if err := s.eraseHandoffs(ctx, tx, e); err != nil {
		return err
	}
	return s.eraseWords(ctx, tx, e)
}

// recordErasure writes down what the erasure has erased by now, and whether
// that is all.
func (s Scoped) recordErasure(ctx context.Context, tx *sql.Tx, by gangway.Actor, e *erasing, finished bool) error {
	about := map[string]any{"bookings": e.done.Bookings, "records": e.done.Rows(), "finished": finished}
	if ids := e.identifiers(); len(ids) > 0 {
		about["id"] = ids
	}
	return s.record(ctx, tx, gangway.AuditEntry{At: e.at, By: by, What: gangway.TravellerErased, After: about})
}

// identifiers are the customer's own names for the traveller.
func (e *erasing) identifiers() []string {
	var ids []string
	for l := range e.mine {
		if l.ID != "" && !slices.Contains(ids, l.ID) {
			ids = append(ids, l.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

func (s Scoped) eraseFromSearch(ctx context.Context, tx *sql.Tx, row travellerRow, e *erasing) error {
	docs, err := row.lock(ctx, tx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("erase from a search: %w", err)
	}
	search, err := readSearch(docs[0])
	if err != nil {
		return err
	}
	for i, m := range search.Members {
		if e.has(m.Traveller) {
			search.Erase(i, e.known)
		}
	}
	e.done.Searches++
	if err := s.saveSearch(ctx, tx, search); err != nil {
		return err
	}
	return row.retrace(ctx, tx, searchTravellers(search))
}

// eraseHandoffs deletes the hand-offs with the traveller that nobody has
// claimed: those that would be the traveller's once they were. They are no
// account's yet, so what they say adds nothing to whom the account's records
// are of; and they are gone after an hour anyway.
func (s Scoped) eraseHandoffs(ctx context.Context, tx *sql.Tx, e *erasing) error {
	var found []string
	err := eachRow(ctx, tx, `SELECT token_hash, doc FROM handoff`, nil, func(row scanner) error {
		var token string
		var doc []byte
		var h struct {
			Change gangway.CrewChange `json:"change"`
		}
		if err := row.Scan(&token, &doc); err != nil {
			return err
		}
		if json.Unmarshal(doc, &h) == nil && e.handedOver(crewChangeTravellers(h.Change)) {
			found = append(found, token)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("look through hand-offs: %w", err)
	}
	for _, token := range found {
		if _, err := tx.ExecContext(ctx, `DELETE FROM handoff WHERE token_hash = $1`, token); err != nil {
			return fmt.Errorf("erase a hand-off: %w", err)
		}
	}
	e.done.HandOffs = len(found)
	return nil
}

// handedOver reports whether the traveller is among those of a hand-off, and
// notes who may be.
func (e *erasing) handedOver(list []gangway.Traveller) (mine bool) {
	for _, t := range list {
		switch is, alike := t.Identity().MatchHandoff(e.mine, e.all); {
		case is:
			mine = true
			e.learn(t)
		case alike:
			words := t.Identity().Describe() + " in a hand-off that nobody has claimed"
			if !slices.Contains(e.done.Alike, words) {
				e.done.Alike = append(slices.Clone(e.done.Alike), words)
			}
		}
	}
	return mine
}
