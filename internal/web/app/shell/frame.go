package shell

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"gangway"
)

// A frame is what stands around every page.
type frame struct {
	Page
	Theme       string // "light", "dark" or, to follow the system, empty
	Path        string // the page's own address, to come back to
	SignedIn    bool
	Customer    string
	Development bool
	Simulated   bool // tickets are not real, though this is production
	Name, Email string
	Initials    string
	Role        gangway.Role
	Settings    []Link   // for those who look after the account
	Notice      string   // what was done on the page before
	Troubles    []string // with the way out, for an admin
	Find        Find
	Found       string // what was looked for, in the search field
	Sections    []entry
}

func (sh *Shell) frame(r *http.Request, p Page) (frame, error) {
	f := frame{Page: p, Theme: theme(r), Path: r.URL.RequestURI()}
	if r.Method != http.MethodGet {
		f.Path = "/"
	}
	v, ok := VisitorOf(r.Context())
	if !ok {
		return f, nil
	}
	f.SignedIn = true
	f.Customer = v.Account.Customer.Name
	f.Development = v.Account.Environment == gangway.Development
	var err error
	if f.Simulated, err = sh.Simulated(r.Context(), v.Account, p.Booking); err != nil {
		return f, err
	}
	f.Name, f.Email, f.Role = v.User.Name, v.User.Email, v.User.Role
	if f.Name == "" {
		f.Name, _, _ = strings.Cut(v.User.Email, "@")
	}
	f.Initials = initials(f.Name)
	if f.Role.May(gangway.ToAdminister) {
		f.Settings = sh.navigation.Settings
	}
	f.Notice = sh.Sessions.TakeFlash(r.Context())
	f.Find, f.Found = sh.navigation.Find, r.URL.Query().Get("find")
	if f.Role == gangway.Admin {
		if f.Troubles, err = sh.troubles(r.Context(), v.Account); err != nil {
			return f, err
		}
	}
	waits, err := sh.db.In(v.Account.Scope()).Waits(r.Context())
	f.Sections = sh.navigation.entries(waits, v.User.Role, p.Section)
	return f, err
}

// Simulated reports whether a page of production has to say that its tickets
// are not real: its booking's, where it is about one, and else those that the
// account would book. Development says of itself that nothing is real.
func (sh *Shell) Simulated(ctx context.Context, account gangway.Account, b *gangway.Booking) (bool, error) {
	switch {
	case account.Environment == gangway.Development:
		return false, nil
	case b != nil:
		return b.NotReal(), nil
	}
	return sh.simulates(ctx, sh.db.In(account.Scope()))
}

// unwell is how long an outlet may fail before its admins are told: shorter
// breaks repair themselves.
const unwell = time.Hour

// troubles says in sentences which of the account's bookings do not reach the
// customer's system.
//
// Decided: docs/choices.md, "Push (B5)".
func (sh *Shell) troubles(ctx context.Context, account gangway.Account) ([]string, error) {
	outlets, err := sh.db.In(account.Scope()).Outlets(ctx)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, o := range outlets {
		switch {
		case o.Off:
			list = append(list, fmt.Sprintf("Bookings are not delivered to %s: %s. They wait, and nothing is lost; "+
				"gangway outlet set switches it on again.", o.URL, o.OffReason))
		case !o.FailingSince.IsZero() && sh.Now().Sub(o.FailingSince) >= unwell:
			list = append(list, fmt.Sprintf("Bookings have not reached %s since %s. They are tried again every "+
				"minute, and nothing is lost.", o.URL, o.FailingSince.UTC().Format("2 Jan 15:04 UTC")))
		}
	}
	return list, nil
}

func initials(name string) string {
	var out []rune
	for word := range strings.FieldsSeq(name) {
		out = append(out, []rune(word)[0])
	}
	if len(out) > 2 {
		out = []rune{out[0], out[len(out)-1]}
	}
	return strings.ToUpper(string(out))
}

// themeCookie keeps how the reader wants the pages to look; it belongs to the browser and not
// to the session, so that the sign-in page looks the same.
const themeCookie = "theme"

func theme(r *http.Request) string {
	if c, err := r.Cookie(themeCookie); err == nil && (c.Value == "light" || c.Value == "dark") {
		return c.Value
	}
	return ""
}

// Appearance switches between light, dark and what the system says.
func (sh *Shell) Appearance(w http.ResponseWriter, r *http.Request) error {
	c := &http.Cookie{
		Name: themeCookie, Value: r.FormValue("theme"), Path: "/", MaxAge: 365 * 24 * 3600,
		HttpOnly: true, Secure: sh.secure, SameSite: http.SameSiteLaxMode,
	}
	if c.Value != "light" && c.Value != "dark" {
		c.Value, c.MaxAge = "", -1
	}
	http.SetCookie(w, c)
	return sh.Redirect(w, r, Local(r.FormValue("back")))
}

// Local returns to when it is a path of ours, and the first page otherwise, so
// that no link of somebody else's can send a user away after signing in.
func Local(to string) string {
	if !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
		return "/"
	}
	return to
}
