package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"

	"github.com/jackc/pgx/v5"
)

// statements run in the transaction of a bulk, with either driver.
type statements struct {
	exec func(query string, args ...any) error
	each func(query string, args []any, read func(scanner) error) error
}

func within(ctx context.Context, tx *sql.Tx) statements {
	return statements{
		exec: func(query string, args ...any) error {
			_, err := tx.ExecContext(ctx, query, args...)
			return err
		},
		each: func(query string, args []any, read func(scanner) error) error {
			return eachRow(ctx, tx, query, args, read)
		},
	}
}

func withinPostgres(ctx context.Context, tx pgx.Tx) statements {
	return statements{
		exec: func(query string, args ...any) error {
			_, err := tx.Exec(ctx, query, args...)
			return err
		},
		each: func(query string, args []any, read func(scanner) error) error {
			rows, err := tx.Query(ctx, query, args...)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				if err := read(rows); err != nil {
					return err
				}
			}
			return rows.Err()
		},
	}
}

// saveClaims stores what a feed brings of records whose rows are other sources', as
// claims beside them, so that it is at hand once those sources no longer have the
// record. The upsert before it has locked these rows.
func (s Scoped) saveClaims(b bulk, counts *Counts, tx statements) error {
	if b.from.Source == gangway.Uploaded || counts.Created+counts.Updated == len(b.rows) {
		return nil // a feed writes its own rows alone: there are no others
	}
	for some := range slices.Chunk(b.rows, rowsAtOnce) {
		docs := make(map[string]string, len(some))
		for _, row := range some {
			docs[fmt.Sprintf("%q", row[:len(b.key)])] = row.doc()
		}
		type kept struct {
			key    []any
			claims []claim
		}
		var others []kept
		err := tx.each(fmt.Sprintf(`
			SELECT %s, outranked
			FROM %s
			WHERE account = $1 AND source <> $2 AND %s`, strings.Join(b.key, ", "), b.table, b.among(3, len(some))),
			slices.Concat([]any{s.account, string(b.from.Source)}, b.keysOf(some)),
			func(row scanner) error {
				texts, err := scanTexts(row, len(b.key)+1)
				if err != nil {
					return err
				}
				k := kept{key: anys(texts[:len(b.key)])}
				k.claims, err = readClaims(texts[len(b.key)])
				others = append(others, k)
				return err
			})
		if err != nil {
			return err
		}
		for _, o := range others {
			doc := docs[fmt.Sprintf("%q", Row(o.key))]
			i := slices.IndexFunc(o.claims, func(c claim) bool { return c.Source == b.from.Source })
			switch {
			case i < 0:
				counts.Created++
				o.claims = append(o.claims, claim{Source: b.from.Source})
				i = len(o.claims) - 1
			case string(o.claims[i].Doc) == doc:
				continue
			default:
				counts.Updated++
			}
			o.claims[i].Seen, o.claims[i].Doc = millis(b.from.SeenAt), rawDoc(doc)
			args := slices.Concat([]any{s.account}, o.key, []any{writeClaims(o.claims)})
			if err := tx.exec(b.setClaims(), args...); err != nil {
				return err
			}
		}
	}
	return nil
}

// setClaims is the statement that replaces the claims to a record, whose travellers are then traced again.
func (r records) setClaims() string {
	return fmt.Sprintf(`UPDATE %s SET outranked = $%d, version = version + 1 WHERE %s`, r.table, len(r.key)+2, r.at())
}

// A withdrawn row is one that its source withdraws, as it was before.
type withdrawn struct {
	key      []any
	doc      string
	claims   []claim
	inherits []string
}

// withdraw removes records from the sources that their rows come from: the next
// claim takes the place of each, and a record without claims is deleted. which is
// a condition on the rows, after the account. It returns how many there were.
func (s Scoped) withdraw(ctx context.Context, tx *sql.Tx, r records, which string, args ...any) (n int, err error) {
	more := strings.Join(slices.Concat([]string{`outranked`}, r.inherits), ", ")
	var list []withdrawn
	err = eachRow(ctx, tx, fmt.Sprintf(`
		UPDATE %s
		SET version = version
		WHERE account = $1 AND outranked <> '' AND %s
		RETURNING %s, doc, %s`, r.table, which, strings.Join(r.key, ", "), more),
		slices.Concat([]any{s.account}, args), func(row scanner) error {
			texts, err := scanTexts(row, len(r.key)+2+len(r.inherits))
			if err != nil {
				return err
			}
			k := len(r.key)
			st := withdrawn{key: anys(texts[:k]), doc: texts[k], inherits: texts[k+2:]}
			st.claims, err = readClaims(texts[k+1])
			list = append(list, st)
			return err
		})
	if err != nil {
		return 0, fmt.Errorf("look for claims to records of %s: %w", r.table, err)
	}
	gone, err := changed(tx.ExecContext(ctx, fmt.Sprintf(`
		DELETE FROM %s
		WHERE account = $1 AND outranked = '' AND %s`, r.table, which), slices.Concat([]any{s.account}, args)...))
	if err != nil {
		return 0, fmt.Errorf("delete records: %w", err)
	}
	for _, st := range list {
		if err := s.promoteClaim(ctx, tx, r, st); err != nil {
			return 0, err
		}
	}
	return gone + len(list), nil
}

// promoteClaim puts the first claim to a record into its row.
func (s Scoped) promoteClaim(ctx context.Context, tx *sql.Tx, r records, st withdrawn) error {
	next := st.claims[0]
	row, err := r.row(string(next.Doc))
	if err != nil {
		return err
	}
	if err := r.pass(row, st.inherits, st.doc, gangway.Origin{Source: next.Source, SeenAt: instant(next.Seen),
		Generation: s.db.Generation()}); err != nil {
		return err
	}
	args, set := slices.Concat([]any{s.account}, st.key), ""
	for i, column := range r.columns[len(r.key):] {
		args = append(args, row[len(r.key)+i])
		set += fmt.Sprintf("%s = $%d, ", column, len(args))
	}
	args = append(args, string(next.Source), next.Seen, writeClaims(st.claims[1:]))
	_, err = tx.ExecContext(ctx, fmt.Sprintf(`
		UPDATE %s
		SET %ssource = $%d, last_seen = $%d, outranked = $%d, generation = 0, version = version + 1
		WHERE %s`, r.table, set, len(args)-2, len(args)-1, len(args), r.at()), args...)
	if err != nil {
		return fmt.Errorf("put another source's record into its row: %w", err)
	}
	one := bulk{records: r, rows: []Row{append(slices.Clone(st.key), string(next.Doc))}}
	return s.queueWords(one, Counts{Updated: 1}, within(ctx, tx).exec)
}

// takeBackRecords withdraws records that somebody takes back, whichever source they came from. Other
// sources' claims to them are not taken back. entry goes into the audit log if there were any
// records; it is nil if the customer's own system takes them back.
func (s Scoped) takeBackRecords(ctx context.Context, r records, entry *gangway.AuditEntry, which string,
	args ...any) (n int, err error) {
	err = s.write(ctx, func(tx *sql.Tx) (err error) {
		if n, err = s.withdraw(ctx, tx, r, which, args...); err != nil || n == 0 || entry == nil {
			return err
		}
		return s.record(ctx, tx, *entry)
	})
	return n, err
}

func anys(texts []string) []any {
	return gangway.Each(texts, func(text string) any { return text })
}

// inherit fills the columns that the rows of b do not bring but take from the
// rows they replace (records.inherit), in the transaction that replaces them.
// Such records have a key of one column.
func (s Scoped) inherit(tx statements, b bulk) error {
	if b.inherits == nil {
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
			b.key[0], strings.Join(b.inherits, ", "), b.table, placeholders(2, len(chunk)),
			s.db.dialect.forChange(b.table)),
			slices.Concat([]any{s.account}, b.keysOf(chunk)),
			func(row scanner) error { return b.takeOver(byKey, row) })
		if err != nil {
			return err
		}
	}
	return s.decideMoves(tx, b)
}

// disinherit empties the inherited columns, because a transaction may be run
// again, and returns the rows by their key.
func (b bulk) disinherit() map[string]Row {
	clear(b.known)
	byKey := make(map[string]Row, len(b.rows))
	for _, row := range b.rows {
		b.put(row, make([]string, len(b.inherits)))
		byKey[row[0].(string)] = row
	}
	return byKey
}

func (b bulk) takeOver(byKey map[string]Row, old scanner) error {
	texts, err := scanTexts(old, 2+len(b.inherits))
	if err != nil {
		return err
	}
	key, values, doc := texts[0], texts[1:1+len(b.inherits)], texts[1+len(b.inherits)]
	row := byKey[key]
	if b.known[key] = row.doc() != doc; b.known[key] {
		return b.pass(row, values, doc, b.from)
	}
	b.put(row, values)
	return nil
}

// pass gives a row what it inherits from one with oldDoc that it replaces.
func (r records) pass(row Row, old []string, oldDoc string, from gangway.Origin) error {
	if r.inherits == nil {
		return nil
	}
	values, err := r.inherit(old, oldDoc, row.doc(), from)
	if err == nil {
		r.put(row, values)
	}
	return err
}

// put puts the values of inherited columns into a row.
func (r records) put(row Row, values []string) {
	for i, column := range r.inherits {
		if at := slices.Index(r.columns, column); at >= 0 {
			row[at] = values[i]
		}
	}
}
