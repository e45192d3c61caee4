package people

import (
	"net/http"
	"net/url"
	"slices"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// peopleShown is how many people a page has.
const peopleShown = 50

// A peoplePage is a page of a customer's people, and whom its admins have invited.
type peoplePage struct {
	Rows    []gangway.User
	Invited []gangway.Invitation // on the first page
	Next    url.Values
	Later   bool // the page does not begin with the first person
}

const peoplePath = "/settings/people"

func personPath(id string) string { return peoplePath + "/" + url.PathEscape(id) }

// People lists the customer's people.
func (room *Room) People(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	after := r.FormValue("after")
	users, err := room.db.UsersAfter(r.Context(), v.User.Customer, after, peopleShown+1)
	if err != nil {
		return err
	}
	p := peoplePage{Rows: users, Later: after != ""}
	if len(users) > peopleShown {
		p.Rows = users[:peopleShown]
		p.Next = url.Values{"after": {p.Rows[peopleShown-1].Email}}
	}
	if !p.Later {
		if p.Invited, err = room.db.Invitations(r.Context(), v.User.Customer); err != nil {
			return err
		}
		p.Invited = slices.DeleteFunc(p.Invited, func(i gangway.Invitation) bool { return i.ID != "" })
	}
	return room.Show(w, r, shell.Page{Template: "people", Section: "settings", Title: "Settings › People",
		Answer: p.answer(), Data: p})
}

func (p peoplePage) answer() string {
	const about = "They work in both environments."
	if p.Later || p.Next != nil {
		return "By e-mail, " + shell.Number(peopleShown) + " a page. " + about
	}
	admins := 0
	for _, u := range p.Rows {
		if u.MaySignIn() && u.Role.May(gangway.ToAdminister) {
			admins++
		}
	}
	words := shell.Plural(len(p.Rows), "person", "people") + ", " + shell.Plural(admins, "admin", "admins")
	if n := len(p.Invited); n > 0 {
		words += ", " + shell.Number(n) + " invited"
	}
	return words + ". " + about
}

// A personPage is one of the customer's people.
type personPage struct {
	gangway.User
	Mails bool                 // there is a mail server
	Links []gangway.Invitation // that let somebody choose another password
	Wrong string
}

// person returns the customer's person whose page it is.
func (room *Room) person(r *http.Request) (gangway.User, error) {
	v, _ := shell.VisitorOf(r.Context())
	u, err := room.db.User(r.Context(), r.PathValue("person"))
	if err == nil && u.Customer != v.User.Customer {
		err = gangway.Errorf(gangway.NotFound, "there is no such user")
	}
	return u, err
}

// Person shows one of the customer's people.
func (room *Room) Person(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	u, err := room.person(r)
	if err != nil {
		return err
	}
	return room.showPerson(w, r, u, nil)
}

func (room *Room) showPerson(w http.ResponseWriter, r *http.Request, u gangway.User, refused error) error {
	p, status := personPage{User: u, Mails: room.mailer != nil}, http.StatusOK
	list, err := room.db.Invitations(r.Context(), u.Customer)
	if err != nil {
		return err
	}
	p.Links = slices.DeleteFunc(list, func(i gangway.Invitation) bool {
		return i.ID != u.ID || room.Now().After(i.Ends())
	})
	if refused != nil {
		p.Wrong, status = shell.SentenceOf(refused), http.StatusConflict
	}
	return room.Show(w, r, shell.Page{Template: "people_person", Section: "settings", Status: status,
		Title: "Settings › People › " + u.Name, Answer: u.Email, Data: p})
}

// A personChange is what an admin does to a person.
type personChange struct {
	event  gangway.AuditEvent
	change func(u *gangway.User, others []gangway.User) error // nil: the person is signed out everywhere
	said   string                                             // what came of it, after the name
	does   []string                                           // what to know before; none: it is not asked about
	button string
}

// changeOf returns the change that a form asks for.
func changeOf(do string, role gangway.Role, u gangway.User, self bool) (personChange, error) {
	switch do {
	case "role":
		c := personChange{event: gangway.UserRole, said: " works as " + string(role) + " from the next page on.",
			change: func(u *gangway.User, others []gangway.User) error { return u.SetRole(role, others) }}
		if self && role.May(gangway.ToBook) && !role.May(gangway.ToAdminister) {
			c.does = []string{"You cannot open Settings any more. Only another admin can undo it."}
			c.button = "Work as " + string(role)
		}
		return c, nil
	case "off":
		does := u.Name + " is signed out at once, in both environments, and cannot sign in until switched on again."
		if self {
			does = "You are signed out at once. Only another admin can switch you on again."
		}
		return personChange{event: gangway.UserDisabled, said: " is switched off and signed out everywhere.",
			change: (*gangway.User).Disable, button: "Switch off " + u.Name,
			does: []string{does, "Bookings, holds and what was done keep the name."}}, nil
	case "on":
		return personChange{event: gangway.UserEnabled, said: " can sign in, with the password as it was.",
			change: func(u *gangway.User, _ []gangway.User) error { u.Enable(); return nil }}, nil
	case "sign-out":
		return personChange{said: " is signed out everywhere."}, nil
	}
	return personChange{}, gangway.Errorf(gangway.Invalid, "do must be role, off, on, sign-out or password")
}

// ChangePerson changes a person's role, switches them off or on, signs them out, or lets them choose another password.
func (room *Room) ChangePerson(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	u, err := room.person(r)
	if err != nil {
		return err
	}
	v, _ := shell.VisitorOf(r.Context())
	do, role := r.PostFormValue("do"), gangway.Role(r.PostFormValue("role"))
	if do == "password" && u.MaySignIn() {
		return room.send(w, r, in, u)
	}
	c, err := changeOf(do, role, u, u.ID == v.User.ID)
	if err != nil {
		return err
	}
	if c.does != nil && r.PostFormValue("sure") == "" {
		return room.Show(w, r, shell.Page{Template: "people_ask", Section: "settings", Title: c.button + "?",
			Data: question{At: personPath(u.ID) + "/change", Back: personPath(u.ID), Does: c.does, Button: c.button,
				Fields: []shell.Link{{Path: "do", Words: do}, {Path: "role", Words: string(role)}}}})
	}
	done, err := room.CarryOut(r, in, func(r *http.Request) (shell.Done, error) {
		return shell.Done{To: personPath(u.ID), Said: u.Name + c.said}, room.change(r, u, c)
	})
	switch kind := gangway.KindOf(err); {
	case err == nil:
	case kind == gangway.Conflict, kind == gangway.Invalid:
		return room.showPerson(w, r, u, err)
	default:
		return err
	}
	if u.ID == v.User.ID && role != "" && !role.May(gangway.ToAdminister) {
		done.To = "/"
	}
	return room.Finish(w, r, done)
}

func (room *Room) change(r *http.Request, u gangway.User, c personChange) error {
	if c.change == nil {
		return room.db.EndSessions(r.Context(), room.Actor(r), u.Customer, u.Email, room.Now())
	}
	_, err := room.db.UpdateUser(r.Context(), room.Actor(r), u.Customer, u.Email, c.event, room.Now(), c.change)
	return err
}

// Roles are those that somebody may have, with what each lets them do.
func (personPage) Roles() []shell.Option { return roles }

var roles = []shell.Option{
	{Value: string(gangway.Booker), Words: "Booker: books, issues, changes, cancels"},
	{Value: string(gangway.Approver), Words: "Approver: also approves and declines"},
	{Value: string(gangway.Admin), Words: "Admin: also settings, people and keys"},
}

// knownRole is role, or that of most people where it is none.
func knownRole(role string) gangway.Role {
	if slices.ContainsFunc(roles, func(o shell.Option) bool { return o.Value == role }) {
		return gangway.Role(role)
	}
	return gangway.Booker
}
