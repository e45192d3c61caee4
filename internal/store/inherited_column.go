package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// inherit fills the column that the rows of b do not bring but take from the
// rows they replace (records.inherit), in the transaction that replaces them.
// Such records have a key of one column.
func (s Scoped) inherit(ctx context.Context, tx *sql.Tx, b bulk) error {
	if b.inherits == "" {
		return nil
	}
	st := within(ctx, tx)
	if err := s.keysByName(st, b); err != nil {
		return err
	}
	byKey := b.disinherit()
	for chunk := range slices.Chunk(b.rows, rowsAtOnce) {
		args := []any{s.account}
		for _, row := range chunk {
			args = append(args, row[0])
		}
		err := eachRow(ctx, tx, fmt.Sprintf(`SELECT %s, %s, doc FROM %s WHERE account = ? AND %s IN (?%s)`,
			b.key[0], b.inherits, b.table, b.key[0], strings.Repeat(", ?", len(chunk)-1)), args,
			func(row scanner) error { return b.takeOver(byKey, row) })
		if err != nil {
			return err
		}
	}
	return s.decideMoves(st, b)
}

// inheritPostgres is inherit on PostgreSQL. There, bulks of one account that
// inherit wait for each other, because a row that another bulk is about to
// create cannot be locked.
func (s Scoped) inheritPostgres(ctx context.Context, tx pgx.Tx, b bulk) error {
	if b.inherits == "" {
		return nil
	}
	st := withinPostgres(ctx, tx)
	if err := s.holdChanges(st); err != nil {
		return err
	}
	if err := s.keysByName(st, b); err != nil {
		return err
	}
	byKey := b.disinherit()
	keys := make([]string, len(b.rows))
	for i, row := range b.rows {
		keys[i] = row[0].(string)
	}
	// The rows are locked: somebody who is erased from one meanwhile must not be taken over from it.
	rows, err := tx.Query(ctx,
		fmt.Sprintf(`SELECT %s, %s, doc FROM %s WHERE account = $1 AND %[1]s = ANY($2) ORDER BY %[1]s FOR NO KEY UPDATE`,
			b.key[0], b.inherits, b.table), s.account, keys)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := b.takeOver(byKey, rows); err != nil {
			return err
		}
	}
	rows.Close()
	return cmp.Or(rows.Err(), s.decideMoves(st, b))
}

// disinherit empties the inherited column, because a transaction may be run
// again, and returns the rows by their key.
func (b bulk) disinherit() map[string]Row {
	clear(b.known)
	at, byKey := slices.Index(b.columns, b.inherits), make(map[string]Row, len(b.rows))
	for _, row := range b.rows {
		row[at] = ""
		byKey[row[0].(string)] = row
	}
	return byKey
}

func (b bulk) takeOver(byKey map[string]Row, old scanner) error {
	var key, value, doc string
	if err := old.Scan(&key, &value, &doc); err != nil {
		return err
	}
	row := byKey[key]
	var err error
	if b.known[key] = row.doc() != doc; b.known[key] {
		value, err = b.inherit(value, doc, row.doc(), b.from.SeenAt)
	}
	row[slices.Index(b.columns, b.inherits)] = value
	return err
}
