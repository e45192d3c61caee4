package access

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"

	"github.com/alexedwards/scs/v2"
	"github.com/go-json-experiment/json"
)

// A coordinator keeps the application open through a shift and comes back the next
// day: a session ends after a day without a request, and after two weeks in any case.
const (
	sessionIdle = 24 * time.Hour
	sessionLife = 14 * 24 * time.Hour
)

// The values in a session.
const (
	userKey        = "user"
	roundKey       = "round"
	environmentKey = "environment"
	sinceKey       = "since"
	noticeKey      = "notice"
)

// Sessions are the sessions of the people who use the web application. They are stored
// in the database and identified by a cookie; the database has only the token's hash.
type Sessions struct {
	Begin gangway.Environment // where people work until they switch; production unless set

	// Refuse answers if a session could not be read or stored; a line of text unless set.
	Refuse func(http.ResponseWriter, *http.Request, error)

	scs *scs.SessionManager
	now func() time.Time
	log *slog.Logger
}

// NewSessions returns sessions kept in db. With secure, the application is
// served over https, and the cookie is sent nowhere else.
func NewSessions(db *store.DB, now func() time.Time, log *slog.Logger, secure bool) *Sessions {
	m := scs.New()
	m.Store = db.Sessions(now)
	m.Codec = codec{}
	m.HashTokenInStore = true
	m.Lifetime = sessionIdle
	m.Cookie.Name = "gangway"
	m.Cookie.HttpOnly = true
	m.Cookie.SameSite = http.SameSiteLaxMode
	m.Cookie.Path = "/"
	if secure {
		m.Cookie.Secure = true
		m.Cookie.Name = "__Host-gangway"
	}
	s := &Sessions{scs: m, now: now, log: log}
	m.ErrorFunc = s.unkept
	return s
}

// ByItself reports whether a page sent r and not its reader: a stream, or what it asks for to stay true. That is no
// use of a session.
func ByItself(r *http.Request) bool {
	return r.Header.Get(LiveHeader) != "" || r.URL.Path == "/live" ||
		strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}

// LiveHeader is sent by pages that ask for what has changed of them.
const LiveHeader = "Gangway-Live"

// Again returns the session of ctx as it is stored now.
func (s *Sessions) Again(ctx context.Context) (context.Context, error) {
	fresh, cancel := context.WithTimeout(context.Background(), againPatience)
	defer cancel()
	fresh, err := s.scs.Load(fresh, s.scs.Token(ctx))
	if err != nil {
		return nil, err
	}
	return context.WithoutCancel(fresh), nil
}

// againPatience is how long a session that is read again is waited for.
const againPatience = 5 * time.Second

// Token identifies the session of ctx. It is a secret of the browser's.
func (s *Sessions) Token(ctx context.Context) string { return s.scs.Token(ctx) }

// Ends returns when the session of ctx ends unless it is used before.
func (s *Sessions) Ends(ctx context.Context) time.Time { return s.scs.Deadline(ctx) }

// stretch moves the end of a session that is in use. It does so at most every hour,
// because it has to write to the database.
func (s *Sessions) stretch(ctx context.Context) {
	if s.scs.GetString(ctx, userKey) == "" {
		return
	}
	since, err := time.Parse(time.RFC3339, s.scs.GetString(ctx, sinceKey))
	if err != nil {
		return
	}
	end := s.now().Add(sessionIdle)
	if last := since.Add(sessionLife); end.After(last) {
		end = last
	}
	if end.Sub(s.scs.Deadline(ctx)) > time.Hour {
		s.scs.SetDeadline(ctx, end)
	}
}

// SignIn makes the session the user's, under a new token.
func (s *Sessions) SignIn(ctx context.Context, u gangway.User) error {
	if err := s.scs.RenewToken(ctx); err != nil {
		return err
	}
	s.scs.SetDeadline(ctx, s.now().Add(sessionIdle))
	s.scs.Put(ctx, userKey, u.ID)
	s.scs.Put(ctx, roundKey, strconv.Itoa(u.Round))
	s.scs.Put(ctx, sinceKey, s.now().UTC().Format(time.RFC3339))
	return nil
}

// SignOut ends the session.
func (s *Sessions) SignOut(ctx context.Context) error { return s.scs.Destroy(ctx) }

// User returns the id of the user whose session it is; empty when nobody is signed in.
func (s *Sessions) User(ctx context.Context) string { return s.scs.GetString(ctx, userKey) }

// Holds reports whether the session is still valid for its user u: it is not if u was
// disabled, or u's sessions were ended after it began.
func (s *Sessions) Holds(ctx context.Context, u gangway.User) bool {
	return u.MaySignIn() && u.ID == s.User(ctx) && s.scs.GetString(ctx, roundKey) == strconv.Itoa(u.Round)
}

// Environment returns the environment that the user works in.
func (s *Sessions) Environment(ctx context.Context) gangway.Environment {
	e := cmp.Or(gangway.Environment(s.scs.GetString(ctx, environmentKey)), s.Begin)
	if e == gangway.Development {
		return e
	}
	return gangway.Production
}

// Switch lets the user work in another environment from now on.
func (s *Sessions) Switch(ctx context.Context, e gangway.Environment) {
	s.scs.Put(ctx, environmentKey, string(e))
}

// SetFlash keeps a sentence for the next page that the user sees.
func (s *Sessions) SetFlash(ctx context.Context, sentence string) {
	s.scs.Put(ctx, noticeKey, sentence)
}

// TakeFlash returns the sentence that SetFlash has kept, once.
func (s *Sessions) TakeFlash(ctx context.Context) string {
	if !s.scs.Exists(ctx, noticeKey) {
		return ""
	}
	return s.scs.PopString(ctx, noticeKey)
}

// codec writes sessions as JSON text, which both databases store unchanged. All our
// values are strings.
type codec struct{}

type sessionDoc struct {
	Deadline time.Time      `json:"deadline"`
	Values   map[string]any `json:"values"`
}

// Encode is part of scs.Codec.
func (codec) Encode(deadline time.Time, values map[string]any) ([]byte, error) {
	return json.Marshal(sessionDoc{deadline, values})
}

// Decode is part of scs.Codec.
func (codec) Decode(doc []byte) (time.Time, map[string]any, error) {
	var d sessionDoc
	if err := json.Unmarshal(doc, &d); err != nil {
		return time.Time{}, nil, err
	}
	return d.Deadline, d.Values, nil
}
