package app

import (
	"net/http"
	"strconv"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// A memberPage mends what a customer's system left out about one member of a
// search: who she is, where she has to go and when.
type memberPage struct {
	bookForm
	Search    string // its id
	Member    int
	Side      gangway.Side
	Warnings  []string
	Ticket    string // the name on the ticket, where it is another
	Countries []world.Country
}

func (a *App) member(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	s, n, err := searchMember(r, in)
	if err != nil {
		return err
	}
	f := bookForm{Legs: make([]bookLeg, 1), When: "depart", Hand: handOf(s.Members[n].Traveller)}
	f.Wrong = map[string]string{}
	for _, problem := range s.Members[n].Traveller.TicketProblems(a.desk.LongestName(r.Context(), in)) {
		*f.Hand.onTicket(problem.Field) = problem.Cut
		f.Wrong[ticketField[problem.Field]] = nameSentence(problem)
	}
	f.fill(gangway.Search{Members: s.Members[n : n+1]})
	return a.showMember(w, r, s, n, f, http.StatusOK)
}

func (a *App) showMember(w http.ResponseWriter, r *http.Request, s gangway.Search, n int, f bookForm, status int) error {
	m := s.Members[n]
	p := memberPage{bookForm: f, Search: s.ID, Member: n, Side: m.Side, Warnings: m.Warnings, Ticket: ticketWords(f.Hand.traveller()), Countries: world.Countries()}
	p.Hand.DocNumber, p.HidesDoc = maskedNumber(f.Hand.DocNumber, m.Traveller.DocNumber, wantsDocument(r))
	answer := "Nothing is missing"
	switch fields := shell.Plural(len(f.Wrong), "field", "fields") + " to complete"; {
	case len(m.Warnings) > 0 && len(f.Wrong) > 0:
		answer = shell.Plural(len(m.Warnings), "thing", "things") + " to mend by hand, " + fields
	case len(m.Warnings) > 0:
		answer = shell.Plural(len(m.Warnings), "thing", "things") + " to mend by hand"
	case len(f.Wrong) > 0:
		answer = fields
	}
	title := m.Traveller.LastName + ", " + m.Traveller.FirstName
	return a.Show(w, r, shell.Page{Template: "member", Section: "book", Title: title, Answer: answer, Status: status, Data: p})
}

// mendMember keeps what was mended and goes back to the search, which looks
// for her flights anew.
func (a *App) mendMember(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	s, n, err := searchMember(r, in)
	if err != nil {
		return err
	}
	f := readBookForm(r)
	f.Hand.DocNumber = unmaskedNumber(f.Hand.DocNumber, s.Members[n].Traveller.DocNumber)
	if wantsDocument(r) {
		if err := a.recordShown(r, in, s, n, f.Hand.DocNumber); err != nil {
			return err
		}
		return a.showMember(w, r, s, n, f, http.StatusOK)
	}
	if f.step(r.PostFormValue("step"), r.PostFormValue("choose")) {
		return a.showMember(w, r, s, n, f, http.StatusOK)
	}
	t, legs := f.byHand(), f.legs()
	f.checkTicket(a.desk.LongestName(r.Context(), in))
	if len(f.Wrong) > 0 {
		return a.showMember(w, r, s, n, f, http.StatusUnprocessableEntity)
	}
	s, err = in.UpdateSearch(r.Context(), s.ID, func(s *gangway.Search) error {
		m := &s.Members[n]
		t.ID, t.HomeAirport, t.Extra = m.Traveller.ID, m.Traveller.HomeAirport, m.Traveller.Extra
		m.Traveller, m.Legs, m.Warnings = t, legs, nil
		return nil
	})
	if err != nil {
		return err
	}
	a.Sessions.Tell(r.Context(), t.LastName+", "+t.FirstName+" is mended.")
	return a.Redirect(w, r, "/searches/"+s.ID)
}

// checkTicket notes what no ticket can have of the names that were typed for it.
// Nobody has to type one here: flights can be looked for without.
func (f *bookForm) checkTicket(longest int) {
	for _, problem := range f.Hand.traveller().TicketProblems(longest) {
		if *f.Hand.onTicket(problem.Field) != "" {
			f.Wrong[ticketField[problem.Field]] = nameSentence(problem)
		}
	}
}

// searchMember returns the search of the address and the position of the
// member that it names.
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

// handOf writes a traveller into the fields for details typed by hand.
func handOf(t gangway.Traveller) hand {
	return hand{
		LastName: t.LastName, FirstName: t.FirstName, DOB: string(t.DOB), Gender: t.Gender, Nationality: string(t.Nationality),
		DocCountry: string(t.DocCountry), DocNumber: t.DocNumber, DocExpire: string(t.DocExpire), Email: t.Email, Phone: t.Phone,
		FrequentFlyer: t.FrequentFlyer.String(),
		TicketLast:    t.OnTicket.Last, TicketFirst: t.OnTicket.First,
	}
}
