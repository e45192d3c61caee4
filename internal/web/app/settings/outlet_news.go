package settings

import (
	"context"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

const (
	// newsShown is how many outlets of a kind the top of a page names at most.
	newsShown = 3

	// toldRead is of how many outlets, the latest, it is asked whether they have recovered, or something is parked.
	toldRead = 50
)

// OutletNews tells an admin, on every page, which outlets do not deliver; in the settings and where bookings are made,
// which have recovered, and where something was parked. Nobody else can do anything about it.
//
// Decided: docs/choices.md, "What admins are told of an outlet".
func OutletNews(db *store.DB, now func() time.Time) func(context.Context, shell.Visitor, string) ([]shell.News, error) {
	return func(ctx context.Context, v shell.Visitor, section string) ([]shell.News, error) {
		if !v.User.Role.May(gangway.ToAdminister) {
			return nil, nil
		}
		in := db.In(v.Account.Scope())
		outlets, err := in.Outlets(ctx)
		if err != nil {
			return nil, err
		}
		var list []shell.News
		for _, o := range outlets {
			if trouble := o.Trouble(now()); trouble != "" {
				n := gangway.OutletNotice{News: trouble, Since: o.FailingSince}
				if n.Fails() && o.Batch == 0 && len(list) <= newsShown {
					if n.One, err = in.RefusesOne(ctx, o.ID); err != nil {
						return nil, err
					}
				}
				if n.Fails() && len(list) <= newsShown {
					last, err := in.LastFailure(ctx, o.ID)
					if err != nil {
						return nil, err
					}
					n.Unmade = last.Unsent()
				}
				list = append(list, newsOf(n, o))
			}
		}
		list = boundedNews(list, false, "outlets do not deliver.")
		if section != "settings" && section != "book" || len(outlets) == 0 {
			return list, nil
		}
		told, err := in.ToldOutlets(ctx, toldRead)
		if err != nil {
			return nil, err
		}
		var good, parked []shell.News
		for _, o := range told {
			if o.Notice.Recent(now()) && o.Outlet.Trouble(now()) == "" {
				good = append(good, newsOf(o.Notice, o.Outlet))
			}
			if o.Notice.ParkedRecently(now()) && o.Found.Parked {
				parked = append(parked, newsOf(o.Notice.Told(gangway.NewsParked), o.Outlet))
			}
		}
		list = append(list, boundedNews(parked, false, "outlets have deliveries that are parked.")...)
		return append(list, boundedNews(good, true, "outlets have recovered.")...), nil
	}
}

// newsOf says news of an outlet, and leads to its page.
func newsOf(n gangway.OutletNotice, o gangway.Outlet) shell.News {
	return shell.News{Good: n.News == gangway.NewsRecovered, Words: n.Sentence(o), Path: OutletPath(o.Name),
		Link: "Open the outlet"}
}

// boundedNews is the beginning of a list, and then a line that says how many more there are.
func boundedNews(list []shell.News, good bool, words string) []shell.News {
	more := len(list) - newsShown
	if more <= 1 { // which takes no more room than to say so
		return list
	}
	return append(list[:newsShown], shell.News{Good: good, Words: shell.Number(more) + " more " + words,
		Path: "/settings/outlets", Link: "Open all outlets"})
}
