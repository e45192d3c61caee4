package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"gangway"

	"github.com/jackc/pgx/v5"
)

// statements are what a bulk runs in its transaction, of either driver.
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

// outrank keeps what a feed brings of records that stand in their rows from
// others: beside them, so that it is there once they have it no more. The upsert
// before it has locked those rows.
func (s Scoped) outrank(b bulk, counts *Counts, tx statements) error {
	if b.from.Source == gangway.Uploaded {
		return nil
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

// setClaims changes what others have of a record; whoever is in it is traced again.
func (r records) setClaims() string {
	return fmt.Sprintf(`UPDATE %s SET outranked = $%d, version = version + 1 WHERE %s`, r.table, len(r.key)+2, r.at())
}

// A standing is a row as it is when it is given up.
type standing struct {
	key      []any
	doc      string
	claims   []claim
	inherits string
}

// giveUp takes records from the source that they stand in their rows from: what
// the next one has of them takes their place, and what none has is deleted.
// which is a condition on them, after the account. It returns how many they were.
func (s Scoped) giveUp(ctx context.Context, tx *sql.Tx, r records, which string, args ...any) (n int, err error) {
	more := `''`
	if r.inherits != "" {
		more = r.inherits
	}
	var list []standing
	err = eachRow(ctx, tx, fmt.Sprintf(`
		UPDATE %s
		SET version = version
		WHERE account = $1 AND outranked <> '' AND %s
		RETURNING %s, doc, outranked, %s`, r.table, which, strings.Join(r.key, ", "), more),
		slices.Concat([]any{s.account}, args), func(row scanner) error {
			texts, err := scanTexts(row, len(r.key)+3)
			if err != nil {
				return err
			}
			k := len(r.key)
			st := standing{key: anys(texts[:k]), doc: texts[k], inherits: texts[k+2]}
			st.claims, err = readClaims(texts[k+1])
			list = append(list, st)
			return err
		})
	if err != nil {
		return 0, fmt.Errorf("look who else has records of %s: %w", r.table, err)
	}
	res, err := tx.ExecContext(ctx, fmt.Sprintf(`
		DELETE FROM %s
		WHERE account = $1 AND outranked = '' AND %s`, r.table, which), slices.Concat([]any{s.account}, args)...)
	if err != nil {
		return 0, fmt.Errorf("delete records: %w", err)
	}
	gone, err := res.RowsAffected()
	if err != nil {
		return 0, err
	}
	for _, st := range list {
		if err := s.succeed(ctx, tx, r, st); err != nil {
			return 0, err
		}
	}
	return int(gone) + len(list), nil
}

// succeed puts what the first of the other sources has of a record into its row.
func (s Scoped) succeed(ctx context.Context, tx *sql.Tx, r records, st standing) error {
	next := st.claims[0]
	row, err := r.row(string(next.Doc))
	if err != nil {
		return err
	}
	if r.inherits != "" {
		i := slices.Index(r.columns, r.inherits)
		if row[i], err = r.inherit(st.inherits, st.doc, row.doc(), instant(next.Seen)); err != nil {
			return err
		}
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
		return fmt.Errorf("put another source's record in its place: %w", err)
	}
	one := bulk{records: r, rows: []Row{append(slices.Clone(st.key), string(next.Doc))}}
	return s.queueWords(one, Counts{Updated: 1}, within(ctx, tx).exec)
}

// takeBackRecords deletes records that somebody takes back, whatever source they came from. What
// another source has of them stays. entry goes into the audit log if there was any; it is nil when
// the customer's own system takes them back.
func (s Scoped) takeBackRecords(ctx context.Context, r records, entry *gangway.AuditEntry, which string,
	args ...any) (n int, err error) {
	err = s.write(ctx, func(tx *sql.Tx) (err error) {
		if n, err = s.giveUp(ctx, tx, r, which, args...); err != nil || n == 0 || entry == nil {
			return err
		}
		return s.record(ctx, tx, *entry)
	})
	return n, err
}

func anys(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}
