package store

import (
	"cmp"
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
		return Row{name, gangway.Fold(c.Vessel), string(c.ChangeDate), name, "", doc}
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
	doc, dropped, moved, moves, from, err := s.crewChangeColumns(ctx, key)
	if err != nil {
		return c, err
	}
	c, err = readCrewChange(doc, dropped, moved)
	c.Origin = from
	return c, cmp.Or(err, storedAs(&c, key, moves))
}

func (s Scoped) crewChangeColumns(ctx context.Context, key string) (
	doc, dropped, moved, moves string, from gangway.Origin, err error) {
	row := s.db.reader.QueryRowContext(ctx, `
		SELECT `+originColumns+`, doc, dropped, moved, moves
		FROM crew_change
		WHERE account = $1 AND key = $2 AND gone = 0`,
		s.account, key)
	if err = scanOrigin(row, &from, &doc, &dropped, &moved, &moves); err != nil {
		err = notFoundOr(err, "there is no such crew change")
	}
	return doc, dropped, moved, moves, from, err
}

// storedAs notes in c under which key it is stored, and its moves to other dates.
func storedAs(c *gangway.CrewChange, key, moves string) error {
	if c.Name() != key {
		c.StoredKey = key
	}
	if moves == "" {
		return nil
	}
	err := json.Unmarshal([]byte(moves), &c.Moves)
	return wrapf(err, "read the moves of a crew change")
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

func scanCrewChange(row scanner) (gangway.CrewChange, error) {
	var doc, dropped, moved string
	if err := row.Scan(&doc, &dropped, &moved); err != nil {
		return gangway.CrewChange{}, notFoundOr(err, "there is no such crew change")
	}
	return readCrewChange(doc, dropped, moved)
}

// MoveCrewChange stores when and where a crew change was moved by hand. NotFound: the account has
// none with this key, as after a hand-off of a crew change that was never uploaded.
func (s Scoped) MoveCrewChange(ctx context.Context, key string, m gangway.ShipMove) error {
	err := s.write(ctx, func(tx *sql.Tx) error {
		c, err := scanCrewChange(tx.QueryRowContext(ctx, `
			UPDATE crew_change
			SET version = version
			WHERE account = $1 AND key = $2
			RETURNING doc, dropped, moved`,
			s.account, key))
		if err != nil {
			return err
		}
		m.Sent = c.Sent()
		doc, err := json.Marshal(m)
		if err != nil {
			return fmt.Errorf("write the move of a crew change: %w", err)
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE crew_change
			SET moved = $3, version = version + 1
			WHERE account = $1 AND key = $2`,
			s.account, key, string(doc))
		return wrapf(err, "move crew change")
	})
	if err != nil {
		return err
	}
	return s.recheckChanges(ctx, func(k string) bool { return k == key })
}

// readCrewChange reads a crew change from its columns. A column may be empty, or left out by a
// caller that does not need it.
func readCrewChange(doc, dropped, moved string) (c gangway.CrewChange, err error) {
	if err := json.UnmarshalRead(strings.NewReader(doc), &c); err != nil {
		return c, fmt.Errorf("read crew change: %w", err)
	}
	return c, readBeside(&c, dropped, moved)
}

// readBeside adds what is stored beside the crew change as it was sent.
func readBeside(c *gangway.CrewChange, dropped, moved string) error {
	if dropped != "" {
		if err := json.Unmarshal([]byte(dropped), &c.Dropped); err != nil {
			return fmt.Errorf("read dropped members: %w", err)
		}
	}
	if moved != "" {
		if err := json.Unmarshal([]byte(moved), &c.Moved); err != nil {
			return fmt.Errorf("read the move of a crew change: %w", err)
		}
	}
	return nil
}

func writeDropped(list []gangway.DroppedMember) (string, error) {
	if len(list) == 0 {
		return "", nil
	}
	doc, err := json.Marshal(list)
	return string(doc), wrapf(err, "write dropped members")
}
