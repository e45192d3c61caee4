package people

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/access"
	"gangway/internal/web/app/shell"
)

const (
	keysPath = "/settings/keys"

	// keysShown is how many credentials of a kind the page has.
	keysShown = 100
)

// A keysPage has what lets a customer's programs in to the account.
type keysPage struct {
	Lists []keyList
	Wrong string
}

// A keyList is the credentials of a kind.
type keyList struct {
	Kind       store.CredentialKind
	Title      string
	For        string // what it lets in to
	Rows       []store.Credential
	Cut        bool
	Noun, Hint string
	Renews     bool
}

// Keys lists the account's API keys and report logins.
func (room *Room) Keys(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.showKeys(w, r, in, nil)
}

func (room *Room) showKeys(w http.ResponseWriter, r *http.Request, in store.Scoped, refused error) error {
	v, _ := shell.VisitorOf(r.Context())
	p, status := keysPage{Lists: []keyList{
		{Kind: store.APIKey, Title: "API keys", Noun: "API key", Hint: "Crewing system",
			For: "With a key your programs upload travel plans and read bookings."},
		{Kind: store.ReportLogin, Title: "Report logins", Noun: "report login", Hint: "Excel of the controller",
			For: "With a user and password Excel, Power BI and other programs read the report.", Renews: true},
	}}, http.StatusOK
	for i := range p.Lists {
		l := &p.Lists[i]
		var err error
		if l.Rows, err = in.CredentialsInUse(r.Context(), l.Kind, keysShown+1); err != nil {
			return err
		}
		if l.Cut = len(l.Rows) > keysShown; l.Cut {
			l.Rows = l.Rows[:keysShown]
		}
	}
	if refused != nil {
		p.Wrong, status = shell.SentenceOf(refused), http.StatusUnprocessableEntity
	}
	return room.Show(w, r, shell.Page{Template: "keys", Section: "settings", Title: "Settings › Keys", Status: status,
		Answer: "Your programs use them in " + string(v.Account.Environment) + ". The other environment has its own.",
		Data:   p})
}

// A secretPage shows the secret of a credential, once.
type secretPage struct{ User, Label, Secret string }

func (room *Room) showSecret(w http.ResponseWriter, r *http.Request, title, user, label, secret string) error {
	return room.Show(w, r, shell.Page{Template: "key_secret", Section: "settings", Title: title,
		Answer: "Shown now, and on no page again.", Data: secretPage{user, label, secret}})
}

// MakeKey makes an API key or a report login, and shows it.
func (room *Room) MakeKey(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	name, kind := strings.TrimSpace(r.PostFormValue("name")), store.CredentialKind(r.PostFormValue("kind"))
	seed, secret := room.Seed(r), ""
	done, err := room.CarryOut(r, in, func(r *http.Request) (done shell.Done, err error) {
		switch kind {
		case store.APIKey:
			_, _, err = access.CreateKey(r.Context(), room.Actor(r), in, v.Account.Environment, name, seed, room.Now())
		case store.ReportLogin:
			done.Said, _, err = access.CreateReportLogin(r.Context(), room.Actor(r), in, name, seed, room.Now())
		default:
			err = gangway.Errorf(gangway.Invalid, "kind must be api_key or report_login")
		}
		return done, err
	})
	if gangway.KindOf(err) == gangway.Invalid {
		return room.showKeys(w, r, in, err)
	}
	if err != nil {
		return err
	}
	if kind == store.ReportLogin {
		secret = access.PasswordOf(seed)
		return room.showSecret(w, r, "New report login", done.Said, "Password", secret)
	}
	secret, _, _ = access.KeyOf(v.Account.Environment, seed)
	return room.showSecret(w, r, "New API key", "", "API key", secret)
}

// ChangeKey revokes a credential, or gives a report login another password, once that was asked. By the second click of
// two it may be revoked already.
func (room *Room) ChangeKey(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	c, err := in.CredentialInUse(r.Context(), r.PathValue("key"))
	if again := r.PostFormValue("sure") != "" && gangway.KindOf(err) == gangway.NotFound; err != nil && !again {
		return err
	}
	renews := r.PostFormValue("do") == "renew"
	if !renews && r.PostFormValue("do") != "revoke" {
		return gangway.Errorf(gangway.Invalid, "do must be revoke or renew")
	}
	if r.PostFormValue("sure") == "" {
		return room.askKey(w, r, c, renews)
	}
	id, password := r.PathValue("key"), access.PasswordOf(room.Seed(r))
	done, err := room.CarryOut(r, in, func(r *http.Request) (shell.Done, error) {
		if renews {
			return shell.Done{}, in.RenewReportLogin(r.Context(), room.Actor(r), id, access.HashKey(password),
				room.Now())
		}
		return shell.Done{To: keysPath, Said: keyWords(c) + " is revoked."},
			in.RevokeCredential(r.Context(), room.Actor(r), c.Kind, id, room.Now())
	})
	if err != nil {
		return err
	}
	if renews {
		return room.showSecret(w, r, "New password of a report login", id, "Password", password)
	}
	return room.Finish(w, r, done)
}

// askKey says what comes of revoking a credential, or renewing it, before that is done.
func (room *Room) askKey(w http.ResponseWriter, r *http.Request, c store.Credential, renews bool) error {
	q := question{At: keysPath + "/" + url.PathEscape(c.ID) + "/change", Back: keysPath,
		Button: "Revoke " + keyWords(c), Used: !c.UsedAt.IsZero() && room.Now().Sub(c.UsedAt) < 24*time.Hour,
		Fields: []shell.Link{{Path: "do", Words: r.PostFormValue("do")}}}
	use := "It was never used."
	if !c.UsedAt.IsZero() {
		use = "Last used " + c.UsedAt.UTC().Format(shell.FullUTC) + "."
	}
	q.Does = []string{use, "Programs that use it are refused: for writing at once, for reading within five seconds. " +
		"Nobody can undo it."}
	if renews {
		q.Button = "Make a new password"
		q.Does[1] = "The present password ends within five seconds. Programs that use it ask for the new one."
	}
	return room.Show(w, r, shell.Page{Template: "people_ask", Section: "settings", Title: q.Button + "?", Data: q})
}

// keyWords names a credential for people.
func keyWords(c store.Credential) string {
	return cmp.Or(c.Name, c.Shown, c.ID)
}
