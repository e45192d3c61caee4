package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// A person who takes a record back leaves an entry in the audit log. A customer's system that does
// the same through the interface leaves none, because that is an upload like any other: see the
// methods whose names begin with Delete.

// TakeBackTravelRequest is DeleteTravelRequests of one record, by a person.
func (s Scoped) TakeBackTravelRequest(ctx context.Context, by gangway.Actor, requestID, subRequestID string,
	at time.Time) (int, error) {
	return s.deleteTravelRequests(ctx, &gangway.AuditEntry{At: at, By: by, What: gangway.RequestTakenBack,
		Before: requestDetails(requestID, subRequestID)}, requestID, &subRequestID)
}

// TakeBackCrewChange is DeleteCrewChange by a person.
func (s Scoped) TakeBackCrewChange(ctx context.Context, by gangway.Actor, key string, at time.Time) (int, error) {
	c, err := s.CrewChange(ctx, key)
	if err != nil {
		return 0, unlessNotFound(err)
	}
	about := map[string]any{"vessel": c.Vessel, "change_date": string(c.ChangeDate)}
	if c.TravelRequestID != "" {
		about["crew_change"] = c.TravelRequestID
	}
	return s.deleteCrewChange(ctx, &gangway.AuditEntry{At: at, By: by, What: gangway.CrewChangeTakenBack,
		Before: about}, key)
}

// TakeBackTraveller is DeleteTraveller by a person. The entry names the traveller by the customer's
// own identifier, if there is one, and by nothing else: it outlives an erasure.
func (s Scoped) TakeBackTraveller(ctx context.Context, by gangway.Actor, key string, at time.Time) (int, error) {
	t, err := s.Traveller(ctx, key)
	if err != nil {
		return 0, unlessNotFound(err)
	}
	var about map[string]any
	if t.ID != "" {
		about = map[string]any{"traveller": t.ID}
	}
	return s.takeBackRecords(ctx, travellerRecords, &gangway.AuditEntry{At: at, By: by,
		What: gangway.TravellerTakenBack, Before: about}, `key = $2`, key)
}

// unlessNotFound drops NotFound: that nothing was taken back is an answer, not a failure.
func unlessNotFound(err error) error {
	if gangway.KindOf(err) == gangway.NotFound {
		return nil
	}
	return err
}

// A HotelKey identifies a travel request with a hotel.
type HotelKey struct{ RequestID, SubRequestID string }

// MarkHotels marks those hotels as arranged that nobody has marked yet, with a note, and returns how many that were.
// What others have marked and noted stays.
func (s Scoped) MarkHotels(ctx context.Context, by gangway.Actor, keys []HotelKey, note string,
	at time.Time) (marked int, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		marked = 0
		for _, k := range keys {
			n, err := changed(tx.ExecContext(ctx, `
				UPDATE travel_request
				SET handled_at = $4, handled_by = $5, handled_note = $6
				WHERE account = $1 AND request_id = $2 AND sub_request_id = $3 AND handled_at = 0`,
				s.account, k.RequestID, k.SubRequestID, millis(at), by.ID, note))
			if err == nil && n == 1 {
				marked++
				err = s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.HotelHandled,
					After: requestDetails(k.RequestID, k.SubRequestID)})
			}
			if err != nil {
				return fmt.Errorf("mark hotels of travel requests: %w", err)
			}
		}
		return nil
	})
	return marked, err
}

// ReopenHotel takes such a mark back.
func (s Scoped) ReopenHotel(ctx context.Context, by gangway.Actor, requestID, subRequestID string,
	at time.Time) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		n, err := changed(tx.ExecContext(ctx, `
			UPDATE travel_request
			SET handled_at = 0, handled_by = '', handled_note = ''
			WHERE account = $1 AND request_id = $2 AND sub_request_id = $3`,
			s.account, requestID, subRequestID))
		switch {
		case err != nil:
			return fmt.Errorf("reopen hotel of travel request: %w", err)
		case n != 1:
			return gangway.Errorf(gangway.NotFound, "there is no such travel request")
		}
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.HotelReopened,
			Before: requestDetails(requestID, subRequestID)})
	})
}

// requestDetails is what the audit log records of a travel request: its identifiers. The note about
// a hotel is left out, because it may name the traveller.
func requestDetails(requestID, subRequestID string) map[string]any {
	about := map[string]any{"request": requestID}
	if subRequestID != "" {
		about["sub_request"] = subRequestID
	}
	return about
}
