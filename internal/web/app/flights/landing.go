package flights

import (
	"context"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A Landing is what is to be said of a search that a hand-off brought.
type Landing struct {
	Search    string
	Notes     []string
	ToCorrect []toCorrect
	Simulated bool                // though it opened in production, tickets are not real
	Other     gangway.Environment // where it can be opened instead; empty when that is not asked
}

// A toCorrect is somebody of whom something was missing or malformed.
type toCorrect struct {
	Member int
	Name   string
	Words  []string
}

// LandingOf asks for the environment as long as nobody is booked.
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
