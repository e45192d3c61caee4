package crew

import (
	"net/http"
	"strconv"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A memberPage corrects or completes what a customer's system sent about one member of a
// search: who they are, where they have to go and when.
type memberPage struct {
	flights.BookForm
	Search   string // its id
	Member   int
	Side     gangway.Side
	Warnings []string
	Ticket   string // the name on the ticket, where it differs
}

// Member shows what is known of one member of a search, for correction.
func (room *Room) Member(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	s, n, err := searchMember(r, in)
	if err != nil {
		return err
	}
	f := flights.BookForm{Legs: make([]flights.BookLeg, 1), When: "depart",
		Hand: flights.HandOf(s.Members[n].Traveller)}
	f.Wrong = map[string]string{}
	for _, problem := range s.Members[n].Traveller.TicketProblems(room.desk.LongestName(r.Context(), in)) {
		*f.Hand.OnTicket(problem.Field) = problem.Cut
		f.Wrong[flights.TicketField[problem.Field]] = flights.NameSentence(problem)
	}
	f.Fill(gangway.Search{Members: s.Members[n : n+1]})
	return room.showMember(w, r, s, n, f, http.StatusOK)
}

func (room *Room) showMember(w http.ResponseWriter, r *http.Request, s gangway.Search, n int, f flights.BookForm,
	status int) error {
	m := s.Members[n]
	p := memberPage{BookForm: f, Search: s.ID, Member: n, Side: m.Side, Warnings: m.Warnings,
		Ticket: flights.TicketWords(f.Hand.Traveller())}
	p.Hand.DocNumber, p.HidesDoc = flights.MaskedNumber(f.Hand.DocNumber, m.Traveller.DocNumber,
		flights.WantsDocument(r))
	answer := "Nothing is missing"
	switch fields := shell.Plural(len(f.Wrong), "field", "fields") + " to complete"; {
	case len(m.Warnings) > 0 && len(f.Wrong) > 0:
		answer = shell.Plural(len(m.Warnings), "field", "fields") + " to correct by hand, " + fields
	case len(m.Warnings) > 0:
		answer = shell.Plural(len(m.Warnings), "field", "fields") + " to correct by hand"
	case len(f.Wrong) > 0:
		answer = fields
	}
	title := m.Traveller.LastName + ", " + m.Traveller.FirstName
	return room.Show(w, r, shell.Page{Template: "member", Section: "book", Title: title, Answer: answer, Status: status,
		Data: p})
}

// CorrectMember keeps the corrections and goes back to the search, which searches for the
// member's flights again.
func (room *Room) CorrectMember(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	s, n, err := searchMember(r, in)
	if err != nil {
		return err
	}
	f := room.flights.ReadBookForm(r)
	f.Hand.DocNumber = flights.UnmaskedNumber(f.Hand.DocNumber, s.Members[n].Traveller.DocNumber)
	if flights.WantsDocument(r) {
		if err := room.flights.RecordShown(r, in, s, n, f.Hand.DocNumber); err != nil {
			return err
		}
		return room.showMember(w, r, s, n, f, http.StatusOK)
	}
	if f.Step(r.PostFormValue("step"), r.PostFormValue("choose")) {
		return room.showMember(w, r, s, n, f, http.StatusOK)
	}
	t, legs := f.ReadByHand(), f.ReadLegs()
	f.CheckTicket(room.desk.LongestName(r.Context(), in))
	if len(f.Wrong) > 0 {
		return room.showMember(w, r, s, n, f, http.StatusUnprocessableEntity)
	}
	s, err = in.UpdateSearch(r.Context(), s.ID, func(s *gangway.Search) error {
		m := &s.Members[n]
		t = t.KeepUnasked(m.Traveller)
		m.Traveller, m.Legs, m.Warnings = t, legs, nil
		return nil
	})
	if err != nil {
		return err
	}
	room.Sessions.SetFlash(r.Context(), t.LastName+", "+t.FirstName+" was corrected.")
	return room.Redirect(w, r, "/searches/"+s.ID)
}

// searchMember returns the search and the position of the member that the address names.
func searchMember(r *http.Request, in store.Scoped) (gangway.Search, int, error) {
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return s, 0, err
	}
	n, err := strconv.Atoi(r.PathValue("member"))
	if err != nil || n < 0 || n >= len(s.Members) {
		return s, 0, gangway.Errorf(gangway.NotFound, "this search has no such traveller")
	}
	return s, n, nil
}
