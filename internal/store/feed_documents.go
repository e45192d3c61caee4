package store

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// A FeedDocument is a document that a run has read, unchanged.
type FeedDocument struct {
	Run         int64
	Place       int // among the documents of the run, from 0
	Name        string
	ContentType string
	Size        int64 // of one that is stored, in bytes
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
			if err := s.stillHeld(ctx, tx, l); err != nil {
				return err
			}
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

// stillHeld fails with ErrFeedLost if another process has the feed of a lease. What somebody gives needs none.
func (s Scoped) stillHeld(ctx context.Context, tx *sql.Tx, l FeedLease) error {
	if l.holder == "" {
		return nil
	}
	_, err := column[string](tx.QueryRowContext(ctx, `
		SELECT name
		FROM feed
		WHERE account = $1 AND name = $2 AND holder = $3`,
		s.account, l.Feed, l.holder))
	return noRowIs(ErrFeedLost, err)
}

// lastPortions selects the last portion of each document of a run, with the last eight
// letters of what is stored of it; see portionSize.
const lastPortions = `
	SELECT run, place, name, content_type, portion, substr(doc, length(doc) - 7)
	FROM feed_document
	WHERE account = $1 AND feed = $2 AND run = $3 AND portion = (
		SELECT max(other.portion)
		FROM feed_document AS other
		WHERE other.account = $1 AND other.feed = $2 AND other.run = $3 AND other.place = feed_document.place)`

// FeedDocuments lists the documents of a run that are still stored.
func (s Scoped) FeedDocuments(ctx context.Context, feed string, run int64) ([]FeedDocument, error) {
	run, err := s.keptIn(ctx, feed, run)
	if err != nil {
		return nil, err
	}
	list, err := selectAll(ctx, s.db.reader, scanFeedDocument, lastPortions+` ORDER BY place`, s.account, feed, run)
	return list, wrapf(err, "list documents of feed %s", feed)
}

// FeedDocument returns one document of a run. NotFound: it is no longer stored.
func (s Scoped) FeedDocument(ctx context.Context, feed string, run int64, place int) (FeedDocument, error) {
	run, err := s.keptIn(ctx, feed, run)
	if err != nil {
		return FeedDocument{}, err
	}
	d, err := scanFeedDocument(s.db.reader.QueryRowContext(ctx, lastPortions+` AND place = $4`, s.account, feed, run,
		place))
	return d, notFoundOr(err, "the document is no longer stored")
}

func scanFeedDocument(row scanner) (d FeedDocument, err error) {
	var last int64
	var end string
	if err := row.Scan(&d.Run, &d.Place, &d.Name, &d.ContentType, &last, &end); err != nil {
		return d, err
	}
	size, err := portionSize(end)
	d.Size = last*feedPortion + size
	return d, err
}

// portionSize returns how long a portion was before pack, of which it gets the last eight
// letters: gzip writes that at its end, as four bytes.
func portionSize(end string) (int64, error) {
	b, err := base64.StdEncoding.DecodeString(end)
	if err != nil || len(b) < 4 {
		return 0, errors.New("a portion of a document is stored in a way that this program does not know")
	}
	return int64(binary.LittleEndian.Uint32(b[len(b)-4:])), nil
}

// WriteFeedDocument writes a document of a run to w, unchanged. NotFound: it is no
// longer stored.
func (s Scoped) WriteFeedDocument(ctx context.Context, feed string, d FeedDocument, w io.Writer) error {
	for portion := 0; ; portion++ {
		packed, err := column[string](s.db.reader.QueryRowContext(ctx, `
			SELECT doc
			FROM feed_document
			WHERE account = $1 AND feed = $2 AND run = $3 AND place = $4 AND portion = $5`,
			s.account, feed, d.Run, d.Place, portion))
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

func (s Scoped) dropFeedDocuments(ctx context.Context, tx *sql.Tx, feed string, run int64) error {
	_, err := tx.ExecContext(ctx, `
		DELETE FROM feed_document
		WHERE account = $1 AND feed = $2 AND run = $3`,
		s.account, feed, run)
	return wrapf(err, "delete documents of feed %s", feed)
}

// keptPortions is how many portions of documents a feed has stored at most: enough for a small document
// every minute of a week, or for 85 of the longest.
const keptPortions = 11_000

func (s Scoped) dropOldDocuments(ctx context.Context, tx *sql.Tx, feed string) error {
	_, err := tx.ExecContext(ctx, `
		DELETE FROM feed_document
		WHERE account = $1 AND feed = $2 AND run <= (
			SELECT run
			FROM feed_document
			WHERE account = $1 AND feed = $2
			ORDER BY run DESC, place DESC, portion DESC
			LIMIT 1 OFFSET $3)`,
		s.account, feed, keptPortions)
	return wrapf(err, "delete old documents of feed %s", feed)
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
	return id, orNone(err)
}

// keptIn returns the run whose documents are those of a run: another one's if they are the same.
func (s Scoped) keptIn(ctx context.Context, feed string, run int64) (int64, error) {
	text, err := column[string](s.db.reader.QueryRowContext(ctx, `
		SELECT doc
		FROM feed_run
		WHERE account = $1 AND feed = $2 AND id = $3`,
		s.account, feed, run))
	if errors.Is(err, sql.ErrNoRows) {
		return run, nil
	}
	if err != nil {
		return 0, err
	}
	doc, err := readFeedRunDoc(feed, text)
	return cmp.Or(doc.DocumentsOf, run), err
}
