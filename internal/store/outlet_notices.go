package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// A NoticedOutlet is an outlet, and what its admins were told of it.
type NoticedOutlet struct {
	Scope  gangway.Scope
	Outlet gangway.Outlet
	Notice gangway.OutletNotice
	Found  gangway.OutletLook
}

// noticedColumns are the columns that scanNoticed reads, of an outlet o and what was told of it, n. The latest
// attempt is only asked of an outlet that does not fail.
const noticedColumns = `o.account, coalesce(n.news, ''), coalesce(n.since, 0), coalesce(n.told_at, 0),
	coalesce(n.well_since, 0), CASE WHEN o.failing_since > 0 THEN 0 ELSE coalesce((
		SELECT t.status
		FROM attempt t
		WHERE t.account = o.account AND t.outlet = o.id AND t.at > coalesce(n.since, 0)
		ORDER BY t.at DESC
		LIMIT 1), 0) END, coalesce(n.parked, 0), coalesce(n.parked_told_at, 0), CASE WHEN ` + anyParked + `
	THEN 1 ELSE 0 END, ` + outletColumns

// anyParked is whether something is parked at an outlet o.
const anyParked = `EXISTS (
	SELECT 1
	FROM delivery d
	WHERE d.account = o.account AND d.outlet = o.id AND d.state = 'parked')`

func scanNoticed(row scanner) (o NoticedOutlet, err error) {
	var since, told, well, parkedAt int64
	var known, parked int
	var last Attempt
	o.Outlet, err = scanOutlet(prefixedRow{row, []any{&o.Scope.Account, &o.Notice.News, &since, &told, &well,
		&last.Status, &known, &parkedAt, &parked}})
	o.Notice.Since, o.Notice.At, o.Notice.Well = instant(since), instant(told), instant(well)
	o.Notice.Parked, o.Notice.ParkedAt = known == 1, instant(parkedAt)
	o.Found = gangway.OutletLook{Taken: last.Accepted(), Parked: parked == 1}
	return o, err
}

// An OutletPlace is a place in the list of the outlets of all accounts.
type OutletPlace struct{ Account, Outlet string }

// Place is where the outlet is in the list.
func (o NoticedOutlet) Place() OutletPlace { return OutletPlace{o.Scope.Account, o.Outlet.ID} }

// OutletsToTell returns up to n outlets of all accounts of which admins may have something to be told, those after a
// place: what fails or is off, or has something parked, and what did so when they were told.
func (db *DB) OutletsToTell(ctx context.Context, after OutletPlace, n int) ([]NoticedOutlet, error) {
	list, err := selectAll(ctx, db.reader, scanNoticed, `
		SELECT `+noticedColumns+`
		FROM outlet o
		LEFT JOIN outlet_notice n ON n.account = o.account AND n.outlet = o.id
		WHERE (o.account, o.id) > ($1, $2) AND (o.off = 1 OR o.failing_since > 0 OR n.news NOT IN ('', $3)
				OR n.parked = 1 OR `+anyParked+`)
			AND o.`+notRemoving+`
		ORDER BY o.account, o.id
		LIMIT $4`,
		after.Account, after.Outlet, gangway.NewsRecovered, n)
	return list, wrapf(err, "read what is to be told of outlets")
}

// ToldOutlets returns up to n of the account's outlets of which admins were told last that they have recovered, or that
// something is parked there, the latest first.
func (s Scoped) ToldOutlets(ctx context.Context, n int) ([]NoticedOutlet, error) {
	list, err := selectAll(ctx, s.db.reader, scanNoticed, `
		SELECT `+noticedColumns+`
		FROM outlet_notice n
		JOIN outlet o ON o.account = n.account AND o.id = n.outlet
		WHERE n.account = $1 AND (n.news = $2 OR n.parked = 1)
		ORDER BY CASE WHEN n.parked_told_at > n.told_at THEN n.parked_told_at ELSE n.told_at END DESC, n.outlet
		LIMIT $3`,
		s.account, gangway.NewsRecovered, n)
	return list, wrapf(err, "read what was told of outlets")
}

// TellOutlet looks at an outlet once more and keeps what admins are told of it, so that nobody else tells it. It
// returns what they are told; empty: nothing. With mail, there is then a mail for each of them, see MoveMail.
// NotFound: there is no such outlet.
func (s Scoped) TellOutlet(ctx context.Context, outlet string, mail bool, now time.Time) (news gangway.OutletNews,
	err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		// Others who look at the outlet wait here.
		_, err := tx.ExecContext(ctx, `
			INSERT INTO outlet_notice (account, outlet, news, since, told_at, well_since)
			SELECT account, id, '', 0, 0, 0
			FROM outlet
			WHERE account = $1 AND id = $2
			ON CONFLICT (account, outlet) DO UPDATE SET news = outlet_notice.news`,
			s.account, outlet)
		if err != nil {
			return fmt.Errorf("hold what was told of outlet %s: %w", outlet, err)
		}
		o, err := scanNoticed(tx.QueryRowContext(ctx, `
			SELECT `+noticedColumns+`
			FROM outlet_notice n
			JOIN outlet o ON o.account = n.account AND o.id = n.outlet
			WHERE n.account = $1 AND n.outlet = $2`,
			s.account, outlet))
		if err != nil {
			return err
		}
		var n gangway.OutletNotice
		if n, news = o.Notice.Next(o.Outlet, o.Found, now); n == o.Notice {
			return nil
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE outlet_notice
			SET news = $3, since = $4, told_at = $5, well_since = $6, parked = $7, parked_told_at = $8
			WHERE account = $1 AND outlet = $2`,
			s.account, outlet, n.News, millis(n.Since), millis(n.At), millis(n.Well), truthValue(n.Parked),
			millis(n.ParkedAt))
		if err != nil {
			return fmt.Errorf("keep what is told of outlet %s: %w", outlet, err)
		}
		if news == "" || !mail {
			return nil
		}
		n = n.Told(news)
		return s.writeMails(ctx, tx, gangway.User.ToldOfOutlets, n.At, "outlet_mail",
			[]string{"outlet", "news", "since"}, outlet, string(n.News), millis(n.Since))
	})
	return news, err
}

// OutletMails returns up to n mails of all accounts that are due, those due longest first. Of those about one outlet
// to one person it has the oldest alone, so that news arrive in their order.
func (db *DB) OutletMails(ctx context.Context, now time.Time, n int) ([]Mail, error) {
	list, err := selectAll(ctx, db.reader, func(row scanner) (m Mail, err error) {
		err = row.Scan(&m.Scope.Account, &m.ID, &m.Outlet, &m.Person, &m.Notice.News, when(&m.Notice.Since),
			when(&m.Notice.At), &m.Tries, &m.due)
		m.table = "outlet_mail"
		return m, err
	}, `
		SELECT m.account, m.id, m.outlet, m.person, m.news, m.since, m.told_at, m.tries, m.due
		FROM outlet_mail m
		WHERE m.due <= $1 AND m.`+notRemoving+` AND NOT EXISTS (
			SELECT 1
			FROM outlet_mail e
			WHERE e.account = m.account AND e.outlet = m.outlet AND e.person = m.person AND e.told_at < m.told_at)
		ORDER BY m.due, m.account, m.id
		LIMIT $2`,
		millis(now), n)
	return list, wrapf(err, "read mails about outlets")
}
