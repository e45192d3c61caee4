package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// SaveSearch stores a new search. UpdateSearch changes one that is stored.
func (s Scoped) SaveSearch(ctx context.Context, search gangway.Search) error {
	return s.writeUnseen(ctx, func(tx *sql.Tx) error { return s.saveSearch(ctx, tx, search) })
}

func (s Scoped) saveSearch(ctx context.Context, tx *sql.Tx, search gangway.Search) error {
	doc, err := json.Marshal(search)
	if err != nil {
		return fmt.Errorf("write search %s: %w", search.ID, err)
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO search (account, id, by_whom, created_at, doc)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (account, id) DO UPDATE
		SET doc = excluded.doc, traced = 0`,
		s.account, search.ID, search.By, millis(search.CreatedAt), string(doc))
	return wrapf(err, "save search %s", search.ID)
}

// BeginSearch stores the search of a crew change, unless one of the customer's people has begun one
// for the same flights since the given time: then it returns the newest of those. Others who begin
// one for the same crew change at the same time wait here. NotFound: the crew change was taken back.
func (s Scoped) BeginSearch(ctx context.Context, search gangway.Search, since time.Time) (gangway.Search, error) {
	begun := search
	err := s.write(ctx, func(tx *sql.Tx) error {
		if err := s.lockCrewChange(ctx, tx, search.Change); err != nil {
			return err
		}
		same, found, err := s.sameSearch(ctx, tx, search, since)
		if err != nil {
			return err
		}
		if found {
			begun = same
			return nil
		}
		return s.saveSearch(ctx, tx, search)
	})
	return begun, err
}

// lockCrewChange makes others who call it for the crew change wait until the transaction ends.
func (s Scoped) lockCrewChange(ctx context.Context, tx *sql.Tx, key string) error {
	n, err := changed(tx.ExecContext(ctx, `
		UPDATE crew_change
		SET version = version
		WHERE account = $1 AND key = $2`,
		s.account, key))
	if err == nil && n == 0 {
		return gangway.Errorf(gangway.NotFound, "there is no such crew change")
	}
	return wrapf(err, "lock crew change")
}

// sameSearch returns the newest search for the flights of search that was begun after since. It goes
// through the customer's people, who are few, because searches are indexed by who began them. It
// reads only searches of the same crew change.
func (s Scoped) sameSearch(ctx context.Context, tx *sql.Tx, search gangway.Search,
	since time.Time) (same gangway.Search, found bool, err error) {
	change, err := json.Marshal(search.Change)
	if err != nil {
		return same, false, fmt.Errorf("write search %s: %w", search.ID, err)
	}
	list, err := selectAll(ctx, tx, scanSearch, `
		SELECT s.doc
		FROM account a
		JOIN person p ON p.customer = a.customer
		JOIN search s ON s.account = a.id AND s.by_whom = p.email AND s.created_at > $2
		WHERE a.id = $1 AND s.doc LIKE $3 ESCAPE '\'
		ORDER BY s.created_at DESC, s.id
		LIMIT 10`,
		s.account, millis(since), `%"change":`+likeLiterally.Replace(string(change))+`%`)
	if err != nil {
		return same, false, fmt.Errorf("find searches of a crew change: %w", err)
	}
	for _, begun := range list {
		if begun.SameFlights(search) {
			return begun, true, nil
		}
	}
	return same, false, nil
}

// UpdateSearch applies change to a stored search while its row is locked, so that
// two people working on one crew change lose nothing of each other's work. change
// runs inside the transaction, so it must not wait for anyone.
func (s Scoped) UpdateSearch(ctx context.Context, id string,
	change func(*gangway.Search) error) (gangway.Search, error) {
	var search gangway.Search
	err := s.write(ctx, func(tx *sql.Tx) error {
		var err error
		search, err = scanSearch(tx.QueryRowContext(ctx, `
			UPDATE search
			SET doc = doc
			WHERE account = $1 AND id = $2
			RETURNING doc`,
			s.account, id))
		if err != nil {
			return err
		}
		if err := change(&search); err != nil {
			return err
		}
		if err := s.saveSearch(ctx, tx, search); err != nil {
			return err
		}
		return s.db.notify(ctx, tx, NewsTopic(s.account, search.Change, id))
	})
	if err != nil {
		return gangway.Search{}, err
	}
	s.db.wakes.wake(NewsTopic(s.account, search.Change, id))
	return search, s.recheck(ctx, func(p plan) bool { return p.search == id })
}

// Search returns a stored search.
func (s Scoped) Search(ctx context.Context, id string) (gangway.Search, error) {
	return scanSearch(s.db.reader.QueryRowContext(ctx, `
		SELECT doc
		FROM search
		WHERE account = $1 AND id = $2`,
		s.account, id))
}

// RecentSearches returns the latest searches of the user with the e-mail by, newest first.
func (s Scoped) RecentSearches(ctx context.Context, by string, limit int) ([]gangway.Search, error) {
	list, err := selectAll(ctx, s.db.reader, scanSearch, `
		SELECT doc
		FROM search
		WHERE account = $1 AND by_whom = $2
		ORDER BY created_at DESC, id
		LIMIT $3`,
		s.account, by, limit)
	return list, wrapf(err, "recent searches")
}

func scanSearch(row scanner) (gangway.Search, error) {
	var doc string
	if err := row.Scan(&doc); err != nil {
		return gangway.Search{}, notFoundOr(err, "there is no such search")
	}
	return readSearch(doc)
}

func readSearch(doc string) (gangway.Search, error) {
	var search gangway.Search
	err := json.Unmarshal([]byte(doc), &search)
	return search, wrapf(err, "read search")
}
