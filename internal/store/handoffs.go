package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// handoffLife is how long a hand-off waits for somebody to sign in.
//
// Decided: docs/choices.md, "Hand-off".
const handoffLife = time.Hour

// ErrHandoffsWait says that the hand-offs waiting to be claimed have reached their limit, for one
// network or in all.
var ErrHandoffsWait = errors.New("too many hand-offs are waiting to be claimed")

// HandoffCapacity is how many bytes of hand-offs may wait to be claimed.
type HandoffCapacity struct {
	Network int64 // from one network
	All     int64
}

// DefaultHandoffCapacity is the capacity of every server.
//
// Decided: docs/choices.md, "What anybody may fill".
var DefaultHandoffCapacity = HandoffCapacity{Network: 8 << 20, All: 64 << 20}

// handoffRow is roughly how many bytes a hand-off takes besides its doc.
const handoffRow = 512

// SaveHandoff stores what a customer's browser application handed over from a network. A hand-off
// belongs to no account until somebody claims it; those that nobody claimed in time are deleted.
// ErrHandoffsWait: the limit is reached.
func (db *DB) SaveHandoff(ctx context.Context, tokenHash, network string, doc []byte, capacity HandoffCapacity,
	at time.Time) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		// One hand-off is counted at a time, at all replicas together.
		if err := addWaiting(ctx, tx, "", 0, 0); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `
			DELETE FROM handoff
			WHERE created_at <= $1`,
			millis(at.Add(-handoffLife))); err != nil {
			return fmt.Errorf("delete old hand-offs: %w", err)
		}
		if _, err := tx.ExecContext(ctx, `
			DELETE FROM handoff_waiting
			WHERE minute > 0 AND minute < $1`,
			minuteOf(at.Add(-handoffLife))); err != nil {
			return fmt.Errorf("delete old counts of hand-offs: %w", err)
		}
		bytes := int64(len(doc)) + handoffRow
		for _, of := range []struct {
			network string
			most    int64
		}{{"", capacity.All}, {network, capacity.Network}} {
			waiting, err := waitingFrom(ctx, tx, of.network)
			if err != nil {
				return err
			}
			if waiting+bytes > of.most {
				return ErrHandoffsWait
			}
			if err := addWaiting(ctx, tx, of.network, minuteOf(at), bytes); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `
			INSERT INTO handoff (token_hash, network, doc, created_at)
			VALUES ($1, $2, $3, $4)`,
			tokenHash, network, string(doc), millis(at))
		return wrapf(err, "save hand-off")
	})
}

// minuteOf returns the number of t's minute since 1970.
func minuteOf(t time.Time) int64 { return t.Unix() / 60 }

// waitingFrom returns how many bytes of hand-offs from network are waiting; empty: from all networks.
func waitingFrom(ctx context.Context, tx *sql.Tx, network string) (bytes int64, err error) {
	err = tx.QueryRowContext(ctx, `
		SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT)
		FROM handoff_waiting
		WHERE network = $1`,
		network).Scan(&bytes)
	return bytes, wrapf(err, "count waiting hand-offs")
}

// addWaiting adds bytes, which may be negative, to those that wait from network since a minute.
func addWaiting(ctx context.Context, tx *sql.Tx, network string, minute, bytes int64) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO handoff_waiting (network, minute, bytes)
		VALUES ($1, $2, $3)
		ON CONFLICT (network, minute) DO UPDATE SET bytes = handoff_waiting.bytes + excluded.bytes`,
		network, minute, bytes)
	return wrapf(err, "count a hand-off")
}

// ClaimHandoff moves a hand-off into the account: the search that read makes of it is saved and the
// hand-off deleted, so that nobody else can claim it. NotFound: it never existed, was claimed
// already, or has waited too long.
func (s Scoped) ClaimHandoff(ctx context.Context, tokenHash string, now time.Time,
	read func(doc []byte) (gangway.Search, error)) (gangway.Search, error) {
	var search gangway.Search
	err := s.write(ctx, func(tx *sql.Tx) error {
		var doc []byte
		var network string
		var created int64
		err := tx.QueryRowContext(ctx, `
			DELETE FROM handoff
			WHERE token_hash = $1 AND created_at > $2
			RETURNING doc, network, created_at`,
			tokenHash, millis(now.Add(-handoffLife))).Scan(&doc, &network, &created)
		if err != nil {
			return notFoundOr(err, "this hand-off was used already, or is more than an hour old")
		}
		if search, err = read(doc); err != nil {
			return err
		}
		for _, of := range []string{"", network} {
			if err := addWaiting(ctx, tx, of, minuteOf(time.UnixMilli(created)), -int64(len(doc))-
				handoffRow); err != nil {
				return err
			}
		}
		row := Row{"", "", "", search.Change} // its crew change may have come for another date
		err = s.keysByName(within(ctx, tx), bulk{rows: []Row{row}, from: gangway.Origin{Source: gangway.Uploaded}})
		search.Change = row[0].(string)
		return cmp.Or(err, s.saveSearch(ctx, tx, search))
	})
	return search, err
}
