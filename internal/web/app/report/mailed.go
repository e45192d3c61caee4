package report

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"slices"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/web/app/shell"
)

// mostMailed is how large a workbook may be that is mailed: many servers take no more than 10 MB with its encoding.
const mostMailed = 7 << 20

// errTooLarge says that a workbook cannot be mailed.
var errTooLarge = gangway.Errorf(gangway.Invalid, "it is larger than the %d MB that can be mailed", mostMailed>>20)

// A letterFile is a file that is small enough to be mailed.
type letterFile struct{ bytes.Buffer }

// Write implements io.Writer.
func (f *letterFile) Write(p []byte) (int, error) {
	if f.Len()+len(p) > mostMailed {
		return 0, errTooLarge
	}
	return f.Buffer.Write(p)
}

// Workbook makes the workbook of a view that is mailed to somebody, with periods as they were on a day.
func (room *Room) Workbook(ctx context.Context, in store.Scoped, to gangway.User, view gangway.ReportView,
	day gangway.Date) (file transport.Outgoing, err error) {
	q, err := url.ParseQuery(view.Query)
	c := readChoice(q, day)
	if err != nil || len(c.Wrong) > 0 {
		return file, gangway.Errorf(gangway.Invalid, "the view's filters make no sense any more")
	}
	v := shell.Visitor{User: gangway.User{Name: "Gangway"}}
	if v.Account, err = in.Account(ctx); err != nil {
		return file, err
	}
	rows, err := room.rowsOf(ctx, in, to.ID, c)
	if err != nil {
		return file, err
	}
	var body letterFile
	_, err = room.sendRows(ctx, &body, func() {}, v, c, excel, rows)
	return transport.Outgoing{Name: fileName(v.Account, c, gangway.DateOf(room.Now().UTC())) + "." + excel.ends,
		Type: excel.media, Body: body.Bytes()}, err
}

// A mailedPage is where somebody chooses to whom a view is mailed.
type mailedPage struct {
	View   gangway.ReportView
	People []gangway.User
	Cut    bool // there are more
	Sent   bool // there is a mail server
}

// mostListed is how many people are listed, besides those to whom the view is mailed.
const mostListed = 500

// MailedView shows to whom a view is mailed.
func (room *Room) MailedView(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	visitor, _ := shell.VisitorOf(r.Context())
	view, err := in.ReportView(r.Context(), r.FormValue("view"))
	if err == nil {
		err = view.MayChange(visitor.User.Email, visitor.User.Role)
	}
	if err != nil {
		return err
	}
	people, err := room.db.UsersAfter(r.Context(), visitor.Account.Customer.ID, "", mostListed)
	if err != nil {
		return err
	}
	p := mailedPage{View: view, People: people, Cut: len(people) == mostListed, Sent: room.mails}
	for _, id := range view.MailedTo {
		if !slices.ContainsFunc(people, func(u gangway.User) bool { return u.ID == id }) {
			u, err := room.db.User(r.Context(), id)
			if err != nil && gangway.KindOf(err) != gangway.NotFound {
				return err
			}
			p.People = append(p.People, u)
		}
	}
	p.People = slices.DeleteFunc(p.People, func(u gangway.User) bool { return !u.MaySignIn() })
	return room.Show(w, r, shell.Page{Template: "mailed", Section: "report", Title: "Report › Mail “" + view.Name + "”",
		Answer: "On the first of each month, as an Excel workbook", Data: p})
}

// MailView has a view be mailed to the people who are ticked.
func (room *Room) MailView(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	visitor, _ := shell.VisitorOf(r.Context())
	name, to := r.PostFormValue("view"), r.PostForm["person"]
	if !room.mails {
		return gangway.Errorf(gangway.Conflict, "no mail server is set up")
	}
	err := in.MailReportView(r.Context(), room.Actor(r), name, to, room.Now(), func(v gangway.ReportView) error {
		return v.MayChange(visitor.User.Email, visitor.User.Role)
	})
	if err != nil {
		return err
	}
	said := "“" + name + "” is mailed to nobody."
	if len(to) > 0 {
		said = "“" + name + "” is mailed to " + shell.Plural(len(to), "person", "people") + " on the first of a month."
	}
	room.Sessions.SetFlash(r.Context(), said)
	return room.Redirect(w, r, "/report")
}
