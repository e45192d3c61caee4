package report

import (
	"context"
	"fmt"
	"math/big"
	"net/url"

	"gangway/internal/background"
	"gangway/internal/gangway"
	"gangway/internal/report/odata"
	"gangway/internal/report/query"
	"gangway/internal/store"
)

// Differing lists what the page of an address says otherwise than the OData service at the addresses that it offers,
// and returns how many bookings it is about.
func Differing(ctx context.Context, db *store.DB, in store.Scoped, address url.Values, today gangway.Date) (
	differing []string, bookings int, err error) {
	room := &Room{people: background.NewSlots(1, 1)}
	a := &asked{room: room, page: newReportPage(address, today), today: today}
	if a.sums, err = room.sum(ctx, in, "", a.page.Filters); err != nil {
		return nil, 0, err
	}
	t := a.totals()
	a.currency = t.Currency
	f, money, rank := a.page.Filters, a.currency, a.page.Rank
	for _, q := range []question{totalsQuestion(f), monthsQuestion(f, money),
		rankedQuestion(f, ofVessels, money, rank, "VesselName"), flightsQuestion(f), aheadQuestion(f, money),
		rankedQuestion(f, ofRoutes, money, rank, "FirstOrigin", "LastDestination"), lateQuestion(f, money),
		rankedQuestion(f, ofAirlines, money, rank, "FarePlatingCarriers")} {
		read, err := odata.Parse(query.Schema, "/"+q.set(), q.options(), odata.Options{})
		if err != nil {
			return nil, 0, err
		}
		req, err := query.For(read)
		if err != nil {
			return nil, 0, err
		}
		var theirs []string
		err = in.Report(ctx, req, store.ReportAnswer{Row: func(r query.Row) error {
			line := ""
			for i := range query.Shown(req.Query) {
				n, number := new(big.Rat).SetString(string(r.AppendJSON(nil, i)))
				switch {
				case number:
					line += " " + n.RatString()
				case r.Value(i) == nil && i >= shapes[q.Of].keys: // a sum of nothing
					line += " 0"
				default:
					line += fmt.Sprintf(" %v", r.Value(i))
				}
			}
			theirs = append(theirs, line)
			return nil
		}})
		if err != nil {
			return nil, 0, err
		}
		ours := a.ask(q)
		for i := range max(len(ours), len(theirs)) {
			line := ""
			if i < len(ours) {
				for _, v := range ours[i] {
					if n, ok := new(big.Rat).SetString(fmt.Sprint(v)); ok {
						v = n.RatString()
					}
					line += fmt.Sprintf(" %v", v)
				}
			}
			if i >= len(theirs) || line != theirs[i] {
				differing = append(differing, fmt.Sprintf("%s: row %d of %d is%s, and elsewhere%v", q.options(), i,
					len(ours), line, theirs[min(i, len(theirs)):min(i+1, len(theirs))]))
				break
			}
		}
	}
	return differing, t.Bookings, nil
}

// Sum does what the page does for all its figures.
func Sum(ctx context.Context, in store.Scoped, address string) error {
	q, err := url.ParseQuery(address)
	if err != nil {
		return err
	}
	room := &Room{people: background.NewSlots(1, 1)}
	a := &asked{room: room, page: newReportPage(q, "2026-11-28"), today: "2026-11-28"}
	if a.sums, err = room.sum(ctx, in, "", a.page.Filters); err != nil {
		return err
	}
	a.currency = a.totals().Currency
	for _, part := range []any{a.byMonth(), a.byVessel(), a.byRoute(), a.byAirline(), a.flights(), a.byDaysAhead(),
		a.late()} {
		_ = part
	}
	return nil
}
