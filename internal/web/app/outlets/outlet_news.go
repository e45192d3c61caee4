package outlets

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/feeds"
	"gangway/internal/web/app/shell"
)

// toldRead is of how many outlets, the latest, it is asked whether they have recovered, or something is parked.
const toldRead = 50

// OutletNews tells an admin, at the top of the page of a path, which outlets do not deliver and where something was
// parked; in the settings and on the first page, which have recovered, too. Of one outlet it says what is the
// matter, and of several one line. The pages of an outlet say of that one themselves what is so, and the list of
// outlets of all. Nobody else can do anything about it.
//
// Decided: docs/choices.md, "What admins are told of an outlet".
func OutletNews(db *store.DB, now func() time.Time) func(ctx context.Context, v shell.Visitor, section,
	path string) ([]shell.News, error) {
	return func(ctx context.Context, v shell.Visitor, section, path string) ([]shell.News, error) {
		if !v.User.Role.May(gangway.ToAdminister) || path == outletsPath {
			return nil, nil
		}
		in := db.In(v.Account.Scope())
		outlets, err := in.Outlets(ctx)
		if err != nil || len(outlets) == 0 {
			return nil, err
		}
		told, err := in.ToldOutlets(ctx, toldRead)
		if err != nil {
			return nil, err
		}
		notices, parked := map[string]gangway.OutletNotice{}, map[string]bool{}
		for _, o := range told {
			notices[o.Outlet.ID] = o.Notice
			parked[o.Outlet.ID] = o.Found.Parked && o.Notice.ParkedRecently(now())
		}
		var troubled, well []gangway.Outlet
		states := map[string]gangway.ConditionState{}
		for _, o := range outlets {
			states[o.ID] = gangway.ConditionOf(o, gangway.OutletFacts{}, now()).State
			switch {
			case o.Trouble(now()) != "":
				troubled = append(troubled, o)
			case parked[o.ID]:
				troubled, states[o.ID] = append(troubled, o), gangway.IsParked
			case notices[o.ID].Recent(now()) && (section == "settings" || section == "today"):
				well = append(well, o)
			}
		}
		several, cut := len(troubled) > 1, len(told) == toldRead
		ofPage := func(o gangway.Outlet) bool { return strings.HasPrefix(path+"/", OutletPath(o.Name)+"/") }
		troubled, well = slices.DeleteFunc(troubled, ofPage), slices.DeleteFunc(well, ofPage)
		orderOutlets(troubled, states)
		if several {
			return []shell.News{newsInALine("Trouble at", troubled, cut)}, nil
		}
		var list []shell.News
		for _, o := range troubled {
			n, c := notices[o.ID].Told(gangway.NewsParked), gangway.Condition{}
			if trouble := o.Trouble(now()); trouble != "" {
				n = gangway.OutletNotice{News: trouble, Since: o.FailingSince}
				if c, err = deliver.Condition(ctx, in, o, now()); err != nil {
					return nil, err
				}
			}
			list = append(list, newsOf(n, o, c))
		}
		switch len(well) {
		case 0:
		case 1:
			list = append(list, newsOf(notices[well[0].ID], well[0], gangway.Condition{}))
		default:
			n := newsInALine("Bookings again reach", well, cut)
			n.Good = true
			list = append(list, n)
		}
		return list, nil
	}
}

// newsOf says news of an outlet that is doing as c says, and leads to its page.
func newsOf(n gangway.OutletNotice, o gangway.Outlet, c gangway.Condition) shell.News {
	return shell.News{Good: n.News == gangway.NewsRecovered, Words: n.Sentence(o, c), Path: OutletPath(o.Name),
		Link: "Open the outlet", Of: o.Name}
}

// newsInALine names the first of some outlets and says how many more there are: at least, where the list was cut.
func newsInALine(words string, list []gangway.Outlet, cut bool) shell.News {
	n := shell.News{Words: words, Path: OutletPath(list[0].Name), Link: "outlet " + list[0].Name}
	if len(list) == 1 {
		return n
	}
	and := " and "
	if cut {
		and = " and at least "
	}
	n.Path, n.Link = outletsPath, n.Link+and+shell.Number(len(list)-1)+" more"
	return n
}

// News tells an admin, at the top of the page of a path, what there is to know of outlets, and for a day of a feed of
// which many records went, or whose answers hold less than there is.
//
// Decided: docs/choices.md, "Feeds".
func News(db *store.DB, now func() time.Time) func(ctx context.Context, v shell.Visitor, section, path string) (
	[]shell.News, error) {
	outlets := OutletNews(db, now)
	return func(ctx context.Context, v shell.Visitor, section, path string) ([]shell.News, error) {
		list, err := outlets(ctx, v, section, path)
		if err != nil || !v.User.Role.May(gangway.ToAdminister) {
			return list, err
		}
		latest, err := db.In(v.Account.Scope()).LatestFeedRuns(ctx)
		for _, name := range slices.Sorted(maps.Keys(latest)) {
			if n := latest[name].Good.Notice; n.Recent(now()) && len(list) < 5 {
				list = append(list, shell.News{Words: "Feed " + name + ": " + n.Text + ".", Path: feeds.FeedPath(name),
					Link: "Open the feed", Of: name})
			}
		}
		return list, err
	}
}
