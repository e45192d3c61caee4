package report

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A savedView is a link to a report that somebody has saved.
type savedView struct {
	gangway.ReportView
	Address string     // its query
	Mine    bool       // whoever looks may replace and delete it
	On      bool       // it is what is shown
	Mails   url.Values // of the page where to mail it is chosen; nil: nobody mails
}

// views are the saved views of the account.
func (room *Room) views(r *http.Request, in store.Scoped, p reportPage) (list []savedView, err error) {
	all, err := in.ReportViews(r.Context())
	v, _ := shell.VisitorOf(r.Context())
	now := p.saved()
	for _, view := range all {
		mails := map[bool]url.Values{true: {"view": {view.Name}}}[room.mails]
		list = append(list, savedView{view, "/report?" + view.Query, view.MayChange(v.User.Email, v.User.Role) == nil,
			view.Query == now, mails})
	}
	return list, err
}

// saved is the query of the page as a view keeps it: usual days move on with the calendar.
func (p reportPage) saved() string {
	q := p.with(nil)
	for _, period := range p.Periods {
		if period.On {
			q.Del("from")
			q.Del("to")
			q.Set("period", period.key)
			break
		}
	}
	return q.Encode()
}

// errViewTaken says that there is a view of a name, which is replaced only when somebody says so.
var errViewTaken = gangway.Errorf(gangway.Conflict, "there is a view of this name")

// SaveView saves the report under a name, for everybody who works in the account.
func (room *Room) SaveView(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	q := url.Values{}
	for name, values := range r.PostForm {
		if name != "view" && name != "replace" {
			q[name] = values
		}
	}
	p := newReportPage(q, gangway.DateOf(room.Now().UTC()))
	if len(p.Wrong) > 0 {
		return room.Redirect(w, r, "/report?"+q.Encode()) // which says what is wrong
	}
	visitor, _ := shell.VisitorOf(r.Context())
	view := gangway.ReportView{Name: strings.TrimSpace(r.PostFormValue("view")), Query: p.saved(), At: room.Now()}
	if err := view.Check(); err != nil {
		return err
	}
	err := in.SaveReportView(r.Context(), room.Actor(r), view, func(old gangway.ReportView) error {
		if r.PostFormValue("replace") == "" {
			return errViewTaken
		}
		return old.MayChange(visitor.User.Email, visitor.User.Role)
	})
	if errors.Is(err, errViewTaken) {
		return room.Redirect(w, r, "/report?"+p.with(url.Values{"taken": {view.Name}}).Encode())
	}
	if err != nil {
		return err
	}
	room.Sessions.SetFlash(r.Context(), "Saved as “"+view.Name+"”, for everybody in this account.")
	return room.Redirect(w, r, "/report?"+view.Query)
}

// DeleteView deletes a saved view.
func (room *Room) DeleteView(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	visitor, _ := shell.VisitorOf(r.Context())
	name := r.PostFormValue("view")
	err := in.DeleteReportView(r.Context(), room.Actor(r), name, room.Now(), func(old gangway.ReportView) error {
		return old.MayChange(visitor.User.Email, visitor.User.Role)
	})
	if err != nil {
		return err
	}
	room.Sessions.SetFlash(r.Context(), "The view “"+name+"” was deleted.")
	return room.Redirect(w, r, "/report")
}
