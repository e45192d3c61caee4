package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"gangway"
)

// SaveSearch keeps a new search. What is kept already is changed by UpdateSearch.
func (s Scoped) SaveSearch(ctx context.Context, search gangway.Search) error {
	return s.write(ctx, func(tx *sql.Tx) error { return s.saveSearch(ctx, tx, search) })
}

func (s Scoped) saveSearch(ctx context.Context, tx *sql.Tx, search gangway.Search) error {
	doc, err := json.Marshal(search)
	if err != nil {
		return fmt.Errorf("write search %s: %w", search.ID, err)
	}
	if _, err := tx.ExecContext(ctx, `
		INSERT INTO search (account, id, by_whom, created_at, doc)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (account, id) DO UPDATE
		SET doc = excluded.doc, traced = 0`,
		s.account, search.ID, search.By, millis(search.CreatedAt), string(doc)); err != nil {
		return fmt.Errorf("save search %s: %w", search.ID, err)
	}
	return nil
}

// UpdateSearch applies change to a search that was kept, under its row's own
// lock, so that two people at work on one crew change lose nothing of each
// other's. change runs inside the transaction, so it must not wait for anyone.
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
		return s.saveSearch(ctx, tx, search)
	})
	if err != nil {
		return gangway.Search{}, err
	}
	return search, s.recheck(ctx, func(p plan) bool { return p.search == id })
}

// Search returns a search that was kept.
func (s Scoped) Search(ctx context.Context, id string) (gangway.Search, error) {
	return scanSearch(s.db.reader.QueryRowContext(ctx, `
		SELECT doc
		FROM search
		WHERE account = $1 AND id = $2`,
		s.account, id))
}

// RecentSearches returns what the user with the e-mail by looked for last, newest first.
func (s Scoped) RecentSearches(ctx context.Context, by string, limit int) ([]gangway.Search, error) {
	list, err := selectAll(ctx, s.db.reader, scanSearch, `
		SELECT doc
		FROM search
		WHERE account = $1 AND by_whom = $2
		ORDER BY created_at DESC, id
		LIMIT $3`,
		s.account, by, limit)
	if err != nil {
		return nil, fmt.Errorf("recent searches: %w", err)
	}
	return list, nil
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
	if err := json.Unmarshal([]byte(doc), &search); err != nil {
		return gangway.Search{}, fmt.Errorf("read search: %w", err)
	}
	search.Change = gangway.ChangeKey(search.Change)
	return search, nil
}
