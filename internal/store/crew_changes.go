package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json"
)

// UpsertCrewChanges writes crew changes that were uploaded at the time at, all or none. No two of
// them may have the same key. Members who were in a crew change and are not in its replacement stay
// with it as dropped.
func (s Scoped) UpsertCrewChanges(ctx context.Context, list []gangway.CrewChange, at time.Time) (Counts, error) {
	rows, err := CrewChangeRows(list)
	if err != nil {
		return Counts{}, err
	}
	return s.UpsertCrewChangeRows(ctx, rows, gangway.Origin{Source: gangway.Uploaded, SeenAt: at})
}

// CrewChangeRows returns crew changes as they are stored, which takes less memory than their
// decoded members.
func CrewChangeRows(list []gangway.CrewChange) ([]Row, error) {
	return rowsOf(list, func(c *gangway.CrewChange, doc string) Row {
		name := c.Name()
		return Row{name, gangway.Fold(c.Vessel), string(c.ChangeDate), name, "", "", doc}
	})
}

// UpsertCrewChangeRows is UpsertCrewChanges for what CrewChangeRows returned, from any source. It sorts rows.
func (s Scoped) UpsertCrewChangeRows(ctx context.Context, rows []Row, from gangway.Origin) (Counts, error) {
	counts, err := s.upsert(ctx, bulk{records: changeRecords, rows: rows, from: from})
	byKey := make(map[string]bool, len(rows))
	for _, row := range rows {
		byKey[row[0].(string)] = true
	}
	if err == nil && counts.Created+counts.Updated > 0 {
		err = s.recheckChanges(ctx, func(key string) bool { return byKey[key] })
	}
	return counts, err
}

// CrewChange returns the crew change with the given key. NotFound: the account has none.
func (s Scoped) CrewChange(ctx context.Context, key string) (c gangway.CrewChange, err error) {
	done, err := s.db.bulky.take(ctx)
	if err != nil {
		return c, err
	}
	defer done()
	texts, from, err := s.crewChangeColumns(ctx, key)
	if err != nil {
		return c, err
	}
	c, err = texts.read(key)
	c.Origin = from
	return c, err
}

func (s Scoped) crewChangeColumns(ctx context.Context, key string) (texts changeTexts, from gangway.Origin, err error) {
	row := s.db.reader.QueryRowContext(ctx, `
		SELECT `+originColumns+`, `+changeColumns+`
		FROM crew_change
		WHERE account = $1 AND key = $2 AND gone = 0`,
		s.account, key)
	if err = scanOrigin(row, &from, texts.into()...); err != nil {
		err = notFoundOr(err, "there is no such crew change")
	}
	return texts, from, err
}

// changeTexts is a crew change as its row has it: as it was sent, and what is stored beside that. A text may be empty,
// or left out by a caller that does not need it.
type changeTexts struct{ doc, dropped, moved, moves, news, rules string }

const changeColumns = `doc, dropped, moved, moves, news, rules`

// into returns where the columns of changeColumns are scanned to.
func (t *changeTexts) into() []any {
	return []any{&t.doc, &t.dropped, &t.moved, &t.moves, &t.news, &t.rules}
}

// read returns the crew change; key is what it is stored under, or empty.
func (t changeTexts) read(key string) (c gangway.CrewChange, err error) {
	if err := json.UnmarshalRead(strings.NewReader(t.doc), &c); err != nil {
		return c, fmt.Errorf("read crew change: %w", err)
	}
	return c, t.readBeside(&c, key)
}

// readBeside adds to c what is stored beside it.
func (t changeTexts) readBeside(c *gangway.CrewChange, key string) error {
	if key != "" && c.Name() != key {
		c.StoredKey = key
	}
	texts := []string{t.dropped, t.moved, t.moves, t.news, t.rules}
	for i, into := range []any{&c.Dropped, &c.Moved, &c.Moves, &c.News, &c.Rules} {
		if texts[i] == "" {
			continue
		}
		if err := json.Unmarshal([]byte(texts[i]), into); err != nil {
			return fmt.Errorf("read what is beside a crew change: %w", err)
		}
	}
	return nil
}

// DeleteCrewChangeNamed is DeleteCrewChange of the one that has the name of c. NotFound: c has moved, and only its
// present date names it.
func (s Scoped) DeleteCrewChangeNamed(ctx context.Context, c gangway.CrewChange) (n int, err error) {
	key, moved := c.Key(), gangway.Date("")
	if c.TravelRequestID == "" {
		err = s.write(ctx, func(tx *sql.Tx) (err error) {
			key, moved, err = s.named(within(ctx, tx), c)
			return err
		})
	}
	if key == "" && moved != "" {
		err = gangway.Errorf(gangway.NotFound, "this crew change moved to %s: name it by that date", moved)
	}
	if err != nil || key == "" {
		return 0, err
	}
	return s.DeleteCrewChange(ctx, key)
}

// DeleteCrewChange deletes the crew change with the given key, including its dropped members, and
// returns how many there were: one or none.
func (s Scoped) DeleteCrewChange(ctx context.Context, key string) (int, error) {
	return s.deleteCrewChange(ctx, nil, key)
}

func (s Scoped) deleteCrewChange(ctx context.Context, entry *gangway.AuditEntry, key string) (int, error) {
	if err := s.EndLinks(ctx, "", key); err != nil {
		return 0, err
	}
	n, err := s.takeBackRecords(ctx, changeRecords, entry, `key = $2`, key)
	if n > 0 {
		err = errors.Join(err, s.recheckChanges(ctx, func(k string) bool { return k == key }))
	}
	return n, err
}

// MoveCrewChange stores when and where a crew change was moved by hand. NotFound: the account has
// none with this key, as after a hand-off of a crew change that was never uploaded.
func (s Scoped) MoveCrewChange(ctx context.Context, key string, m gangway.ShipMove) error {
	return s.setBeside(ctx, key, "moved", func(_ *sql.Tx, c gangway.CrewChange) (any, error) {
		m.Sent = c.Sent()
		return m, nil
	})
}

// SetCrewRules stores the rules that change returns for a crew change. NotFound: the account has none with this key.
func (s Scoped) SetCrewRules(ctx context.Context, by gangway.Actor, key string, at time.Time,
	change func(gangway.CrewChange) (gangway.CrewRules, error)) error {
	return s.setBeside(ctx, key, "rules", func(tx *sql.Tx, c gangway.CrewChange) (any, error) {
		rules, err := change(c)
		if err != nil {
			return nil, err
		}
		was, is := gangway.Changes(c.Rules.Typed(), rules.Typed())
		if len(was)+len(is) == 0 {
			return rules, nil
		}
		is["vessel"], is["change_date"] = c.Vessel, string(c.ChangeDate)
		return rules, s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.CrewChangeRules, Before: was,
			After: is})
	})
}

// setBeside stores in a column what value returns of a crew change, and has what is booked for it looked at again.
func (s Scoped) setBeside(ctx context.Context, key, column string,
	value func(*sql.Tx, gangway.CrewChange) (any, error)) error {
	err := s.write(ctx, func(tx *sql.Tx) error {
		var texts changeTexts
		err := tx.QueryRowContext(ctx, `
			UPDATE crew_change
			SET version = version
			WHERE account = $1 AND key = $2
			RETURNING `+changeColumns, s.account, key).Scan(texts.into()...)
		if err != nil {
			return notFoundOr(err, "there is no such crew change")
		}
		c, err := texts.read(key)
		if err != nil {
			return err
		}
		v, err := value(tx, c)
		if err != nil {
			return err
		}
		doc, err := writeBeside(v, true)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE crew_change
			SET `+column+` = $3, version = version + 1
			WHERE account = $1 AND key = $2`,
			s.account, key, doc)
		return wrapf(err, "set "+column+" of a crew change")
	})
	if err != nil {
		return err
	}
	return s.recheckChanges(ctx, func(k string) bool { return k == key })
}

// readCrewChange reads a crew change from its columns.
func readCrewChange(doc, dropped, moved string) (c gangway.CrewChange, err error) {
	return changeTexts{doc: doc, dropped: dropped, moved: moved}.read("")
}

// writeBeside writes what is stored beside a crew change; "" unless there is some.
func writeBeside(v any, some bool) (string, error) {
	if !some {
		return "", nil
	}
	doc, err := json.Marshal(v)
	return string(doc), wrapf(err, "write what is beside a crew change")
}
