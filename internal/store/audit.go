package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
)

// record writes an entry of the audit log in the same transaction as the change it is about, so
// that neither exists without the other.
//
// Decided: docs/choices.md, "The audit log".
func (db *DB) record(ctx context.Context, tx *sql.Tx, e gangway.AuditEntry) error {
	return db.recordIn(within(ctx, tx), e)
}

func (db *DB) recordIn(tx statements, e gangway.AuditEntry) error {
	if e.By.ID == "" || e.What == "" || e.At.IsZero() {
		return fmt.Errorf("audit %s: an entry says who did what and when", e.What)
	}
	was, err := writeDetails(e.Before)
	if err != nil {
		return fmt.Errorf("audit %s: %w", e.What, err)
	}
	became, err := writeDetails(e.After)
	if err != nil {
		return fmt.Errorf("audit %s: %w", e.What, err)
	}
	err = tx.exec(`
		INSERT INTO audit (id, at, customer, environment, by_whom, by_name, came_from, what, was, became)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		newEntryID(), millis(e.At), e.Customer, string(e.Environment), foldEmail(e.By.ID), e.By.Name, e.By.From,
		string(e.What), was, became)
	return wrapf(err, "audit %s", e.What)
}

// record writes an entry about the account, in the transaction of the change.
func (s Scoped) record(ctx context.Context, tx *sql.Tx, e gangway.AuditEntry) error {
	return s.recordIn(within(ctx, tx), e)
}

func (s Scoped) recordIn(tx statements, e gangway.AuditEntry) error {
	err := tx.each(`SELECT customer, environment FROM account WHERE id = $1`, []any{s.account}, func(row scanner) error {
		return row.Scan(&e.Customer, &e.Environment)
	})
	if err == nil && e.Customer == "" {
		err = gangway.Errorf(gangway.NotFound, "there is no such account")
	}
	return cmp.Or(err, s.db.recordIn(tx, e))
}

// Record writes an entry about something that changes nothing in the database: a sign-in, or data
// that was shown.
func (db *DB) Record(ctx context.Context, e gangway.AuditEntry) error {
	return db.write(harmless(ctx), func(tx *sql.Tx) error { return db.record(ctx, tx, e) })
}

// Record writes an entry about something that was done in the account and changes nothing in the
// database: data that was shown or exported.
func (s Scoped) Record(ctx context.Context, by gangway.Actor, what gangway.AuditEvent, about map[string]any,
	at time.Time) error {
	return s.write(harmless(ctx), func(tx *sql.Tx) error {
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: what, After: about})
	})
}

// entries counts the audit entries of this process.
var entries atomic.Uint32

// newEntryID returns an identifier that sorts after all earlier ones of this process, so that
// entries of the same millisecond are read in the order they were made.
func newEntryID() string {
	return fmt.Sprintf("aud_%08x%s", entries.Add(1), rand.Text()[:10])
}

// writeDetails writes a value the same way each time, so that logs can be compared.
func writeDetails(details map[string]any) (string, error) {
	if len(details) == 0 {
		return "", nil
	}
	doc, err := json.Marshal(details, json.Deterministic(true))
	return string(doc), err
}

// An AuditQuery says which entries of the audit log are wanted. An empty field
// selects all.
type AuditQuery struct {
	Customer    string
	Environment gangway.Environment // and entries of neither environment or of both
	By          string              // who: the ID of an actor, words of the name, or as Actor.Who writes them
	What        gangway.AuditEvent
	But         gangway.AuditEvent // entries of this event are left out
	Since       time.Time          // the first time that is wanted
	Until       time.Time          // the first time that is no longer wanted
	Newest      bool               // newest first, else oldest first
	After       AuditPlace
}

// An AuditPlace is a place in the log, that of an entry. Zero is the beginning.
type AuditPlace struct {
	At time.Time
	ID string
}

// Audit returns the next entries that q selects, at most limit.
func (db *DB) Audit(ctx context.Context, q AuditQuery, limit int) ([]gangway.AuditEntry, error) {
	who, err := db.actors(ctx, q.Customer, q.By)
	if err != nil {
		return nil, fmt.Errorf("read the audit log: %w", err)
	}
	where, args := q.conditions(who)
	order := `at, id`
	if q.Newest {
		order = `at DESC, id DESC`
	}
	args = append(args, limit)
	list, err := selectAll(ctx, db.reader, scanEntry, `
		SELECT `+entryColumns+`
		FROM audit
		WHERE `+where+`
		ORDER BY `+order+`
		LIMIT $`+fmt.Sprint(len(args)),
		args...)
	return list, wrapf(err, "read the audit log")
}

func (q AuditQuery) conditions(who actors) (where string, args []any) {
	var all []string
	add := func(condition string, arg any) {
		args = append(args, arg)
		all = append(all, fmt.Sprintf(condition, len(args)))
	}
	if q.Customer != "" {
		add(`customer = $%d`, q.Customer)
	}
	if q.By != "" {
		var places []string
		for _, id := range who.ids {
			args = append(args, id)
			places = append(places, fmt.Sprintf("$%d", len(args)))
		}
		if len(places) == 1 {
			all = append(all, `by_whom = `+places[0])
		} else {
			all = append(all, `by_whom IN (`+strings.Join(places, ", ")+`)`)
		}
		if who.name != "" {
			add(`by_name = $%d`, who.name)
		}
	}
	if q.What != "" {
		add(`what = $%d`, string(q.What))
	}
	if q.But != "" {
		add(`what <> $%d`, string(q.But))
	}
	if q.Environment != "" {
		add(`environment IN ('', $%d)`, string(q.Environment))
	}
	add(`at >= $%d`, millis(q.Since))
	if !q.Until.IsZero() {
		add(`at < $%d`, millis(q.Until))
	}
	if q.After.ID != "" {
		beyond := `>`
		if q.Newest {
			beyond = `<`
		}
		args = append(args, millis(q.After.At), q.After.ID)
		all = append(all, fmt.Sprintf(`(at, id) %s ($%d, $%d)`, beyond, len(args)-1, len(args)))
	}
	return strings.Join(all, ` AND `), args
}

const entryColumns = `id, at, customer, environment, by_whom, by_name, came_from, what, was, became, seq, salt, digest, hash`

func scanEntry(row scanner) (gangway.AuditEntry, error) {
	var e gangway.AuditEntry
	var was, became string
	err := row.Scan(&e.ID, when(&e.At), &e.Customer, &e.Environment, &e.By.ID, &e.By.Name, &e.By.From, &e.What, &was,
		&became, &e.Link.Seq, &e.Link.Salt, &e.Link.Digest, &e.Link.Hash)
	if err != nil {
		return e, err
	}
	if e.Before, err = readDetails(was); err != nil {
		return e, err
	}
	e.After, err = readDetails(became)
	return e, err
}

func readDetails(doc string) (details map[string]any, err error) {
	if doc == "" {
		return nil, nil
	}
	err = json.Unmarshal([]byte(doc), &details)
	return details, err
}

// actors are the people and programs that an AuditQuery asks for.
type actors struct {
	ids  []string
	name string // the operating system's user, if commands are asked for
}

// eachActor is a statement for everybody who has entries of a customer, each with
// the name in the latest.
var eachActor = latestOfEach("audit", "customer", "by_whom", "by_name", "at", mostValues)

// actors returns whom somebody typed: by an e-mail address or another ID, by a name
// or words of it, or by both as the page writes them. Names are looked up among
// those who have entries of the customer; without a customer only IDs are found.
func (db *DB) actors(ctx context.Context, customer, typed string) (actors, error) {
	typed = strings.TrimSpace(typed)
	command := gangway.ByCommand("", "").ID
	if user, ok := strings.CutPrefix(typed, command+" "); ok {
		return actors{[]string{command}, strings.TrimSpace(user)}, nil
	}
	id, _, _ := strings.Cut(typed, " (")
	who := actors{ids: []string{foldEmail(id)}}
	if strings.Contains(id, "@") || customer == "" || typed == "" {
		return who, nil
	}
	known := false
	err := eachRow(ctx, db.reader, eachActor, []any{customer}, func(row scanner) error {
		texts, err := scanTexts(row, 2)
		if err != nil {
			return err
		}
		switch {
		case texts[0] == who.ids[0]:
			known = true
		case texts[0] != command && gangway.HasWords(texts[1], typed) && len(who.ids) < mostFit:
			who.ids = append(who.ids, texts[0])
		}
		return nil
	})
	if err != nil {
		return who, err
	}
	if !known && len(who.ids) == 1 && !slices.Contains([]string{gangway.System, gangway.Unknown}, typed) {
		return actors{[]string{command}, typed}, nil // nobody has that name: it may be an operating system's user
	}
	return who, nil
}
