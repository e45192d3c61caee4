package flights

import (
	"context"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A Landing is what a page says about a search that came by a hand-off.
type Landing struct {
	Search    string
	Notes     []string
	ToCorrect []toCorrect
	Simulated bool                // it opened in production, but tickets are not real
	Other     gangway.Environment // where it can be opened instead; empty where that is not offered
}

// A toCorrect is a member whose details were incomplete or malformed.
type toCorrect struct {
	Member int
	Name   string
	Words  []string
}

// LandingOf offers the other environment as long as nobody is booked.
func (room *Room) LandingOf(ctx context.Context, in store.Scoped, s gangway.Search, booked int) (Landing, error) {
	v, _ := shell.VisitorOf(ctx)
	out := Landing{Search: s.ID, Notes: s.Notes}
	for i, m := range s.Members {
		if len(m.Warnings) > 0 && len(s.Members) > 1 {
			out.ToCorrect = append(out.ToCorrect, toCorrect{i, m.Traveller.LastName + ", " + m.Traveller.FirstName,
				m.Warnings})
		}
	}
	if s.Unplaced && booked == 0 {
		out.Other = gangway.Development
		if v.Account.Environment == gangway.Development {
			out.Other = gangway.Production
		}
		var err error
		if out.Simulated, err = room.desk.Simulated(ctx, in); err != nil {
			return out, err
		}
	}
	return out, nil
}
