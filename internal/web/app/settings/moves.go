package settings

import (
	"net/http"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

const movesPath = "/settings/moves"

// A movesPage is what moves of crew changes may cost without anybody's approval.
type movesPage struct {
	gangway.MoveLimit
	Holds                    bool
	PersonTyped, ChangeTyped string
	UntilTyped, First        string
	Wrong                    string
}

// Moves shows the limit for moves in advance.
func (room *Room) Moves(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	l := shell.Settings(r.Context()).Moves
	p := movesPage{}
	if l.ID != "" {
		p.PersonTyped, p.UntilTyped = l.Person.Decimal()+" "+l.Person.Currency, string(l.Until)
		p.ChangeTyped = l.Change.Decimal() + " " + l.Change.Currency
	}
	return room.showMoves(w, r, in, p, http.StatusOK)
}

func (room *Room) showMoves(w http.ResponseWriter, r *http.Request, in store.Scoped, p movesPage, status int) error {
	s := shell.Settings(r.Context())
	today := gangway.DateOf(in.Now(room.Now()).UTC())
	p.MoveLimit, p.Holds, p.First = s.Moves, s.Moves.Holds(today), string(today)
	answer := "No limit: the approval policy applies"
	switch {
	case p.Holds:
		answer = shell.Amount(p.Person) + " per person, " + shell.Amount(p.Change) + " per crew change, until " +
			p.Until.In(time.UTC).Format("Mon 2 Jan 2006")
	case p.ID != "":
		answer = "Ended on " + p.Until.In(time.UTC).Format("Mon 2 Jan 2006")
	}
	if s.Approval.Mode == gangway.ApproveNone {
		answer = "Nothing needs approval in this account"
	}
	return room.Show(w, r, shell.Page{Template: "moves", Section: "settings", Status: status, Data: p, Answer: answer,
		Title: "Settings › Moves without approval"})
}

// SaveMoves sets the limit, or ends it. What was spent of another one does not count for it.
func (room *Room) SaveMoves(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := movesPage{PersonTyped: r.PostFormValue("person"), ChangeTyped: r.PostFormValue("change"),
		UntilTyped: r.PostFormValue("until")}
	v, _ := shell.VisitorOf(r.Context())
	limit, said := gangway.MoveLimit{}, "The limit has ended. The approval policy applies."
	if r.PostFormValue("do") != "end" {
		var err error
		limit, err = gangway.NewMoveLimit(book.NewID(), v.User.Email, p.PersonTyped, p.ChangeTyped, p.UntilTyped,
			gangway.DateOf(in.Now(room.Now()).UTC()))
		if err != nil {
			p.Wrong = shell.SentenceOf(err)
			return room.showMoves(w, r, in, p, http.StatusUnprocessableEntity)
		}
		said = "Moves within the limit need no approval."
	}
	done, err := room.CarryOut(r, in, func(r *http.Request) (shell.Done, error) {
		_, err := in.UpdateSettings(r.Context(), room.Actor(r), room.Now(), func(s *gangway.Settings) error {
			if s.Moves.ID != r.PostFormValue("was") {
				return gangway.Errorf(gangway.Conflict, "somebody has changed the limit since you opened the page")
			}
			s.Moves = limit
			return nil
		})
		return shell.Done{To: movesPath, Said: said}, err
	})
	if gangway.KindOf(err) == gangway.Conflict {
		p.Wrong = shell.SentenceOf(err)
		return room.showMoves(w, r, in, p, http.StatusConflict)
	}
	if err != nil {
		return err
	}
	return room.Finish(w, r, done)
}
