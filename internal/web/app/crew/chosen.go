package crew

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// Several people may work on one crew change. Forms carry the flights that were chosen
// when their page was made, so that nobody overrides or ignores another person's later
// choice without being told.

// seenField names the form field with the choice that the page showed for a member.
const seenField = "seen"

// chosenSince reports whether the flights chosen for m are neither those that the page
// showed nor those that the form asks for.
func chosenSince(m gangway.SearchMember, seen, asked string) bool {
	return m.Chosen != seen && m.Chosen != asked && m.Chosen != ""
}

// whoChose says for whom other flights were chosen meanwhile, in one sentence for each
// person who chose.
func (room *Room) whoChose(ctx context.Context, members []gangway.SearchMember) string {
	var by []string
	names := map[string][]string{}
	for _, m := range members {
		if names[m.ChosenBy] == nil {
			by = append(by, m.ChosenBy)
		}
		names[m.ChosenBy] = append(names[m.ChosenBy], m.Traveller.LastName+", "+m.Traveller.FirstName)
	}
	var sentences []string
	for _, email := range by {
		who := cmp.Or(room.NameOf(ctx, email), "Somebody")
		sentences = append(sentences, who+" chose another flight for "+strings.Join(names[email], " and for ")+
			" meanwhile: look once more.")
	}
	return strings.Join(sentences, " ")
}

// ChooseFlight keeps the flight that a booker chose for one person, unless somebody has
// chosen another one since the page was made, or the plan has changed.
func (room *Room) ChooseFlight(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	planned, err := book.PlannedFor(r.Context(), in, s)
	if err != nil {
		return err
	}
	var overtaken []gangway.SearchMember
	var otherwise flights.OtherPlan
	choose := func(s *gangway.Search, member int) error {
		if otherwise = flights.MadeFor(planned, *s, member).Than(r.PostFormValue(madeForField)); otherwise != "" {
			return gangway.Errorf(gangway.Conflict, "this was looked for on another plan")
		}
		m, key := &s.Members[member], r.PostFormValue("key")
		if chosenSince(*m, r.PostFormValue(seenField), key) {
			overtaken = []gangway.SearchMember{*m}
			return gangway.Errorf(gangway.Conflict, "another flight was chosen meanwhile")
		}
		m.Chosen, m.ChosenBy, m.Carried = key, v.User.Email, false
		return nil
	}
	err = room.correct(w, r, in, choose)
	switch {
	case otherwise != "":
		return room.showOvertaken(w, r, in, room.whyOtherwise(r.Context(), in, s.ID, otherwise)+
			" Nothing was chosen: choose among the flights as they are now.")
	case len(overtaken) > 0:
		return room.showOvertaken(w, r, in, room.whoChose(r.Context(), overtaken)+" Nothing was changed.")
	}
	return err
}

// showOvertaken shows the crew change as it is now, and who made the other choice.
func (room *Room) showOvertaken(w http.ResponseWriter, r *http.Request, in store.Scoped, words string) error {
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	p, _, err := room.readCrewPage(r.Context(), in, s, room.searches.Of(in, s, false), queryOf(r))
	if err != nil {
		return err
	}
	p.Overtaken = words
	shown := p.page()
	shown.Status = http.StatusConflict
	return room.Show(w, r, shown)
}
