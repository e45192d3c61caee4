package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// Days are those that a run of a feed asked for; the zero Days are all days.
type Days struct{ From, To gangway.Date }

// DropTravellers drops the travellers that a source had and that its latest run,
// which asked for all of them, did not bring. seen says which keys the run
// brought. What a later run has written stays, and a traveller that another
// source also has is that source's from then on. It returns how many were dropped.
func (s Scoped) DropTravellers(ctx context.Context, from gangway.Origin, seen func(key string) bool) (int, error) {
	return s.drop(ctx, travellerRecords, from, Days{}, func(key []any) bool { return seen(key[0].(string)) })
}

// DropTravelRequests is DropTravellers for travel requests that start on the days
// that were asked for; those without a date stay unless all days were.
func (s Scoped) DropTravelRequests(ctx context.Context, from gangway.Origin, of Days,
	seen func(requestID, subRequestID string) bool) (int, error) {
	dropped := map[string]bool{}
	n, err := s.drop(ctx, requestRecords, from, of, func(key []any) bool {
		has := seen(key[0].(string), key[1].(string))
		dropped[key[0].(string)] = !has || dropped[key[0].(string)]
		return has
	})
	if n > 0 {
		err = errors.Join(err, s.recheckRequests(ctx, func(id string) bool { return dropped[id] }))
	}
	return n, err
}

// DropCrewChanges is DropTravellers for crew changes on the days that were asked for.
func (s Scoped) DropCrewChanges(ctx context.Context, from gangway.Origin, of Days,
	seen func(key string) bool) (int, error) {
	dropped := map[string]bool{}
	n, err := s.drop(ctx, changeRecords, from, of, func(key []any) bool {
		has := seen(key[1].(string))
		dropped[key[0].(string)] = !has
		return has
	})
	if n > 0 {
		err = errors.Join(err, s.recheckChanges(ctx, func(key string) bool { return dropped[key] }))
	}
	return n, err
}

// droppedAtOnce is how many records are looked at in one transaction.
const droppedAtOnce = 1000

func (s Scoped) drop(ctx context.Context, r records, from gangway.Origin, of Days,
	seen func(key []any) bool) (n int, err error) {
	if from.Source.Feed() == "" {
		return 0, gangway.Errorf(gangway.Internal,
			"only what a feed has brought is dropped by it, not what comes by %s", from.Source)
	}
	ctx = withLongWork(ctx)
	// First the rows that are this source's own, then its claims beside another source's rows.
	source := string(from.Source)
	own, err := s.eachUnseen(ctx, r, `source = $2 AND generation < $3`, []any{source, from.Generation}, of, seen,
		func(tx *sql.Tx, key []any) (bool, error) {
			if r.table == changeRecords.table {
				return s.leaveCrewChange(ctx, tx, key[0].(string), from, of)
			}
			which := fmt.Sprintf(` AND source = $%d AND generation < $%d`, len(key)+2, len(key)+3)
			some, err := s.withdraw(ctx, tx, r, r.keyIs(2)+which,
				append(slices.Clone(key), source, from.Generation)...)
			return some > 0, err
		})
	if err != nil {
		return own, err
	}
	beside, err := s.eachUnseen(ctx, r, `source <> $2 AND outranked <> '' AND outranked LIKE $3`,
		[]any{source, `%"source":"` + source + `"%`}, of, seen,
		func(tx *sql.Tx, key []any) (bool, error) {
			return s.unclaim(ctx, tx, r, key[:len(r.key)], from.Source)
		})
	return own + beside, err
}

// keyIs is the condition that selects a row by its key, numbering placeholders from first.
func (r records) keyIs(first int) string {
	return "(" + strings.Join(r.key, ", ") + ") = (" + placeholders(first, len(r.key)) + ")"
}

// eachUnseen calls drop for the keys of the rows that a run has not seen, a
// portion in each transaction, and returns how many were dropped.
func (s Scoped) eachUnseen(ctx context.Context, r records, which string, args []any, of Days,
	seen func(key []any) bool, drop func(tx *sql.Tx, key []any) (bool, error)) (n int, err error) {
	args = slices.Concat([]any{s.account}, args)
	columns := r.key
	if r.name != "" {
		columns = append(slices.Clone(columns), r.name)
	}
	if r.day != "" && of != (Days{}) {
		which += fmt.Sprintf(` AND %[1]s >= $%[2]d AND %[1]s <= $%[3]d`, r.day, len(args)+1, len(args)+2)
		args = append(args, string(of.From), string(of.To))
	}
	var last []any
	for {
		query, all := `
			SELECT `+strings.Join(columns, ", ")+`
			FROM `+r.table+`
			WHERE account = $1 AND `+which, slices.Clone(args)
		if last != nil {
			query += ` AND (` + strings.Join(r.key, ", ") + `) > (` + placeholders(len(all)+1, len(r.key)) + `)`
			all = append(all, last...)
		}
		list, err := selectAll(ctx, s.db.reader, func(row scanner) ([]any, error) {
			texts, err := scanTexts(row, len(columns))
			return anys(texts), err
		}, query+fmt.Sprintf(` ORDER BY %s LIMIT %d`, strings.Join(r.key, ", "), droppedAtOnce), all...)
		if err != nil {
			return n, fmt.Errorf("look for what a feed no longer has in %s: %w", r.table, err)
		}
		var gone [][]any
		for _, key := range list {
			if !seen(key) {
				gone = append(gone, key)
			}
		}
		dropped := 0
		if len(gone) > 0 {
			err = s.write(ctx, func(tx *sql.Tx) error {
				dropped = 0
				for _, key := range gone {
					one, err := drop(tx, key)
					if err != nil {
						return err
					}
					if one {
						dropped++
					}
				}
				return s.countInRun(within(ctx, tx), 0, 0, dropped)
			})
		}
		if n += dropped; err != nil || len(list) < droppedAtOnce {
			return n, err
		}
		last = list[len(list)-1][:len(r.key)]
	}
}

// unclaim deletes a source's claim to a record whose row is another source's.
func (s Scoped) unclaim(ctx context.Context, tx *sql.Tx, r records, key []any, source gangway.Source) (bool, error) {
	named := slices.Concat([]any{s.account}, key)
	var text string
	query := fmt.Sprintf(`UPDATE %s SET version = version WHERE %s RETURNING outranked`, r.table, r.at())
	err := tx.QueryRowContext(ctx, query, named...).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	claims, err := readClaims(text)
	left := without(claims, source)
	if err != nil || len(left) == len(claims) {
		return false, err
	}
	_, err = tx.ExecContext(ctx, r.setClaims(), append(named, writeClaims(left))...)
	return true, err
}
