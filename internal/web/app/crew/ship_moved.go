package crew

import (
	"cmp"
	"context"
	"slices"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// madeForField names the form field with the plan that the page was made for.
const madeForField = "for"

// whyOtherwise says why a form's plan is no longer that of the search.
func (room *Room) whyOtherwise(ctx context.Context, in store.Scoped, id string, why flights.OtherPlan) string {
	s, err := in.Search(ctx, id)
	if why == flights.OtherRoute || err != nil {
		return "What is looked for was changed meanwhile."
	}
	planned, err := book.PlannedFor(ctx, in, s)
	if err != nil {
		return "The ship was moved meanwhile."
	}
	return room.movedWords(ctx, in, s, planned)
}

// movedWords says where and when the ship is now and, where known, who moved it there.
func (room *Room) movedWords(ctx context.Context, in store.Scoped, s gangway.Search, p book.Planned) string {
	now := "it is now " + whereWhen(p.Place, p.Date) + "."
	if by := moverOf(ctx, in, s, p); by != "" {
		return room.NameOf(ctx, by) + " moved the ship meanwhile: " + now
	}
	return "The ship was moved meanwhile: " + now
}

// moverOf returns who moved the ship to the plan's port and day, from this search or from
// another one for the same crew change.
func moverOf(ctx context.Context, in store.Scoped, s gangway.Search, p book.Planned) string {
	if s.Moved != nil && s.Airport == p.Place && s.Date == p.Date {
		return s.Moved.By
	}
	if s.Change == "" {
		return ""
	}
	c, err := in.CrewChange(ctx, s.Change)
	if err != nil || c.Moved == nil || c.Moved.Place != p.Place || c.Moved.Date != p.Date {
		return ""
	}
	return c.Moved.By
}

// lostChoice returns the name of the person whose choice for a member is no longer good,
// because the flight is not offered any more or does not reach the ship where it is now.
func lostChoice(v flights.SearchView, member int, choices []plan.Choice) string {
	m, f := v.Members[member], v.Found.Members[member]
	if m.Chosen == "" || !f.Done || f.Err != nil {
		return ""
	}
	key := v.Chosen(member, choices)
	if slices.ContainsFunc(choices, func(c plan.Choice) bool { return c.Key == key }) {
		return ""
	}
	return cmp.Or(v.Choosers[m.ChosenBy], "somebody")
}

// A carriedNews says that the ship was moved and what happened to the flights that were chosen before.
type carriedNews struct {
	Mover, Was, Now string
	Open, Kept      int      // how many are looked for again, and stay chosen
	Dropped         int      // how many do not reach the ship or are not offered any more
	Whose           []string // who had chosen those: "2 by Ingrid Holm"
}

// carriedNewsOf returns nil where all flights chosen before stay or were chosen again since.
func carriedNewsOf(v flights.SearchView, sides []crewSide) *carriedNews {
	n, lost := carriedNews{}, map[string]int{}
	for _, side := range sides {
		for _, row := range side.Rows {
			switch m := v.Members[row.Member]; {
			case !m.Carried || row.State == rowBooked || row.Unneeded:
			case row.Lost != "":
				lost[row.Lost]++
				n.Dropped++
			case row.Chosen:
				n.Kept++
			case !v.Found.Members[row.Member].Done:
				n.Open++
			}
		}
	}
	if v.Moved == nil || n.Dropped == 0 && n.Open == 0 {
		return nil
	}
	n.Mover, n.Was, n.Now = v.Mover, whereWhen(v.Moved.Place, v.Moved.Date), whereWhen(v.Airport, v.Date)
	for name, of := range lost {
		n.Whose = append(n.Whose, shell.Number(of)+" by "+name)
	}
	slices.Sort(n.Whose)
	return &n
}
