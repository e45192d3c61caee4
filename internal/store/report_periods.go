package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The report's page adds up all bookings of an account at once, more than a database can group in a moment. So a period
// of ten days has what is added up of its bookings in one text, which is read in one piece.
//
// Nobody who writes bookings knows of periods: a period counts only while none of its bookings has changed since the
// account's mark (report_changed.go). The others are read from the bookings' rows, until SumReports packs them again.

// reportPeriod is how long a period is, in milliseconds.
const reportPeriod = 10 * 24 * 60 * 60 * 1000

// changesSummed is for how many changes their periods are looked up; with more, all periods are packed.
var changesSummed = 5000

// A ReportLine is what is added up of a booking. Times are milliseconds since 1970, all other numbers thousandths; what
// is not known is empty.
type ReportLine struct {
	State, Currency, RefundCurrency, Vessel, Origin, Destination, Fare, Plating, Airlines, Tickets string

	Created, Departure, Price, Refund, Co2, Km int64

	Refunded bool   // Refund is known
	Fields   string // the customer's own, as JSON; only where they are asked for
	flights  string
	forced   bool
}

// A ReportFlight is what is added up of a flight.
type ReportFlight struct {
	Carrier, Name string
	Co2, Km       int64
}

// The texts of a period, from the largest to the smallest. No stored text has the characters between them.
const (
	betweenBookings, betweenColumns = "\x1e", "\x1f"
	betweenFlights, withinFlight    = "\x1c", "\x1d"
)

var packedBookings = `string_agg(` + packed(betweenColumns, lineColumns...) + `, '` + betweenBookings + `')`

var lineColumns = []string{`b.state`, `b.price_currency`, `b.refund_currency`,
	`b.vessel_name`, `b.first_origin`, `b.last_destination`, `b.terms_fare_type`, `b.fare_plating_carriers`,
	`b.airline_names`, `b.ticket_numbers`, `b.created_at`, `b.departure_at`, `b.price_total`, `b.refund_total`,
	`b.co2_emissions_kg`, `b.co2_forced`, `b.mileage_km`, `(
		SELECT string_agg(` + packed(withinFlight, `f.carrier`, `f.carrier_name`, `f.co2_emissions_kg`, `f.co2_forced`,
		`f.mileage_km`) + `, '` + betweenFlights + `')
		FROM report_segment f
		WHERE f.account = b.account AND f.booking_id = b.booking_id AND f.gone = 0)`}

// packed returns the expression for columns in one text.
func packed(between string, columns ...string) string {
	texts := make([]string, len(columns))
	for i, c := range columns {
		texts[i] = `coalesce(CAST(` + c + ` AS TEXT), '')`
	}
	return strings.Join(texts, ` || '`+between+`' || `)
}

// eachPacked calls do with the columns of each text of another one; they are valid until the next one.
func eachPacked(text, between, within string, do func([]string)) {
	var columns []string
	for one := range strings.SplitSeq(text, between) {
		if one != "" {
			columns = columns[:0]
			for c := range strings.SplitSeq(one, within) {
				columns = append(columns, c)
			}
			do(columns)
		}
	}
}

// unpacked reads a number, 0 if it is not known: the column has nothing else.
func unpacked(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

// forcedOr returns one of the figures of emissions that stand beside each other.
func forcedOr(forced bool, figures []string) int64 {
	if forced {
		return unpacked(figures[1])
	}
	return unpacked(figures[0])
}

// EachFlight calls do for each flight of the booking.
func (l ReportLine) EachFlight(do func(ReportFlight)) {
	eachPacked(l.flights, betweenFlights, withinFlight, func(c []string) {
		do(ReportFlight{c[0], c[1], forcedOr(l.forced, c[2:4]), unpacked(c[4])})
	})
}

// changedPeriods is the account's periods with a booking or flight that has changed since its mark, and before a bound.
const changedPeriods = `
	SELECT created_at / $2 AS period
	FROM report_booking
	WHERE account = $1 AND changed >= coalesce((SELECT mark FROM report_mark WHERE account = $1), 0) AND changed < $3
	UNION
	SELECT created_at / $2
	FROM report_segment
	WHERE account = $1 AND changed >= coalesce((SELECT mark FROM report_mark WHERE account = $1), 0) AND changed < $3`

// ReportLines calls do for each booking of the account that was booked from one instant to another, in milliseconds,
// and for some before and after them. The customer's own fields are in no period: with them each booking is read by
// itself, which takes longer.
func (s Scoped) ReportLines(ctx context.Context, from, to int64, fields bool, do func(ReportLine)) error {
	statement, args := linesOfPeriods, []any{s.account, int64(reportPeriod), int64(1<<63 - 1), from / reportPeriod,
		to / reportPeriod}
	if fields {
		statement, args = linesWithFields, []any{s.account, from, to}
	}
	return s.withReport(ctx, func(r *ReportReading) error {
		forced := r.account.Settings.RadiativeForcing
		return reportError(r.ctx, eachRow(r.ctx, s.db.reports, statement, args, func(row scanner) error {
			text, err := column[sql.NullString](row)
			eachPacked(text.String, betweenBookings, betweenColumns, func(c []string) {
				l := ReportLine{c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], unpacked(c[10]),
					unpacked(c[11]), unpacked(c[12]), unpacked(c[13]), forcedOr(forced, c[14:16]), unpacked(c[16]),
					c[13] != "", "", c[17], forced}
				if fields {
					l.Fields = c[len(lineColumns)]
				}
				do(l)
			})
			return err
		}))
	})
}

var (
	linesOfPeriods = `
		WITH fresh AS MATERIALIZED (` + changedPeriods + `)
		SELECT packed
		FROM report_period
		WHERE account = $1 AND period BETWEEN $4 AND $5 AND period NOT IN (SELECT period FROM fresh)
		UNION ALL
		SELECT (
			SELECT ` + packedBookings + `
			FROM report_booking b
			WHERE b.account = $1 AND b.created_at >= period * $2 AND b.created_at < period * $2 + $2)
		FROM fresh
		WHERE period BETWEEN $4 AND $5`
	linesWithFields = `
		SELECT ` + packed(betweenColumns, append(slices.Clone(lineColumns), `b.custom_fields_map`)...) + `
		FROM report_booking b
		WHERE b.account = $1 AND b.created_at >= $2 AND b.created_at < $3`
)

// newestWithFields is how many bookings are looked at for the names of customers' own fields, mostFieldNames how many
// names there are at most.
const (
	newestWithFields = 1000
	mostFieldNames   = 50
)

// ReportFields are the names of the customer's own fields that the newest bookings of the report have.
func (s Scoped) ReportFields(ctx context.Context) ([]string, error) {
	texts, err := selectAll(ctx, s.db.reader, column[string], `
		SELECT b.custom_fields_map
		FROM (
			SELECT custom_fields_map
			FROM report_booking
			WHERE account = $1
			ORDER BY created_at DESC
			LIMIT $2) b
		WHERE b.custom_fields_map <> ''`,
		s.account, newestWithFields)
	all := map[string]string{}
	for _, text := range texts {
		_ = json.Unmarshal([]byte(text), &all) // beside those that are there; what cannot be read has no names
	}
	names := slices.Sorted(maps.Keys(all))
	return names[:min(len(names), mostFieldNames)], wrapf(err, "read the names of customers' own fields")
}

// SumReports packs the periods of an account in which bookings have changed, some changes at a time, and reports
// whether there were any.
func (db *DB) SumReports(ctx context.Context) (some bool, err error) {
	var account string
	err = db.reader.QueryRowContext(ctx, `
		SELECT id
		FROM account
		WHERE EXISTS (
			SELECT 1
			FROM report_booking
			WHERE account = account.id
				AND changed >= coalesce((SELECT mark FROM report_mark WHERE account = account.id), 0)
				AND changed < `+db.dialect.oldestChangeOf(`account.id`)+`)
		LIMIT 1`).Scan(&account)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		err = db.sumReport(ctx, account)
	}
	if err != nil {
		return false, fmt.Errorf("pack what reports add up: %w", err)
	}
	return true, nil
}

// sumReport packs an account's periods up to a change, which is its next mark: what changes meanwhile has that number
// or a higher one. Each period has a transaction of its own, so that others need not wait for all of them. The mark
// moves last, unless a period is gone again because bookings were removed: all of it is done again then.
func (db *DB) sumReport(ctx context.Context, account string) error {
	next, first, last, err := db.beginSum(ctx, account)
	if err != nil {
		return err
	}
	periods := []int64{}
	for p := first; p <= last; p++ {
		periods = append(periods, p)
	}
	if last < 0 {
		periods, err = selectAll(ctx, db.reader, column[int64], changedPeriods, account, int64(reportPeriod), next)
	}
	packed, list := []any{next, int64(0)}, "NULL"
	for _, p := range periods {
		if err != nil {
			break
		}
		var n int
		n, err = db.withMark(ctx, account, `
			INSERT INTO report_period (account, period, packed)
			SELECT b.account, CAST($2 AS BIGINT), `+packedBookings+`
			FROM report_booking b
			WHERE b.account = $1 AND b.created_at >= $3 AND b.created_at < $4
			GROUP BY b.account
			ON CONFLICT (account, period) DO UPDATE
			SET packed = excluded.packed`, p, p*reportPeriod, (p+1)*reportPeriod)
		if n > 0 {
			packed = append(packed, p)
			list += fmt.Sprintf(", $%d", len(packed)+1)
		}
	}
	if err != nil {
		return err
	}
	packed[1] = int64(len(packed) - 2)
	_, err = db.withMark(ctx, account, `
		UPDATE report_mark
		SET mark = $2
		WHERE account = $1 AND mark < $2 AND $3 = (
			SELECT count(*)
			FROM report_period
			WHERE account = $1 AND period IN (`+list+`))`, packed...)
	return err
}

// beginSum returns the next mark. If very many bookings have changed, it also returns the first and the last period of
// all: to find out which have changed would take long. Otherwise last is -1.
func (db *DB) beginSum(ctx context.Context, account string) (next, first, last int64, err error) {
	many, begin, end := 0, sql.NullInt64{}, sql.NullInt64{}
	err = db.reader.QueryRowContext(ctx, `
		SELECT n, CASE WHEN EXISTS (
				SELECT 1
				FROM report_booking
				WHERE account = $1 AND changed >= coalesce((SELECT mark FROM report_mark WHERE account = $1), 0)
					AND changed < n
				ORDER BY changed
				LIMIT 1
				OFFSET $2) THEN 1 ELSE 0 END,
			(SELECT created_at FROM report_booking WHERE account = $1 ORDER BY created_at LIMIT 1),
			(SELECT created_at FROM report_booking WHERE account = $1 ORDER BY created_at DESC LIMIT 1)
		FROM (SELECT `+db.dialect.oldestChangeOf(`$1`)+` AS n) AS oldest`, account, changesSummed).
		Scan(&next, &many, &begin, &end)
	if many == 0 || err != nil {
		return next, 0, -1, err
	}
	return next, begin.Int64 / reportPeriod, end.Int64 / reportPeriod, nil
}

// withMark executes a statement of an account, whose mark it locks, and returns how many rows it changed.
func (db *DB) withMark(ctx context.Context, account, query string, args ...any) (n int, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO report_mark (account, mark)
			VALUES ($1, 0)
			ON CONFLICT (account) DO UPDATE
			SET mark = report_mark.mark`, account)
		if err == nil {
			n, err = changed(tx.ExecContext(ctx, query, slices.Concat([]any{account}, args)...))
		}
		return err
	})
	return n, err
}
