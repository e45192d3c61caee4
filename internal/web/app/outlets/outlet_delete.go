package outlets

import (
	"net/http"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// An outletDeletePage asks whether to delete an outlet, and says what would be lost.
type outletDeletePage struct {
	outletStanding
	Wrong string // what was typed in place of its name
}

// Lost reports whether deliveries wait or are parked, which would be lost.
func (p outletDeletePage) Lost() bool { return p.Waiting+p.Parked > 0 }

// AskDeleteOutlet asks before an outlet is deleted.
func (room *Room) AskDeleteOutlet(w http.ResponseWriter, r *http.Request, in store.Scoped, o gangway.Outlet) error {
	return room.showDelete(w, r, in, o, "", 0)
}

func (room *Room) showDelete(w http.ResponseWriter, r *http.Request, in store.Scoped, o gangway.Outlet, wrong string,
	status int) (err error) {
	p := outletDeletePage{Wrong: wrong}
	if p.outletStanding, err = room.standing(r.Context(), in, o); err != nil {
		return err
	}
	return room.Show(w, r, shell.Page{Template: "outlet_delete", Section: "settings", Title: "Delete outlet " + o.Name,
		Answer: outletKind(o.Transport.Kind) + " · " + o.Address(), Data: p, Status: status})
}

// DeleteOutlet deletes an outlet: one at which something waits or is parked only if its name was typed.
func (room *Room) DeleteOutlet(w http.ResponseWriter, r *http.Request, in store.Scoped, o gangway.Outlet) error {
	typed := strings.TrimSpace(r.PostFormValue("typed"))
	if typed != "" && typed != o.Name {
		return room.showDelete(w, r, in, o, "That is not the outlet’s name.", http.StatusUnprocessableEntity)
	}
	done, err := room.CarryOut(r, in, func(r *http.Request) (shell.Done, error) {
		lost, err := in.DeleteOutlet(r.Context(), room.Actor(r), o.ID, typed == o.Name, room.Now())
		said := "Outlet " + o.Name + " was deleted."
		if n := lost.Waiting + lost.Parked; n > 0 {
			said += " " + shell.Plural(n, "delivery was", "deliveries were") + " lost; your programs can still pull " +
				"them."
		}
		return shell.Done{To: outletsPath, Said: said}, err
	})
	if gangway.KindOf(err) == gangway.Conflict {
		return room.showDelete(w, r, in, o, "", http.StatusConflict)
	}
	if err != nil {
		return err
	}
	return room.Finish(w, r, done)
}
