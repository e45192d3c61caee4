package store

import (
	"context"
	"fmt"
	"time"

	"gangway/internal/gangway"
)

// A FeedFigure is how a feed is doing, for an operator's monitoring.
type FeedFigure struct {
	Customer, Environment, Feed string

	Off     bool
	GoodAt  time.Time // when it last went well; zero: never yet
	Failing time.Time // since when it fails; zero: it does not
	Due     time.Time // when it is fetched next by itself; zero: never
}

// FeedFigures returns how the feeds of all accounts are doing, up to n of them.
func (db *DB) FeedFigures(ctx context.Context, n int) ([]FeedFigure, error) {
	list, err := selectAll(ctx, db.reader, func(s scanner) (r FeedFigure, err error) {
		var doc string
		var good, failing, due int64
		if err := s.Scan(&r.Customer, &r.Environment, &r.Feed, &doc, &good, &failing, &due); err != nil {
			return r, err
		}
		r.GoodAt, r.Failing, r.Due = instant(good), instant(failing), instant(due)
		f, err := readFeed(doc)
		r.Off = f.Off
		return r, err
	}, `
		SELECT a.customer, a.environment, f.name, f.doc, f.good_at, f.failing, f.due
		FROM feed f
		JOIN account a ON a.id = f.account
		ORDER BY f.account, f.name
		LIMIT $1`,
		n)
	return list, wrapf(err, "read figures of feeds")
}

// An OutletFigure is how an outlet is doing, for an operator's monitoring.
type OutletFigure struct {
	Customer, Environment, Outlet string

	Off     bool
	Failing bool      // and it is not switched off
	Waiting int       // deliveries that were not accepted yet
	Oldest  time.Time // when the oldest of them was made; zero: none waits
	Parked  int       // deliveries that were given up
}

// OutletFigures returns how the outlets of all accounts are doing, up to n of them. It counts up to most
// deliveries of a kind.
func (db *DB) OutletFigures(ctx context.Context, n, most int, now time.Time) ([]OutletFigure, error) {
	var outlets []gangway.Outlet
	var accounts []string
	list, err := selectAll(ctx, db.reader, func(s scanner) (o OutletFigure, err error) {
		var account string
		var oldest int64
		outlet, err := scanOutlet(prefixedRow{s, []any{&account, &o.Customer, &o.Environment, &o.Waiting, &oldest,
			&o.Parked}})
		o.Outlet, o.Off, o.Oldest = outlet.ID, outlet.Off && !outlet.Untested(), instant(oldest)
		outlets, accounts = append(outlets, outlet), append(accounts, account)
		return o, err
	}, `
		SELECT o.account, (SELECT a.customer FROM account a WHERE a.id = o.account),
			(SELECT a.environment FROM account a WHERE a.id = o.account),
			(SELECT count(*) FROM (
				SELECT 1 FROM delivery d
				WHERE d.account = o.account AND d.state = 'due' AND d.outlet = o.id LIMIT $2) AS due),
			coalesce((SELECT min(d.made_at) FROM delivery d
				WHERE d.account = o.account AND d.state = 'due' AND d.outlet = o.id), 0),
			(SELECT count(*) FROM (
				SELECT 1 FROM delivery d
				WHERE d.account = o.account AND d.state = 'parked' AND d.outlet = o.id LIMIT $2) AS parked),
			`+outletColumns+`
		FROM outlet o
		ORDER BY o.account, o.id
		LIMIT $1`,
		n, most)
	if err != nil {
		return nil, fmt.Errorf("read figures of outlets: %w", err)
	}
	for i, o := range outlets {
		tries, err := db.In(gangway.Scope{Account: accounts[i]}).triesOfFailing(ctx, o, now)
		if err != nil {
			return nil, err
		}
		list[i].Failing = gangway.ConditionOf(o, gangway.OutletFacts{Tries: tries}, now).Failing()
	}
	return list, nil
}
