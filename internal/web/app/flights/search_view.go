package flights

import (
	"context"
	"net/url"
	"slices"
	"time"

	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A SearchView is a search with all that its page needs.
type SearchView struct {
	gangway.Search
	Query url.Values
	Keep  filter
	MemberBookings
	Settings gangway.Settings  // of the account
	Found    plan.SessionState // what was found so far
	Days     []plan.DayFare    // of one traveller: the day asked for and those around it
	Doubles  map[int]int       // members listed a second time, with the position of the first
	forms    Forms
	Choosers map[string]string // names of those who have chosen flights, by e-mail address
	Mover    string            // the name of the person who moved the ship, if anybody did
	Now      time.Time         // by the clock of the account, which is so far
	Ahead    time.Duration     // ahead of real time
	laid     *laidOffers
}

// View returns s as it is shown now to the person who is signed in.
func (room *Room) View(ctx context.Context, in store.Scoped, ss *plan.Session, s gangway.Search, q url.Values,
	st MemberBookings) SearchView {
	v := SearchView{Search: s, Query: q, Keep: readFilter(q), MemberBookings: st, Settings: shell.Settings(ctx),
		forms: room.Forms(ctx, in, s), Now: in.Now(room.Now()), Ahead: in.Scope().Ahead, laid: room.laid}
	v.Found, v.Doubles, v.Choosers = ss.Look(), s.Again(), room.choosers(ctx, s)
	v.Days = room.searches.Week(in, v.Settings, s)
	if s.Moved != nil {
		v.Mover = room.NameOf(ctx, s.Moved.By)
	}
	return v
}

// Progress says how far the search has come. Members who are booked are not searched
// for and not counted.
func (v SearchView) Progress() Progress {
	p := NewProgress(v.ID, v.Query, v.Found.Done, len(v.Members))
	for i, m := range v.Found.Members {
		if _, booked := v.Booked[i]; !booked {
			continue
		}
		if p.All--; m.Done {
			p.Done--
		}
	}
	return p
}

// choosers returns the names of everybody who has chosen flights in s.
func (room *Room) choosers(ctx context.Context, s gangway.Search) map[string]string {
	names := map[string]string{}
	for _, m := range s.Members {
		if _, ok := names[m.ChosenBy]; !ok && m.ChosenBy != "" && m.Chosen != "" {
			names[m.ChosenBy] = room.NameOf(ctx, m.ChosenBy)
		}
	}
	return names
}

// WhyMissing says in a sentence why there may be offers that were not found.
func WhyMissing(f plan.MemberResult) string {
	if gangway.KindOf(f.Err) == gangway.Internal {
		return "The airlines could not be asked just now. Search again in a moment."
	}
	return shell.SentenceOf(f.Err)
}

// NoMarine says in a sentence why no marine fares are found; nothing where they may be, or are not asked for.
func (v SearchView) NoMarine() string {
	asked := slices.ContainsFunc(v.Members, func(m gangway.SearchMember) bool { return m.FareType != gangway.Public })
	switch {
	case v.Marine() || !asked:
		return ""
	case v.Vessel == "":
		return "Marine fares need a vessel and its flag."
	}
	return "Marine fares need the flag of " + v.Vessel + "."
}

// Choices returns the offers for a member, each weighed against the plan. They are shared and must not be changed.
func (v SearchView) Choices(i int) []plan.Choice {
	return v.Found.Choices(i, v.atPlan(i), v.Planned.Members[i], v.Settings)
}

// atPlan returns a member as a search would have it by today's plan.
func (v SearchView) atPlan(i int) gangway.SearchMember {
	m := v.Members[i]
	m.Legs = AtPlan(m.Legs, v.Planned.Members[i])
	return m
}

// Offer returns an offer for a member as it is laid out for all readers. Forms carry
// it as Forms.Offer writes it.
func (v SearchView) Offer(i int, c *plan.Choice) OfferRow { return *v.laidOf(i, c).row() }

// laidOf returns an offer as it is laid out for all readers.
func (v SearchView) laidOf(i int, c *plan.Choice) *laidOffer {
	return v.laid.of(c, func() OfferRow { return v.layOut(i, c) })
}

// layOut lays out the part of an offer that is the same for all readers. It depends on
// nothing but what the offer was weighed by.
func (v SearchView) layOut(i int, c *plan.Choice) OfferRow {
	row := layOut(c, v.atPlan(i))
	row.emits(c, v.Settings.RadiativeForcing)
	return row
}
