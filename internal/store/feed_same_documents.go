package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// recentRuns is among how many of the latest runs one with documents is looked for.
const recentRuns = 50

// SameFeedDocuments returns the run that keeps the documents which the latest run with any has read, if
// they are those of the given sum and it began after since; else 0.
func (s Scoped) SameFeedDocuments(ctx context.Context, feed, sum string, since time.Time) (run int64, err error) {
	type pastRun struct {
		id  int64
		doc feedRunDoc
	}
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (r pastRun, err error) {
		var text string
		if err := row.Scan(&r.id, &text); err != nil {
			return r, err
		}
		r.doc, err = readFeedRunDoc(feed, text)
		return r, err
	}, `
		SELECT id, doc
		FROM feed_run
		WHERE account = $1 AND feed = $2 AND ended > 0
		ORDER BY id DESC
		LIMIT $3`,
		s.account, feed, recentRuns)
	if err != nil {
		return 0, fmt.Errorf("list runs of feed %s: %w", feed, err)
	}
	for _, r := range list {
		switch {
		case r.doc.Sum == "":
			continue
		case r.doc.Sum != sum:
			return 0, nil
		case r.doc.DocumentsOf != 0:
			r.id = r.doc.DocumentsOf
		}
		return s.stillKept(ctx, feed, r.id, since)
	}
	return 0, nil
}

// stillKept returns a run if it began after since and its documents are stored, else 0.
func (s Scoped) stillKept(ctx context.Context, feed string, run int64, since time.Time) (id int64, err error) {
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT r.id
		FROM feed_run AS r
		JOIN feed_document AS d ON d.account = r.account AND d.feed = r.feed AND d.run = r.id
		WHERE r.account = $1 AND r.feed = $2 AND r.id = $3 AND r.began > $4
		LIMIT 1`,
		s.account, feed, run, millis(since)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// keptIn returns the run whose documents are those of a run: another one's if they are the same.
func (s Scoped) keptIn(ctx context.Context, feed string, run int64) (int64, error) {
	var text string
	err := s.db.reader.QueryRowContext(ctx, `
		SELECT doc
		FROM feed_run
		WHERE account = $1 AND feed = $2 AND id = $3`,
		s.account, feed, run).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return run, nil
	}
	if err != nil {
		return 0, err
	}
	doc, err := readFeedRunDoc(feed, text)
	if doc.DocumentsOf != 0 {
		run = doc.DocumentsOf
	}
	return run, err
}
