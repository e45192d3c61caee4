package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
)

const reportViewColumns = `name, query, saved_by, saved_by_name, saved_at, mailed_to, mail_due`

// scanReportView reads a view, and further columns into more.
func scanReportView(row scanner, more ...any) (v gangway.ReportView, err error) {
	var to string
	err = row.Scan(append([]any{&v.Name, &v.Query, &v.By, &v.ByName, when(&v.At), &to, when(&v.MailDue)}, more...)...)
	v.MailedTo = strings.Fields(to)
	return v, err
}

// ReportViews are the account's saved views of the report, by name.
func (s Scoped) ReportViews(ctx context.Context) ([]gangway.ReportView, error) {
	list, err := selectAll(ctx, s.db.reader, func(row scanner) (gangway.ReportView, error) { return scanReportView(row) }, `
		SELECT `+reportViewColumns+`
		FROM report_view
		WHERE account = $1
		ORDER BY name
		LIMIT $2`,
		s.account, gangway.MostReportViews)
	return list, wrapf(err, "read views of the report")
}

// SaveReportView saves a view. replaces says whether it may replace one of its name. Conflict: the account has as many
// as it may.
func (s Scoped) SaveReportView(ctx context.Context, by gangway.Actor, v gangway.ReportView,
	replaces func(old gangway.ReportView) error) error {
	return s.writeUnseen(ctx, func(tx *sql.Tx) error {
		old, err := s.heldReportView(ctx, tx, v.Name)
		var before map[string]any
		switch {
		case err == nil:
			if err := replaces(old); err != nil {
				return err
			}
			before = viewDetails(old)
		case !errors.Is(err, sql.ErrNoRows):
			return wrapf(err, "read a view of the report")
		default:
			n, err := column[int](tx.QueryRowContext(ctx, `SELECT count(*) FROM report_view WHERE account = $1`, s.account))
			if err != nil || n >= gangway.MostReportViews {
				return cmp.Or(err, gangway.Errorf(gangway.Conflict, "there are %d saved views already: delete one", n))
			}
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO report_view (account, name, query, saved_by, saved_by_name, saved_at)
			VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (account, name) DO UPDATE
			SET query = excluded.query, saved_by = excluded.saved_by, saved_by_name = excluded.saved_by_name,
				saved_at = excluded.saved_at`,
			s.account, v.Name, v.Query, by.ID, by.Name, millis(v.At))
		if err != nil {
			return wrapf(err, "save a view of the report")
		}
		return s.record(ctx, tx, gangway.AuditEntry{At: v.At, By: by, What: gangway.ReportViewSaved, Before: before,
			After: viewDetails(v)})
	})
}

// DeleteReportView deletes a view; may says whether the person may. NotFound: there is none.
func (s Scoped) DeleteReportView(ctx context.Context, by gangway.Actor, name string, at time.Time,
	may func(gangway.ReportView) error) error {
	return s.writeUnseen(ctx, func(tx *sql.Tx) error {
		old, err := s.heldReportView(ctx, tx, name)
		if err != nil {
			return notFoundOr(err, noSuchView, name)
		}
		if err := may(old); err != nil {
			return err
		}
		if _, err = tx.ExecContext(ctx, `DELETE FROM report_view WHERE account = $1 AND name = $2`, s.account,
			name); err != nil {
			return wrapf(err, "delete a view of the report")
		}
		return s.record(ctx, tx, gangway.AuditEntry{At: at, By: by, What: gangway.ReportViewDeleted,
			Before: viewDetails(old)})
	})
}

// MailReportView has a view be mailed each month to people, or to nobody; may says whether that may be changed.
// NotFound: there is none.
func (s Scoped) MailReportView(ctx context.Context, by gangway.Actor, name string, to []string, at time.Time,
	may func(gangway.ReportView) error) error {
	return s.writeUnseen(ctx, func(tx *sql.Tx) error {
		old, err := s.heldReportView(ctx, tx, name)
		if err != nil {
			return notFoundOr(err, noSuchView, name)
		}
		if err := may(old); err != nil {
			return err
		}
		company, err := s.company(ctx, tx)
		if err != nil {
			return err
		}
		v := old
		if err := v.MailTo(to, company, at); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE report_view
			SET mailed_to = $3, mail_due = $4
			WHERE account = $1 AND name = $2`,
			s.account, name, strings.Join(v.MailedTo, " "), millis(v.MailDue))
		if err != nil {
			return wrapf(err, "have a view of the report mailed")
		}
		entry := gangway.AuditEntry{At: at, By: by, What: gangway.ReportViewMailed, Before: viewDetails(old),
			After: viewDetails(v)}
		entry.Before["mailed_to"], entry.After["mailed_to"] = addresses(old, company), addresses(v, company)
		return s.record(ctx, tx, entry)
	})
}

// addresses are those of the people to whom a view is mailed.
func addresses(v gangway.ReportView, company []gangway.User) (list []string) {
	for _, u := range company {
		if slices.Contains(v.MailedTo, u.ID) {
			list = append(list, u.Email)
		}
	}
	return list
}

const noSuchView = "there is no saved view %q"

// ReportView is one of the account's saved views. NotFound: there is none of the name.
func (s Scoped) ReportView(ctx context.Context, name string) (gangway.ReportView, error) {
	v, err := s.reportView(ctx, s.db.reader, name)
	return v, notFoundOr(err, noSuchView, name)
}

// heldReportView is a view for whoever changes the account's views, which nobody else does until the transaction ends.
func (s Scoped) heldReportView(ctx context.Context, tx *sql.Tx, name string) (gangway.ReportView, error) {
	if err := s.lockAccount(ctx, tx); err != nil {
		return gangway.ReportView{}, err
	}
	return s.reportView(ctx, tx, name)
}

func (s Scoped) reportView(ctx context.Context, q querier, name string) (gangway.ReportView, error) {
	return scanReportView(q.QueryRowContext(ctx, `
		SELECT `+reportViewColumns+`
		FROM report_view
		WHERE account = $1 AND name = $2`,
		s.account, name))
}

// viewDetails is what the audit log records of a view: its filters may name a traveller.
func viewDetails(v gangway.ReportView) map[string]any { return map[string]any{"view": v.Name} }
