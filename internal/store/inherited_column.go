package store

import (
	"fmt"
	"slices"
)

// inherit fills the column that the rows of b do not bring but take from the
// rows they replace (records.inherit), in the transaction that replaces them.
// Such records have a key of one column.
func (s Scoped) inherit(tx statements, b bulk) error {
	if b.inherits == "" {
		return nil
	}
	// Bulks of one account that inherit wait for each other: a row that another bulk is about to create cannot be
	// locked.
	if err := s.holdChanges(tx); err != nil {
		return err
	}
	if err := s.keysByName(tx, b); err != nil {
		return err
	}
	byKey := b.disinherit()
	for chunk := range slices.Chunk(b.rows, rowsAtOnce) {
		// The rows are locked: somebody who is erased from one meanwhile must not be taken over from it.
		err := tx.each(fmt.Sprintf(`SELECT %[1]s, %[2]s, doc FROM %[3]s WHERE account = $1 AND %[1]s IN (%[4]s) ORDER BY %[1]s%[5]s`,
			b.key[0], b.inherits, b.table, placeholders(2, len(chunk)), s.db.dialect.forChange(b.table)),
			slices.Concat([]any{s.account}, b.keysOf(chunk)),
			func(row scanner) error { return b.takeOver(byKey, row) })
		if err != nil {
			return err
		}
	}
	return s.decideMoves(tx, b)
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
