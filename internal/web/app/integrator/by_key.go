package integrator

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"
	"gangway/internal/web/app/shell"
)

const (
	// keyLife is how long a browser sees the account of a key that was shown in it.
	keyLife = time.Hour

	// triesMost is how many keys may be tried from a network in a minute.
	triesMost = 20

	firstPath    = "/integrator"
	requestsPath = "/integrator/requests"
)

// A keyPage is the form that takes a key.
type keyPage struct{ Wrong string }

// KeyForm asks for a key, unless one was shown.
func (room *Room) KeyForm(w http.ResponseWriter, r *http.Request) error {
	key, err := room.keyOf(r)
	if err != nil {
		return err
	}
	if key.ID != "" {
		return room.Redirect(w, r, requestsPath)
	}
	return room.showKeyForm(w, r, keyPage{}, http.StatusOK)
}

func (room *Room) showKeyForm(w http.ResponseWriter, r *http.Request, p keyPage, status int) error {
	return room.Show(w, r, shell.Page{Template: "integrator_key", Title: "Check an API key", Status: status, Data: p,
		Answer: "See which account it is for, and what your programs asked and were answered."})
}

// CheckKey says which account a key is for, and lets this browser see what its programs ask for an hour.
func (room *Room) CheckKey(w http.ResponseWriter, r *http.Request) error {
	network := web.Network(web.Client(r))
	if left, ends := room.tries.Use(network); left < 0 {
		err := web.TooManyRequests(ends, "too many keys were tried from your network; try again in "+
			web.Seconds(ends)+" seconds")
		return room.showKeyForm(w, r, keyPage{shell.SentenceOf(err)}, web.Answer(w.Header(), err))
	}
	plain, wrong := strings.TrimSpace(r.PostFormValue("key")), ""
	switch {
	case plain == "":
		wrong = "Paste the key: it begins with gw_live_ or gw_test_."
	case !access.WellFormed(plain):
		wrong = "This is no key of Gangway's, or not all of it: it may have been cut off or mistyped."
	}
	if wrong != "" {
		return room.showKeyForm(w, r, keyPage{wrong}, http.StatusUnprocessableEntity)
	}
	key, err := room.db.KeyByHash(r.Context(), access.HashKey(plain))
	if gangway.KindOf(err) == gangway.NotFound {
		room.KeyRefused(r)
		return room.showKeyForm(w, r, keyPage{"This key is not known here, or was revoked."},
			http.StatusUnprocessableEntity)
	}
	if err != nil {
		return err
	}
	room.tries.GiveBack(network)
	room.remember(w, key.ID, room.Now().Add(keyLife))
	return room.Redirect(w, r, requestsPath)
}

// Leave ends what CheckKey began, also for whoever has a copy of the cookie.
func (room *Room) Leave(w http.ResponseWriter, r *http.Request) error {
	if shown := room.shownIn(r); shown.id != "" {
		err := room.db.Sessions(room.Now).CommitCtx(r.Context(), shown.forgotten(), nil, shown.until)
		if err != nil {
			return err
		}
	}
	room.remember(w, "", time.Time{})
	w.Header().Set("Clear-Site-Data", `"cache"`)
	return room.Redirect(w, r, firstPath)
}

// remember has the browser show until an instant that a key was shown in it: signed, so that nobody can make it up. It
// is not the key, and opens nothing else. Without an identifier the browser forgets it.
func (room *Room) remember(w http.ResponseWriter, id string, until time.Time) {
	c := &http.Cookie{Name: room.cookie(), Path: "/", HttpOnly: true, Secure: room.Secure(),
		SameSite: http.SameSiteStrictMode, MaxAge: -1}
	if id != "" {
		ends := strconv.FormatInt(until.Unix(), 10)
		c.Value, c.MaxAge = id+"."+ends+"."+room.FormKeys.Sign(shownKey, id, ends), int(keyLife.Seconds())
	}
	http.SetCookie(w, c)
}

// shownKey is what the signature is for, and for nothing else.
const shownKey = "a key was shown"

func (room *Room) cookie() string {
	if room.Secure() {
		return "__Host-gangway-key"
	}
	return "gangway-key"
}

// A showing says that a key was shown in a browser. The zero one says that none was.
type showing struct {
	id    string // of the key
	until time.Time
}

// forgotten is what is kept among the sessions once it was ended before its time: of a key one for each second at most.
func (s showing) forgotten() string {
	return "forgotten " + s.id + " " + strconv.FormatInt(s.until.Unix(), 10)
}

// shownIn returns what the cookie of r says, unless that is over.
func (room *Room) shownIn(r *http.Request) showing {
	c, err := r.Cookie(room.cookie())
	if err != nil {
		return showing{}
	}
	part := strings.Split(c.Value, ".")
	if len(part) != 3 || !room.FormKeys.Signed(part[2], shownKey, part[0], part[1]) {
		return showing{}
	}
	ends, err := strconv.ParseInt(part[1], 10, 64)
	if err != nil || !room.Now().Before(time.Unix(ends, 0)) {
		return showing{}
	}
	return showing{part[0], time.Unix(ends, 0)}
}

// keyOf returns the key that was shown in the browser of r. None: none was, that is too long ago or was ended, or the
// key was revoked since.
func (room *Room) keyOf(r *http.Request) (store.Credential, error) {
	shown := room.shownIn(r)
	if shown.id == "" {
		return store.Credential{}, nil
	}
	_, over, err := room.db.Sessions(room.Now).FindCtx(r.Context(), shown.forgotten())
	if err != nil || over {
		return store.Credential{}, err
	}
	key, err := room.db.Key(r.Context(), shown.id)
	if gangway.KindOf(err) == gangway.NotFound {
		return store.Credential{}, nil
	}
	return key, err
}

// A keyHandler answers a browser in which a key was shown, on behalf of the account of that key.
type keyHandler func(w http.ResponseWriter, r *http.Request, in store.Scoped, key store.Credential) error

// WithKey lets browsers through to h in which a key was shown, and has others show one first.
func (room *Room) WithKey(h keyHandler) web.Guarded {
	return web.Guarded{For: web.Anybody, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var key store.Credential
		auth := func(r *http.Request) (_ gangway.Scope, err error) {
			key, err = room.keyOf(r)
			return gangway.Scope{Account: key.Account}, err
		}
		room.Gate(auth, room.InTurn(func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
			if key.ID == "" {
				return room.Redirect(w, r, firstPath)
			}
			return h(w, r, in, key)
		})).ServeHTTP(w, r)
	})}
}
