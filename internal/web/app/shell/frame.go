package shell

import (
	"context"
	"net/http"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// A frame is the part around every page.
type frame struct {
	Page
	Theme       string // "light", "dark" or, to follow the system, empty
	Keys        bool   // single letters do something
	Path        string // the page's own address, to come back to
	SignedIn    bool
	Customer    string
	Development bool
	Stripe      Stripe
	Name, Email string
	Initials    string
	Role        gangway.Role
	Settings    []settingsLink // for admins of the account
	Notice      string         // what the form on the page before did
	News        []News         // of the account
	LeftScale   leftScale
	Ahead       int64 // of the account's clock, in milliseconds
	Find        Find
	Found       string // the text of the search that the page shows
	Sections    []entry
	Live        bool   // what the page shows changes while it is open
	Mark        string // for whom it was opened
	Since       string // the news that it shows
	AsOf        time.Time
}

func (sh *Shell) frame(r *http.Request, p Page) (frame, error) {
	f := frame{Page: p, Theme: theme(r), Keys: !keysOff(r), Path: r.URL.RequestURI(), LeftScale: timeLeftScale}
	if r.Method != http.MethodGet {
		f.Path = "/"
	}
	v, ok := VisitorOf(r.Context())
	if !ok {
		if p.Stripe != nil {
			f.Stripe = *p.Stripe
		}
		return f, nil
	}
	f.SignedIn = true
	f.Customer = v.Account.Customer.Name
	f.Ahead = v.Account.Ahead.Milliseconds()
	f.Development = v.Account.Environment == gangway.Development
	var err error
	if f.Stripe, err = sh.stripe(r.Context(), v, p); err != nil {
		return f, err
	}
	if f.Role = v.User.Role; f.Role.May(gangway.ToAdminister) {
		f.Settings = sh.navigation.settings(r.URL.Path)
	}
	if v.rendering == nil {
		sh.person(r, v, &f)
	}
	if f.Find = sh.navigation.Find; r.URL.Path == f.Find.Path { // other lists have a search of their own
		f.Found = r.URL.Query().Get("find")
	}
	if sh.news != nil {
		if f.News, err = sh.news(r.Context(), v, p.Section, r.URL.Path); err != nil {
			return f, err
		}
	}
	if p.Waits == nil {
		now := v.Account.Scope().Now(sh.Now())
		counted, failed := sh.db.In(v.Account.Scope()).Waits(r.Context(), now, v.DutyEnds(now))
		p.Waits, err = &counted, failed
	}
	f.Sections = sh.navigation.entries(*p.Waits, v.User.Role, p.Section)
	return f, err
}

// person fills in what only the reader sees.
func (sh *Shell) person(r *http.Request, v Visitor, f *frame) {
	f.Name, f.Email = v.User.Name, v.User.Email
	if f.Name == "" {
		f.Name, _, _ = strings.Cut(v.User.Email, "@")
	}
	f.Initials = initials(f.Name)
	f.Notice = sh.Sessions.TakeFlash(r.Context())
	f.Live = r.Context().Value(inTurnKey{}) != nil && r.Method == http.MethodGet &&
		(f.Status == 0 || f.Status == http.StatusOK)
	f.Mark, f.Since, f.AsOf = sh.mark(v), v.news.String(), v.Account.Scope().Now(sh.Now())
}

// News is something of the account that its people are told at the top of pages.
type News struct {
	Good       bool   // nothing has to be done
	Words      string // and what to do about it
	Path, Link string // where more is to be seen, and the words that lead there
	Of         string // what Link is about, for those who hear it without Words; empty: it says that itself
}

// A Stripe is a line across the top of a page that says what is true of all that it shows.
type Stripe struct{ Label, Words string }

// DevelopmentStripe is that of an account in development.
var DevelopmentStripe = Stripe{"Environment", "Development: nothing here is real"}

// stripe is the environment's own, else the page's, else the account's.
func (sh *Shell) stripe(ctx context.Context, v Visitor, p Page) (Stripe, error) {
	switch {
	case v.Account.Environment == gangway.Development:
		s := DevelopmentStripe
		if v.Account.Ahead > 0 {
			s.Words += ", and its clock says " + v.Account.Scope().Now(sh.Now()).UTC().Format(FullUTC)
		}
		return s, nil
	case p.Stripe != nil:
		return *p.Stripe, nil
	case sh.accountStripe == nil:
		return Stripe{}, nil
	}
	return sh.accountStripe(ctx, v)
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

// themeCookie and keysCookie keep the reader's choice of light or dark, and of keys. They belong to the browser and not
// to the session, so that the sign-in page looks the same.
const (
	themeCookie = "theme"
	keysCookie  = "keys"
)

func theme(r *http.Request) string {
	if c, err := r.Cookie(themeCookie); err == nil && (c.Value == "light" || c.Value == "dark") {
		return c.Value
	}
	return ""
}

// keysOff reports whether the reader wants single letters to do nothing.
func keysOff(r *http.Request) bool {
	c, err := r.Cookie(keysCookie)
	return err == nil && c.Value == "off"
}

// Appearance switches between light, dark and the system's own setting, or the single-letter keys on or off.
func (sh *Shell) Appearance(w http.ResponseWriter, r *http.Request) error {
	c := &http.Cookie{
		Name: themeCookie, Value: r.FormValue("theme"), Path: "/", MaxAge: 365 * 24 * 3600,
		HttpOnly: true, Secure: sh.secure, SameSite: http.SameSiteLaxMode,
	}
	if r.Form.Has("keys") {
		c.Name, c.Value = keysCookie, r.FormValue("keys")
	}
	if c.Value != "light" && c.Value != "dark" && c.Value != "off" {
		c.Value, c.MaxAge = "", -1
	}
	http.SetCookie(w, c)
	return sh.Redirect(w, r, Local(r.FormValue("back")))
}

// Local returns to when it is a path of ours, and the first page otherwise, so
// that no link from another site can send a user elsewhere after signing in.
func Local(to string) string {
	if !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
		return "/"
	}
	return to
}
