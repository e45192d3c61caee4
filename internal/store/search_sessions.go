package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/internal/lease"
)

// A SearchLease says which process is looking for the flights of a search.
type SearchLease struct {
	Mine bool // the caller is; otherwise another process is, and can be followed

	key, holder string
	alone       bool // nothing is kept for others
}

// SearchAlone is the lease of a search whose results are not shared with other processes.
func SearchAlone() SearchLease { return SearchLease{Mine: true, alone: true} }

// A SearchStanding is what a search session has found since it was last read.
type SearchStanding struct {
	Findings [][]byte  // in the order in which they came, as they were added
	Ended    bool      // nothing more comes
	Lease    time.Time // until when its process certainly goes on looking
	Expires  time.Time // from when on what was found is no longer valid
}

// ErrSearchLost says that another process has started to look for the same flights again.
var ErrSearchLost = gangway.Errorf(gangway.Conflict, "another process is looking for these flights again")

// searchesKept is how many bytes of an account's findings are kept for other
// replicas, and findingsAtOnce how many findings are read at a time.
const (
	searchesKept   = 128 << 20
	findingsAtOnce = 32
)

// JoinSearch takes the search session key for the caller, or returns the lease of
// the process that has it. The caller gets it if nobody has it, what was found has
// expired, its process died before the end, or again is set. Nobody else takes it
// before until; from expires on what was found is no longer valid.
//
// On SQLite there is no other process, and while the database is away none can be
// asked: the caller then gets a lease under which nothing is kept. The same holds
// once an account's findings exceed searchesKept.
func (s Scoped) JoinSearch(ctx context.Context, key string, now, until, expires time.Time,
	again bool) (SearchLease, error) {
	if s.db.dialect != postgres {
		return SearchAlone(), nil
	}
	var l SearchLease
	err := s.writeUnseen(ctx, func(tx *sql.Tx) error {
		l = SearchLease{key: key, holder: lease.NewHolder()}
		// The search's own row comes first, and of other rows only those that nobody has
		// locked: two processes that each delete the other's row never wait for each other.
		n, err := changed(tx.ExecContext(ctx, `
			INSERT INTO search_session (account, key, holder, lease, expires, found, size, ended)
			VALUES ($1, $2, $3, $5, $6, 0, 0, 0)
			ON CONFLICT (account, key) DO UPDATE
			SET holder = excluded.holder, lease = excluded.lease, expires = excluded.expires, found = 0, size = 0, ended = 0
			WHERE $7 OR search_session.expires <= $4 OR search_session.ended = 0 AND search_session.lease <= $4`,
			s.account, key, l.holder, millis(now), millis(until), millis(expires), again))
		if err != nil {
			return fmt.Errorf("take a search: %w", err)
		}
		if l.Mine = n == 1; !l.Mine {
			return tx.QueryRowContext(ctx, `
				SELECT holder
				FROM search_session
				WHERE account = $1 AND key = $2`,
				s.account, key).Scan(&l.holder)
		}
		size, err := s.clearSearches(ctx, tx, key, now)
		if err != nil {
			return err
		}
		if size > searchesKept {
			l = SearchAlone()
			return s.dropSearch(ctx, tx, key)
		}
		_, err = tx.ExecContext(ctx, `
			DELETE FROM search_finding
			WHERE account = $1 AND key = $2`,
			s.account, key)
		return err
	}, s.searchTopic(key))
	if errors.Is(err, ErrAway) {
		return SearchAlone(), nil
	}
	return l, err
}

// AwaitSearch returns a channel that holds a value whenever more may have been
// found for key, until stop is called.
func (s Scoped) AwaitSearch(key string) (wake <-chan struct{}, stop func()) {
	return s.db.Await(s.searchTopic(key))
}

func (s Scoped) searchTopic(key string) Topic { return Topic("search " + s.account + " " + key) }

// clearSearches deletes some of the account's expired sessions, and returns how
// many bytes the findings of its other searches have.
func (s Scoped) clearSearches(ctx context.Context, tx *sql.Tx, key string, now time.Time) (size int64, err error) {
	_, err = tx.ExecContext(ctx, `
		DELETE FROM search_session
		WHERE account = $1 AND key IN (
			SELECT key
			FROM search_session
			WHERE account = $1 AND expires <= $2 AND key <> $3
			ORDER BY expires
			LIMIT 20
			FOR UPDATE SKIP LOCKED)`,
		s.account, millis(now), key)
	if err != nil {
		return 0, fmt.Errorf("delete expired searches: %w", err)
	}
	err = tx.QueryRowContext(ctx, `
		SELECT coalesce(sum(size), 0)
		FROM search_session
		WHERE account = $1 AND key <> $2`,
		s.account, key).Scan(&size)
	return size, err
}

// AddFindings stores what was found for those who follow, and extends the lease;
// without findings it only extends it. ErrSearchLost: the caller no longer has the
// session, or found too much to be kept, and those who follow look for themselves.
func (s Scoped) AddFindings(ctx context.Context, l SearchLease, findings [][]byte, until, expires time.Time,
	ended bool) error {
	if l.alone {
		return nil
	}
	size := 0
	for _, f := range findings {
		size += len(f)
	}
	tooLarge := false
	err := s.writeUnseen(ctx, func(tx *sql.Tx) error {
		held, err := searchLeases.Renew(ctx, tx, s.account, l.key, l.holder, millis(until))
		if err != nil {
			return err
		}
		if !held {
			return ErrSearchLost
		}
		var found, all int
		err = tx.QueryRowContext(ctx, `
			UPDATE search_session
			SET expires = $3, found = found + $4, size = size + $5, ended = $6
			WHERE account = $1 AND key = $2
			RETURNING found, size`,
			s.account, l.key, millis(expires), len(findings), size, truthValue(ended)).Scan(&found, &all)
		if err != nil {
			return fmt.Errorf("count what a search has found: %w", err)
		}
		if all > searchesKept {
			tooLarge = true
			return s.dropSearch(ctx, tx, l.key)
		}
		for i, f := range findings {
			_, err := tx.ExecContext(ctx, `
				INSERT INTO search_finding (account, key, place, doc)
				VALUES ($1, $2, $3, $4)`,
				s.account, l.key, found-len(findings)+i+1, string(f))
			if err != nil {
				return fmt.Errorf("store what a search has found: %w", err)
			}
		}
		return nil
	}, s.searchTopic(l.key))
	if err == nil && tooLarge {
		return ErrSearchLost
	}
	return err
}

func (s Scoped) dropSearch(ctx context.Context, tx *sql.Tx, key string) error {
	_, err := tx.ExecContext(ctx, `
		DELETE FROM search_session
		WHERE account = $1 AND key = $2`,
		s.account, key)
	return err
}

// Findings returns what another process has found after the first after findings.
// If it returns findingsAtOnce of them and Ended is not set, there may be more.
// ErrSearchLost: another process is looking again.
func (s Scoped) Findings(ctx context.Context, l SearchLease, after int) (st SearchStanding, err error) {
	var found int
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT found, ended = 1, lease, expires
		FROM search_session
		WHERE account = $1 AND key = $2 AND holder = $3`,
		s.account, l.key, l.holder).Scan(&found, &st.Ended, when(&st.Lease), when(&st.Expires))
	if err != nil {
		return st, noRowIs(ErrSearchLost, err)
	}
	docs, err := selectAll(ctx, s.db.reader, column[string], `
		SELECT f.doc
		FROM search_finding f
		JOIN search_session s ON s.account = f.account AND s.key = f.key
		WHERE f.account = $1 AND f.key = $2 AND s.holder = $3 AND f.place > $4 AND f.place <= $5
		ORDER BY f.place
		LIMIT $6`,
		s.account, l.key, l.holder, after, found, findingsAtOnce)
	if err != nil {
		return st, fmt.Errorf("read what a search has found: %w", err)
	}
	for _, doc := range docs {
		st.Findings = append(st.Findings, []byte(doc))
	}
	if after+len(docs) < found {
		st.Ended = false
	}
	return st, nil
}
