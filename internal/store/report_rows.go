package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"gangway"
	"gangway/internal/report"
	"gangway/internal/report/query"
)

// saveReport writes the report's row of a booking, in the transaction that writes the booking.
func (s Scoped) saveReport(ctx context.Context, tx *sql.Tx, b gangway.Booking) error {
	customer, err := s.db.customerOf(ctx, tx, s.account)
	if err != nil {
		return err
	}
	args := s.reportArgs(report.RowOf(b, customer), report.ForcedEmissions(b))
	if _, err := tx.ExecContext(ctx, s.db.dialect.saveReport(), args...); err != nil {
		return fmt.Errorf("write the report's row of booking %s: %w", b.ID, err)
	}
	return nil
}

// reportArgs are the arguments of the statement that writes a row.
func (s Scoped) reportArgs(row report.Row, forced any) []any {
	args := []any{s.account, forced, query.SearchText(report.FlightBookings, row),
		string(report.FlightBookings.AppendMembers(nil, row))}
	for i, c := range report.FlightBookings.Columns {
		if c.SQL != tenant {
			args = append(args, reportValue(row[i]))
		}
	}
	return args
}

// tenant is the column that is not stored: all rows of an account have the same.
const tenant = "tenant_id"

// reportValue is a value of a row as it is stored.
func reportValue(v any) any {
	if flag, ok := v.(bool); ok {
		if flag {
			return int64(1)
		}
		return int64(0)
	}
	return v
}

// saveReport returns the statement that writes a row: its account, the emissions with radiative
// forcing, what is searched, the whole row as text, and its columns.
func (d dialect) saveReport() string { return saveReports[d] }

var saveReports = [...]string{sqlite: saveReportOn(sqlite), postgres: saveReportOn(postgres)}

func saveReportOn(d dialect) string {
	columns := []string{"account", "co2_forced", query.Search, query.Members}
	for _, c := range report.FlightBookings.Columns {
		if c.SQL != tenant {
			columns = append(columns, c.SQL)
		}
	}
	values, set := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		values[i], set[i] = fmt.Sprintf("$%d", i+1), c+" = excluded."+c
	}
	return fmt.Sprintf(`
		INSERT INTO report_booking (%s, changed)
		VALUES (%s, %s)
		ON CONFLICT (account, booking_id) DO UPDATE
		SET %s, changed = excluded.changed`,
		strings.Join(columns, ", "), strings.Join(values, ", "), d.thisChange(), strings.Join(set, ", "))
}

// customerOf returns the customer of an account. It never changes, so it is asked for once.
func (db *DB) customerOf(ctx context.Context, q querier, account string) (string, error) {
	if known, ok := db.customers.Load(account); ok {
		return known.(string), nil
	}
	var customer string
	err := q.QueryRowContext(ctx, `SELECT customer FROM account WHERE id = $1`, account).Scan(&customer)
	if err != nil {
		return "", fmt.Errorf("read the customer of account %s: %w", account, err)
	}
	db.customers.Store(account, customer)
	return customer, nil
}
