package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
)

// A FeedDocument is a document that a run has read, unchanged.
type FeedDocument struct {
	Run         int64
	Place       int // among the documents of the run, from 0
	Name        string
	ContentType string
}

// feedPortion is how many bytes of a document go into one row, before compression.
const feedPortion = 256 << 10

// KeepFeedDocument stores a document of the lease's run, and replaces what an
// interrupted attempt has stored of it. Each portion is written in a transaction
// of its own, so that nobody waits for a long document.
func (s Scoped) KeepFeedDocument(ctx context.Context, l FeedLease, d FeedDocument, doc io.Reader) error {
	buf := make([]byte, feedPortion)
	for portion := 0; ; portion++ {
		n, err := io.ReadFull(doc, buf)
		if errors.Is(err, io.EOF) && portion > 0 {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("store a document of feed %s: %w", l.Feed, err)
		}
		last := err != nil
		packed, err := pack(buf[:n])
		if err != nil {
			return err
		}
		err = s.write(ctx, func(tx *sql.Tx) error {
			if portion == 0 { // what an interrupted attempt has stored may have been longer
				if _, err := tx.ExecContext(ctx, `
					DELETE FROM feed_document
					WHERE account = $1 AND feed = $2 AND run = $3 AND place = $4`,
					s.account, l.Feed, l.Run, d.Place); err != nil {
					return err
				}
			}
			_, err := tx.ExecContext(ctx, `
				INSERT INTO feed_document (account, feed, run, place, portion, name, content_type, doc)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
				s.account, l.Feed, l.Run, d.Place, portion, d.Name, d.ContentType, packed)
			return err
		})
		if err != nil {
			return fmt.Errorf("store a document of feed %s: %w", l.Feed, err)
		}
		if last {
			return nil
		}
	}
}

// FeedDocuments lists the documents of a run that are still stored.
func (s Scoped) FeedDocuments(ctx context.Context, feed string, run int64) ([]FeedDocument, error) {
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (d FeedDocument, err error) {
		err = row.Scan(&d.Run, &d.Place, &d.Name, &d.ContentType)
		return d, err
	}, `
		SELECT run, place, name, content_type
		FROM feed_document
		WHERE account = $1 AND feed = $2 AND run = $3 AND portion = 0
		ORDER BY place`,
		s.account, feed, run)
	if err != nil {
		return nil, fmt.Errorf("list documents of feed %s: %w", feed, err)
	}
	return list, nil
}

// WriteFeedDocument writes a document of a run to w, unchanged. NotFound: it is no
// longer stored.
func (s Scoped) WriteFeedDocument(ctx context.Context, feed string, d FeedDocument, w io.Writer) error {
	for portion := 0; ; portion++ {
		var packed string
		err := s.db.reader.QueryRowContext(ctx, `
			SELECT doc
			FROM feed_document
			WHERE account = $1 AND feed = $2 AND run = $3 AND place = $4 AND portion = $5`,
			s.account, feed, d.Run, d.Place, portion).Scan(&packed)
		if errors.Is(err, sql.ErrNoRows) && portion > 0 {
			return nil
		}
		if err != nil {
			return notFoundOr(err, "the document is no longer stored")
		}
		if err := unpack(w, packed); err != nil {
			return fmt.Errorf("read a document of feed %s: %w", feed, err)
		}
	}
}

// runsWithDocuments is for how many of a feed's runs documents are stored at most.
const runsWithDocuments = 50

func (s Scoped) dropOldDocuments(ctx context.Context, tx *sql.Tx, feed string) error {
	_, err := tx.ExecContext(ctx, `
		DELETE FROM feed_document
		WHERE account = $1 AND feed = $2 AND run <= (
			SELECT run
			FROM feed_document
			WHERE account = $1 AND feed = $2 AND place = 0 AND portion = 0
			ORDER BY run DESC
			LIMIT 1 OFFSET $3)`,
		s.account, feed, runsWithDocuments)
	if err != nil {
		return fmt.Errorf("delete old documents of feed %s: %w", feed, err)
	}
	return nil
}

// eraseFromFeeds deletes all documents that the account's feeds have stored, and the
// remarks on their records: whom a compressed spreadsheet names is not looked up, and
// all of this is only stored for days.
func (s Scoped) eraseFromFeeds(ctx context.Context, tx *sql.Tx) error {
	for _, statement := range []string{
		`DELETE FROM feed_document WHERE account = $1`,
		`UPDATE feed_arrival SET report = '', answer = '' WHERE account = $1 AND (report <> '' OR answer <> '')`,
		`UPDATE feed_run SET remarks = '' WHERE account = $1 AND remarks <> ''`,
	} {
		if _, err := tx.ExecContext(ctx, statement, s.account); err != nil {
			return fmt.Errorf("erase what feeds have stored: %w", err)
		}
	}
	return nil
}

func pack(doc []byte) (string, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(doc); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

func unpack(w io.Writer, packed string) error {
	b, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return err
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return err
}
