package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// requestBodyLife is how long the request log keeps bodies. How long it keeps requests is one of Keep.
//
// Decided: docs/choices.md, "The request log".
const requestBodyLife = 24 * time.Hour

// loggedRequestsMost is how many requests of an account are kept: 30 days of one every five seconds.
var loggedRequestsMost = 500_000

// requestBodyColumn is what bodies are sealed for. They are not sealed anew with a newer key, as they are kept for a
// day only.
var requestBodyColumn = sealedColumn{"request_body", "id", "body"}

// A RequestBatch is requests of one account that are written to its log together.
type RequestBatch struct {
	Account  string
	Requests []gangway.LoggedRequest
	Missing  int       // requests that there was no room to keep until now
	At       time.Time // now
}

// LogRequests writes requests to the logs of their accounts, in one transaction. An account that was removed, or is
// being removed, gets none.
func (db *DB) LogRequests(ctx context.Context, batches []RequestBatch) error {
	// Everybody locks accounts in the same order.
	batches = slices.SortedFunc(slices.Values(batches), func(a, b RequestBatch) int {
		return strings.Compare(a.Account, b.Account)
	})
	return db.write(ctx, func(tx *sql.Tx) error {
		for _, b := range batches {
			s := db.In(gangway.Scope{Account: b.Account})
			err := s.holdAccount(tx.QueryRowContext(ctx, db.dialect.holdAccount(), s.account, ""))
			if errors.Is(err, ErrNoAccount) || gangway.KindOf(err) == gangway.Conflict {
				continue
			}
			if err == nil {
				err = s.logRequests(ctx, tx, b)
			}
			if err != nil {
				return fmt.Errorf("write the request log of account %s: %w", b.Account, err)
			}
		}
		return nil
	})
}

func (s Scoped) logRequests(ctx context.Context, tx *sql.Tx, b RequestBatch) error {
	erased, err := column[int64](tx.QueryRowContext(ctx, `
		INSERT INTO request_log (account, missing, missing_at)
		VALUES ($1, $2, $3)
		ON CONFLICT (account) DO UPDATE
		SET missing = excluded.missing + CASE WHEN request_log.missing_at > $4 THEN request_log.missing ELSE 0 END,
			missing_at = CASE WHEN excluded.missing > 0 THEN excluded.missing_at ELSE request_log.missing_at END
		RETURNING erased_at`,
		s.account, b.Missing, millis(b.At), millis(s.db.keep.Requests.Until(b.At))))
	if err != nil {
		return err
	}
	rows, bodies := make([][]any, 0, len(b.Requests)), [][]any{}
	for _, r := range b.Requests {
		details, known := "", millis(r.At) > erased // nothing of what was asked before somebody was erased
		if known && !r.Details.None() {
			doc, err := json.Marshal(r.Details)
			if err != nil {
				return err
			}
			details = string(doc)
		}
		rows = append(rows, []any{s.account, r.ID, millis(r.At), r.Took.Milliseconds(), r.Method, r.Path,
			int64(r.Status), r.Key, r.Received, r.Sent, details})
		if known && s.db.sealer != nil && len(r.Body)+len(r.Answer) > 0 {
			row := []any{s.account, r.ID}
			for _, doc := range [][]byte{r.Body, r.Answer} {
				packed, err := pack(doc)
				if err != nil {
					return err
				}
				row = append(row, s.seal(requestBodyColumn, r.ID, []byte(packed)))
			}
			bodies = append(bodies, row)
		}
	}
	err = insertMany(ctx, tx, "logged_request", []string{"account", "id", "at", "took_ms", "method", "path", "status",
		"api_key", "received", "sent", "details"}, rows)
	if err != nil {
		return err
	}
	return insertMany(ctx, tx, "request_body", []string{"account", "id", "body", "answer"}, bodies)
}

const loggedRequestColumns = `id, at, took_ms, method, path, status, api_key, received, sent, details`

// LoggedRequests returns the account's latest requests, newest first; with refused, the latest that were refused.
func (s Scoped) LoggedRequests(ctx context.Context, refused bool, most int) ([]gangway.LoggedRequest, error) {
	which := ""
	if refused {
		which = ` AND status >= 400`
	}
	list, err := selectAll(ctx, s.db.reader, scanLoggedRequest, `
		SELECT `+loggedRequestColumns+`
		FROM logged_request
		WHERE account = $1`+which+`
		ORDER BY id DESC
		LIMIT $2`,
		s.account, most)
	return list, wrapf(err, "read the request log")
}

var errNoRequest = gangway.Errorf(gangway.NotFound, "there is no such request in the log of this account; old ones "+
	"are deleted")

// LoggedRequest returns a request with what is kept of its body and its answer. NotFound: the log has no such
// request.
func (s Scoped) LoggedRequest(ctx context.Context, id string) (gangway.LoggedRequest, error) {
	r, err := scanLoggedRequest(s.db.reader.QueryRowContext(ctx, `
		SELECT `+loggedRequestColumns+`
		FROM logged_request
		WHERE account = $1 AND id = $2`,
		s.account, id))
	if errors.Is(err, sql.ErrNoRows) {
		return r, errNoRequest
	}
	if err != nil {
		return r, fmt.Errorf("read request %s: %w", id, err)
	}
	var body, answer string
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT body, answer
		FROM request_body
		WHERE account = $1 AND id = $2`,
		s.account, id).Scan(&body, &answer)
	if errors.Is(err, sql.ErrNoRows) {
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("read the body of request %s: %w", id, err)
	}
	if r.Body, err = s.openRequestBody(id, body); err != nil {
		return r, err
	}
	r.Answer, err = s.openRequestBody(id, answer)
	return r, err
}

// CountedRequest returns the request of the log in whose entry another is counted that came faster than a limit, and
// has no entry of its own: the last that was refused for it before, within the period of limits, if at least as many
// as noted were. NotFound: there is none.
func (s Scoped) CountedRequest(ctx context.Context, id string, period time.Duration,
	noted int) (r gangway.LoggedRequest, err error) {
	at, ok := requestTime(id)
	if !ok {
		return r, errNoRequest
	}
	const aside = time.Second // requests that come together are counted in any order
	list, err := selectAll(ctx, s.db.reader, scanLoggedRequest, `
		SELECT `+loggedRequestColumns+`
		FROM logged_request
		WHERE account = $1 AND id >= $2 AND id < $3 AND status = 429
		ORDER BY id DESC
		LIMIT $4`,
		s.account, firstRequestID(at.Add(-period)), firstRequestID(at.Add(aside)), noted)
	if err != nil {
		return r, fmt.Errorf("read where request %s is counted: %w", id, err)
	}
	if len(list) < noted {
		return r, errNoRequest
	}
	return list[0], nil
}

// openRequestBody returns what was sealed; nothing where the operator's keys do not open it any more.
func (s Scoped) openRequestBody(id, sealed string) ([]byte, error) {
	packed, err := s.open(requestBodyColumn, id, sealed)
	if err != nil {
		return nil, nil
	}
	var b bytes.Buffer
	err = unpack(&b, string(packed))
	return b.Bytes(), wrapf(err, "read the body of request %s", id)
}

func scanLoggedRequest(row scanner) (r gangway.LoggedRequest, err error) {
	var details string
	err = row.Scan(&r.ID, when(&r.At), howLong(&r.Took), &r.Method, &r.Path, &r.Status, &r.Key, &r.Received, &r.Sent,
		&details)
	if err != nil {
		return r, err
	}
	if details != "" {
		if err := json.Unmarshal([]byte(details), &r.Details); err != nil {
			return r, fmt.Errorf("read request %s: %w", r.ID, err)
		}
	}
	return r, nil
}

// MissingRequests returns how many of the account's requests could not be written down while those are kept, and when
// that was last the case.
func (s Scoped) MissingRequests(ctx context.Context, now time.Time) (n int, last time.Time, err error) {
	var at int64
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT missing, missing_at
		FROM request_log
		WHERE account = $1 AND missing_at > $2`,
		s.account, millis(s.db.keep.Requests.Until(now))).Scan(&n, &at)
	return n, instant(at), wrapf(orNone(err), "read how many requests are missing")
}

// eraseRequests deletes all bodies of the account's requests, and all that was said about requests: whom they name is
// not looked up, as they are kept for days only. What waits to be written comes without.
func (s Scoped) eraseRequests(ctx context.Context, tx *sql.Tx, at time.Time) error {
	for _, one := range []struct {
		statement string
		args      []any
	}{
		// First, since who writes to the log holds this row.
		{`INSERT INTO request_log (account, erased_at)
			VALUES ($1, $2)
			ON CONFLICT (account) DO UPDATE
			SET erased_at = CASE
				WHEN excluded.erased_at > request_log.erased_at THEN excluded.erased_at
				ELSE request_log.erased_at END`,
			[]any{s.account, millis(at)}},
		{`DELETE FROM request_body WHERE account = $1`, []any{s.account}},
		{`UPDATE logged_request SET details = '' WHERE account = $1 AND details <> ''`, []any{s.account}},
	} {
		if _, err := tx.ExecContext(ctx, one.statement, one.args...); err != nil {
			return fmt.Errorf("erase from the request log: %w", err)
		}
	}
	return nil
}

// ExpireRequests deletes, in all accounts, what request logs have kept for long enough, and what is more than an
// account may have. Any number of replicas may run it at once.
func (db *DB) ExpireRequests(ctx context.Context, now time.Time) error {
	ctx = withLongWork(ctx)
	accounts, err := selectAll(ctx, db.reader, column[string], `SELECT account FROM request_log ORDER BY account`)
	if err != nil {
		return fmt.Errorf("look for request logs: %w", err)
	}
	for _, account := range accounts {
		if err := db.In(gangway.Scope{Account: account}).expireRequests(ctx, now); err != nil {
			return fmt.Errorf("delete old requests of account %s: %w", account, err)
		}
	}
	return nil
}

func (s Scoped) expireRequests(ctx context.Context, now time.Time) error {
	before := firstRequestID(s.db.keep.Requests.Until(now))
	most, err := column[string](s.db.reader.QueryRowContext(ctx, `
		SELECT id
		FROM logged_request
		WHERE account = $1
		ORDER BY id DESC
		LIMIT 1 OFFSET $2`,
		s.account, loggedRequestsMost-1))
	if orNone(err) != nil {
		return err
	}
	for table, before := range map[string]string{"logged_request": max(before, most),
		"request_body": firstRequestID(now.Add(-requestBodyLife))} {
		if err := s.deleteRequests(ctx, table, before); err != nil {
			return err
		}
	}
	return nil
}

// deleteRequests deletes the account's rows of a table before an identifier. Mostly there is none, and then it writes
// nothing.
func (s Scoped) deleteRequests(ctx context.Context, table, before string) error {
	_, err := column[int](s.db.reader.QueryRowContext(ctx, `
		SELECT 1
		FROM `+table+`
		WHERE account = $1 AND id < $2
		LIMIT 1`,
		s.account, before))
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = s.db.inPortions(ctx, removedAtOnce, `
		DELETE FROM `+table+`
		WHERE account = $1 AND %[1]s IN (SELECT %[1]s FROM `+table+` WHERE account = $1 AND id < $2 LIMIT %[2]d)`,
		s.account, before)
	return err
}

// requestIDs write identifiers of requests: small letters and digits, in whose order the bytes are too.
var requestIDs = base32.HexEncoding.WithPadding(base32.NoPadding)

const requestIDPrefix = "req_"

// NewRequestID returns an identifier of a request that came in at an instant, as in "req_06de…". Nobody can
// guess it, as 80 bits of it are random, and identifiers are in the order of time, to the millisecond.
func NewRequestID(at time.Time) string {
	var id [16]byte
	if _, err := rand.Read(id[6:]); err != nil {
		panic(err) // crypto/rand does not fail on any system we run on
	}
	return writeRequestID(id, at)
}

type requestKey struct{}

// OfRequest returns a context of work that a request causes, also where it is done long after its answer. What such
// work writes and logs names the request. An id that is empty changes nothing.
func OfRequest(ctx context.Context, id string) context.Context {
	if id == "" {
		return ctx
	}
	return context.WithValue(ctx, requestKey{}, id)
}

// RequestOf returns the identifier of the request that a context's work is caused by; empty: none is known.
func RequestOf(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}

// requestTime returns when the request came in that an identifier names. ok: it is one.
func requestTime(id string) (at time.Time, ok bool) {
	text, is := strings.CutPrefix(id, requestIDPrefix)
	raw, err := requestIDs.DecodeString(strings.ToUpper(text))
	if !is || err != nil || len(raw) != 16 {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(append(make([]byte, 2, 8), raw[:6]...)))), true
}

// firstRequestID is before every identifier of a request that came in at an instant or later, and after all others.
func firstRequestID(at time.Time) string { return writeRequestID([16]byte{}, at) }

func writeRequestID(id [16]byte, at time.Time) string {
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(max(0, at.UnixMilli())))
	copy(id[:6], ms[2:])
	return requestIDPrefix + strings.ToLower(requestIDs.EncodeToString(id[:]))
}
