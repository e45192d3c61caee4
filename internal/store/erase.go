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

	"gangway/internal/erasure"
	"gangway/internal/gangway"
)

// Forget removes the traveller, of whom known is known, from a supplier's own
// document of an order that is over. It returns nothing if nobody is in it.
type Forget func(supplier string, doc []byte, known erasure.OwnValues) ([]byte, error)

// Erased says what was erased of a traveller.
type Erased struct {
	Travellers  int      `json:"travellers"`
	Requests    int      `json:"travel_requests"`
	CrewChanges int      `json:"crew_changes"` // that the traveller was part of
	Searches    int      `json:"searches"`
	Bookings    int      `json:"bookings"` // they stay, without the traveller
	Actions     int      `json:"actions"`  // of these bookings
	Attempts    int      `json:"attempts"` // to book, that came to nothing
	Batches     int      `json:"batches"`  // the traveller's items in batches
	HandOffs    int      `json:"hand_offs"`
	Alike       []string `json:"alike,omitempty"` // people who may be the same traveller, and were left
}

// Rows is how many records were found.
func (e Erased) Rows() int {
	return e.Travellers + e.Requests + e.CrewChanges + e.Searches + e.Bookings + e.Attempts + e.Batches + e.HandOffs
}

// erasing is an erasure in progress.
type erasing struct {
	mine   map[erasure.Identity]bool
	all    map[erasure.Identity]bool // everybody who was looked at
	alike  []erasure.Identity        // people who may be the same, and are left
	words  map[string]bool           // what the traveller's records say, to be found in sentences
	known  erasure.OwnValues         // the same, to be found in what people typed
	at     time.Time
	forget Forget
	line   string // of the erasure log, if there is one
	done   Erased
}

func (e *erasing) has(t gangway.Traveller) bool { return e.mine[erasure.IdentityOf(t)] }

// erasedAtOnce is how many rows are erased in one transaction. Nearly every
// traveller has fewer in all.
const erasedAtOnce = 500

// EraseTraveller erases a traveller from everything that the account has.
// Records about the traveller alone are deleted; bookings stay, without the
// person. If the traveller is sent again later, that is somebody new.
//
// A traveller with up to some hundred records is erased in one transaction, one
// with more in several. Run again, an interrupted erasure continues. Each
// transaction writes its own entry in the audit log, so that the log is complete
// even if the erasure is interrupted.
//
// NotFound: nobody matches. Conflict: several people do, or the traveller has a
// booking that is not over.
func (s Scoped) EraseTraveller(ctx context.Context, by gangway.Actor, who erasure.DataSubject, at time.Time,
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
	if err := s.logTraveller(e); err != nil {
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

// refuseWhileLive returns a Conflict, before anything is erased, that names the
// bookings of rows that are not over, or says that one is being made.
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

// endErasure erases the traveller from what is kept only for a short time.
func (s Scoped) endErasure(ctx context.Context, tx *sql.Tx, e *erasing) error {
	if err := s.eraseHandoffs(ctx, tx, e); err != nil {
		return err
	}
	if err := s.eraseFromFeeds(ctx, tx); err != nil {
		return err
	}
	if err := s.eraseRequests(ctx, tx, e.at); err != nil {
		return err
	}
	if err := s.eraseShiftNote(ctx, tx, e.at); err != nil {
		return err
	}
	return errors.Join(s.eraseWords(ctx, tx, e), s.eraseAudit(ctx, tx, e))
}

// recordErasure writes to the audit log what has been erased so far, and whether
// that is all.
func (s Scoped) recordErasure(ctx context.Context, tx *sql.Tx, by gangway.Actor, e *erasing, finished bool) error {
	about := map[string]any{"bookings": e.done.Bookings, "records": e.done.Rows(), "finished": finished}
	if ids := e.identifiers(); len(ids) > 0 {
		about["id"] = ids
	}
	if finished && e.line != "" {
		about[linesNoted] = []string{e.line}
	}
	return s.record(ctx, tx, gangway.AuditEntry{At: e.at, By: by, What: gangway.TravellerErased, After: about})
}

// identifiers are the customer's own identifiers of the traveller.
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
			erasure.EraseMember(&search, i, e.known)
		}
	}
	e.done.Searches++
	if err := s.saveSearch(ctx, tx, search); err != nil {
		return err
	}
	return row.retrace(ctx, tx, searchTravellers(search))
}

// eraseHandoffs deletes the unclaimed hand-offs that contain the traveller. They
// do not belong to an account yet, so they say nothing about who the account's
// records are of; and they expire after an hour anyway.
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
// notes people who may be the traveller.
func (e *erasing) handedOver(list []gangway.Traveller) (mine bool) {
	for _, t := range list {
		switch is, alike := erasure.IdentityOf(t).MatchHandoff(e.mine, e.all); {
		case is:
			mine = true
			e.learn(t)
		case alike:
			words := erasure.IdentityOf(t).Describe() + " in a hand-off that nobody has claimed"
			if !slices.Contains(e.done.Alike, words) {
				e.done.Alike = append(slices.Clone(e.done.Alike), words)
			}
		}
	}
	return mine
}
