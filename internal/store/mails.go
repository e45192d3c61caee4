package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// A Mail is for one person, and not accepted by the mail server yet: news of an outlet, that a booking ends, a
// saved view of the report, or, with none of these, the daily mail of the deadlines.
type Mail struct {
	Scope   gangway.Scope
	ID      string // the same on every try
	Person  string
	Outlet  string
	Booking string
	View    string               // its name
	Notice  gangway.OutletNotice // of the outlet; of other mails it only says when they were due first
	Tries   int
	table   string
	due     int64
}

// DeskMails returns up to n mails about deadlines and of views of all accounts that are due, those due longest first.
func (db *DB) DeskMails(ctx context.Context, now time.Time, n int) ([]Mail, error) {
	list, err := selectAll(ctx, db.reader, func(row scanner) (m Mail, err error) {
		err = row.Scan(&m.Scope.Account, &m.ID, &m.Person, &m.Booking, &m.View, when(&m.Notice.At), &m.Tries, &m.due,
			&m.table)
		return m, err
	}, `
		SELECT account, id, person, booking, '' AS report_view, told_at, tries, due, 'desk_mail' AS kept_in
		FROM desk_mail
		WHERE due <= $1 AND `+notRemoving+`
		UNION ALL
		SELECT account, id, person, '', report_view, told_at, tries, due, 'report_mail'
		FROM report_mail
		WHERE due <= $1 AND `+notRemoving+`
		ORDER BY due, account, id
		LIMIT $2`,
		millis(now), n)
	return list, wrapf(err, "read mails about deadlines and of views")
}

// MoveMail has a mail be due at another time, with as many tries as m says. Until then it is the caller's. Conflict:
// another process has moved it.
func (s Scoped) MoveMail(ctx context.Context, m Mail, until time.Time) (Mail, error) {
	err := s.writeUnseen(ctx, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `
			UPDATE `+m.table+`
			SET due = $4, tries = $5
			WHERE account = $1 AND id = $2 AND due = $3
			RETURNING due`,
			s.account, m.ID, m.due, millis(until), m.Tries).Scan(&m.due)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return m, gangway.Errorf(gangway.Conflict, "another process has taken the mail")
	}
	return m, wrapf(err, "take mail %s", m.ID)
}

// EndMail deletes a mail that was sent, or never will be.
func (s Scoped) EndMail(ctx context.Context, m Mail) error {
	err := s.exec(ctx, `DELETE FROM `+m.table+` WHERE account = $1 AND id = $2`, s.account, m.ID)
	return wrapf(err, "end mail %s", m.ID)
}

// company are all people of the account's customer.
func (s Scoped) company(ctx context.Context, tx *sql.Tx) ([]gangway.User, error) {
	customer, err := column[string](tx.QueryRowContext(ctx, `SELECT customer FROM account WHERE id = $1`, s.account))
	if err != nil {
		return nil, fmt.Errorf("read whose account it is: %w", err)
	}
	return usersOf(ctx, tx, customer)
}

// writeMails writes a mail for each of the account's people who are told something at an instant. What it is about is
// in columns of the table besides, with their values.
func (s Scoped) writeMails(ctx context.Context, tx *sql.Tx, told func(gangway.User) bool, at time.Time, table string,
	columns []string, values ...any) error {
	people, err := s.company(ctx, tx)
	if err != nil {
		return err
	}
	var rows [][]any
	for _, u := range people {
		if told(u) {
			rows = append(rows, append([]any{s.account, NewID("mail"), u.ID, millis(at), millis(at)}, values...))
		}
	}
	return wrapf(insertMany(ctx, tx, table, append([]string{"account", "id", "person", "told_at", "due"}, columns...),
		rows), "write mails")
}

// PeopleToMail returns up to n people of all customers whose daily mail is due.
func (db *DB) PeopleToMail(ctx context.Context, now time.Time, n int) ([]gangway.User, error) {
	list, err := selectAll(ctx, db.reader, func(row scanner) (gangway.User, error) { return scanUser(row) }, `
		SELECT `+userColumns+`
		FROM person
		WHERE mail_due > 0 AND mail_due <= $1 AND `+hasStaff+`
		ORDER BY mail_due, id
		LIMIT $2`,
		millis(now), n)
	return list, wrapf(err, "look for daily mails that are due")
}

// MailDaily writes the daily mail that is due for u, about the account, and notes when the next is due: both or, where
// another process has done so, neither. For a person who gets none any more no mail is written.
func (s Scoped) MailDaily(ctx context.Context, u gangway.User, now, next time.Time) error {
	return s.writeUnseen(ctx, func(tx *sql.Tx) error {
		if err := holdStaff(ctx, tx, u.Customer); err != nil { // others change the same row
			return err
		}
		n, err := changed(tx.ExecContext(ctx, `
			UPDATE person
			SET mail_due = $3
			WHERE id = $1 AND mail_due = $2`,
			u.ID, millis(u.MailDue), millis(next)))
		if err != nil || n == 0 || !u.MailedDaily() {
			return wrapf(err, "note the next daily mail of user %s", u.ID)
		}
		return s.writeMails(ctx, tx, func(of gangway.User) bool { return of.ID == u.ID }, now, "desk_mail",
			[]string{"booking"}, "")
	})
}

// EndingsToMail returns up to n bookings of all accounts in production in which nobody has been at work since quiet:
// those of which gangway.Booking.EndsSoon is true and nobody was mailed.
func (db *DB) EndingsToMail(ctx context.Context, quiet, now time.Time, n int) ([]DueBooking, error) {
	list, err := selectAll(ctx, db.reader, func(row scanner) (b DueBooking, err error) {
		return b, row.Scan(&b.Scope.Account, &b.ID)
	}, endingsToMail, millis(quiet), millis(now), millis(now.Add(gangway.MailedAhead)), n)
	return list, wrapf(err, "look for bookings that end while nobody is at work")
}

// Bookings are looked for one account at a time: SQLite does so in a cross join.
var endingsToMail = `
		SELECT b.account, b.id
		FROM account a
		CROSS JOIN booking b
		WHERE a.environment = 'production' AND a.removing = 0 AND b.account = a.id AND b.mailed = 0
			AND NOT EXISTS (SELECT 1 FROM account_use u WHERE u.account = a.id AND u.at > $1)
			AND b.needs IN ('answer', 'decision') AND ` + endsUnissued + `
			AND (b.deadline > $2 OR b.hold_until > $2 AND b.state <> 'change_pending')
		ORDER BY b.deadline, b.account, b.id
		LIMIT $4`

// MailEnding writes a mail that a booking ends for each of the people who are told, unless there was one of it before.
func (s Scoped) MailEnding(ctx context.Context, booking string, at time.Time) error {
	return s.writeUnseen(ctx, func(tx *sql.Tx) error {
		n, err := changed(tx.ExecContext(ctx, `
			UPDATE booking
			SET mailed = $3
			WHERE account = $1 AND id = $2 AND mailed = 0`,
			s.account, booking, millis(at)))
		if err != nil || n == 0 {
			return wrapf(err, "note that people are mailed of booking %s", booking)
		}
		return s.writeMails(ctx, tx, gangway.User.MailedOfEndings, at, "desk_mail", []string{"booking"}, booking)
	})
}

// A DueView is a view that is to be mailed.
type DueView struct {
	Scope gangway.Scope
	gangway.ReportView
}

// ViewsToMail returns up to n views of all accounts that are due to be mailed.
func (db *DB) ViewsToMail(ctx context.Context, now time.Time, n int) ([]DueView, error) {
	list, err := selectAll(ctx, db.reader, func(row scanner) (v DueView, err error) {
		v.ReportView, err = scanReportView(row, &v.Scope.Account)
		return v, err
	}, `
		SELECT `+reportViewColumns+`, account
		FROM report_view
		WHERE mail_due > 0 AND mail_due <= $1 AND `+notRemoving+`
		ORDER BY mail_due, account, name
		LIMIT $2`,
		millis(now), n)
	return list, wrapf(err, "look for views that are due to be mailed")
}

// MailView writes a mail of the view to each of the people who get it, and notes when the next is due: both or, where
// another process has done so or the view was changed, neither.
func (s Scoped) MailView(ctx context.Context, v gangway.ReportView, now time.Time) error {
	return s.writeUnseen(ctx, func(tx *sql.Tx) error {
		n, err := changed(tx.ExecContext(ctx, `
			UPDATE report_view
			SET mail_due = $5
			WHERE account = $1 AND name = $2 AND mail_due = $3 AND mailed_to = $4`,
			s.account, v.Name, millis(v.MailDue), strings.Join(v.MailedTo, " "), millis(gangway.NextViewMail(now))))
		if err != nil || n == 0 {
			return wrapf(err, "note the next mail of a view")
		}
		return s.writeMails(ctx, tx, v.IsMailedTo, now, "report_mail", []string{"report_view"}, v.Name)
	})
}

// NoteUse notes that a person has asked for a page of the account. KeepUses writes that down, so that no page waits.
func (s Scoped) NoteUse(at time.Time) { s.db.uses.Store(s.account, at) }

// KeepUses writes down when people have last asked for a page of each account.
func (db *DB) KeepUses(ctx context.Context) error {
	for account, at := range db.uses.Range {
		err := db.write(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `
				INSERT INTO account_use (account, at)
				SELECT id, CAST($2 AS BIGINT)
				FROM account
				WHERE id = $1 AND removing = 0
				ON CONFLICT (account) DO UPDATE
				SET at = excluded.at
				WHERE account_use.at < excluded.at`,
				account, millis(at.(time.Time)))
			return err
		})
		if err != nil {
			return fmt.Errorf("note that account %s is used: %w", account, err)
		}
		db.uses.CompareAndDelete(account, at)
	}
	return nil
}
