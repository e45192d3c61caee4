package shell

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"
)

// sharedPages are the live parts of pages as they were last rendered. A rendering is made by a visitor without a name,
// session, cookies or keys, so that nothing of one reader can get into what another one reads. If the page asks for
// its reader nevertheless (Visitor.Person), the rendering is for that person only.
type sharedPages struct {
	mu   sync.Mutex
	made map[sharedOf]*sharedPage
}

type sharedOf struct {
	account, address string
	ahead            time.Duration // of the account's clock
	role             gangway.Role
	person           string // empty: all who share the page
}

// A sharedPage is one rendering. page and what follows is written before done is closed.
type sharedPage struct {
	news  store.News // of the account, from before anything was read
	began time.Time
	done  chan struct{}
	page  *web.Page
	tag   string
	owner string // the only person whom it is for; empty: everybody who may see the page
	err   error

	readers int // who have it, with the map itself; the last gives the memory back
}

const (
	sharedLife     = 2 * time.Second  // what time changes by itself is no older
	sharedKept     = 64               // renderings; a page's memory is counted for its account besides
	sharedPatience = 30 * time.Second // for a rendering, also when one of its readers leaves
)

// sharedBy begins the name by which the memory of what an account's readers share is counted.
const sharedBy = "readers of "

// A rendering is that of a sharedPage, as the page's handler sees it.
type rendering struct {
	reader gangway.User // who would see it
	asked  atomic.Bool  // the page asked for them
}

// share answers an open page with what h shows now: 204 if the page has it already.
func (sh *Shell) share(w http.ResponseWriter, r *http.Request, in store.Scoped, h web.Handler) error {
	v, _ := VisitorOf(r.Context())
	if err := sh.samePage(v, r.Header.Get(access.LiveHeader)); err != nil {
		return err
	}
	of := sharedOf{in.Scope().Account, r.URL.RequestURI(), in.Scope().Ahead, v.User.Role, ""}
	s := sh.shared.join(of, v.news, func(s *sharedPage) { sh.renderShared(s, v, r, in, h) })
	if <-s.done; s.owner != "" && s.owner != v.User.ID {
		s.leave(&sh.shared)
		of.person = v.User.ID
		s = sh.shared.join(of, v.news, func(s *sharedPage) { sh.renderShared(s, v, r, in, h) })
		<-s.done
	}
	defer s.leave(&sh.shared)
	switch {
	case s.err != nil:
		return s.err
	case s.owner != "" && s.owner != v.User.ID:
		return errors.New("a page of another person")
	}
	head := w.Header()
	head.Set("Etag", s.tag)
	head.Set("Gangway-News", s.news.String())
	if r.Header.Get("If-None-Match") == s.tag {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	head.Set("Content-Type", "text/html; charset=utf-8")
	_, err := w.Write(s.page.Bytes())
	return err
}

// join returns a rendering that shows all that had happened at news, for the caller to leave. If there is none, the
// caller makes it.
func (all *sharedPages) join(of sharedOf, news store.News, render func(*sharedPage)) *sharedPage {
	all.mu.Lock()
	if s := all.made[of]; s != nil && s.news.Since(news) && time.Since(s.began) < sharedLife {
		s.readers++
		all.mu.Unlock()
		return s
	}
	if all.made == nil {
		all.made = map[sharedOf]*sharedPage{}
	}
	for other, s := range all.made {
		if other == of || time.Since(s.began) >= sharedLife || len(all.made) >= sharedKept {
			all.drop(other, s)
		}
	}
	s := &sharedPage{news: news, began: time.Now(), done: make(chan struct{}), readers: 2}
	all.made[of] = s
	all.mu.Unlock()
	time.AfterFunc(sharedLife, func() {
		all.mu.Lock()
		defer all.mu.Unlock()
		all.drop(of, s)
	})
	defer close(s.done)
	if render(s); s.err != nil { // the next reader tries again
		all.mu.Lock()
		defer all.mu.Unlock()
		all.drop(of, s)
	}
	return s
}

// drop takes a rendering from the map, if it is there.
func (all *sharedPages) drop(of sharedOf, s *sharedPage) {
	if all.made[of] == s {
		delete(all.made, of)
		all.release(s)
	}
}

// leave says that a reader has read s.
func (s *sharedPage) leave(all *sharedPages) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.release(s)
}

func (all *sharedPages) release(s *sharedPage) {
	if s.readers--; s.readers == 0 && s.page != nil {
		s.page.Release()
	}
}

// renderShared has h show its page to a visitor of the same account and role who is nobody.
func (sh *Shell) renderShared(s *sharedPage, v Visitor, r *http.Request, in store.Scoped, h web.Handler) {
	ctx, cancel := context.WithTimeout(context.Background(), sharedPatience)
	defer cancel()
	by := &rendering{reader: v.User}
	v.User = gangway.User{Customer: v.User.Customer, Role: v.User.Role}
	v.rendering = by
	plain := r.WithContext(context.WithValue(ctx, visitorKey{}, v))
	plain.Header, plain.RemoteAddr, plain.Body = http.Header{}, "", http.NoBody
	out := &sharedAnswer{page: sh.budget.Page(sharedBy + in.Scope().Account), head: http.Header{}}
	s.page = out.page
	defer func() {
		if cause := recover(); cause != nil {
			s.err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	if s.err = h(out, plain, in); s.err == nil {
		s.err = out.usable()
	}
	if by.asked.Load() {
		s.owner = by.reader.ID
	}
	sum := sha256.Sum256(s.page.Bytes())
	s.tag = `"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
}

// A sharedAnswer takes the answer of a page's handler.
type sharedAnswer struct {
	page   *web.Page
	head   http.Header
	status int
}

// Header is part of http.ResponseWriter, and so is Write.
func (a *sharedAnswer) Header() http.Header            { return a.head }
func (a *sharedAnswer) Write(html []byte) (int, error) { return a.page.Write(html) }
func (a *sharedAnswer) WriteHeader(status int)         { a.status = status }

// usable returns an error unless the answer is a whole page for anybody: a redirect or a refused form is nobody
// else's, and a cookie never is.
func (a *sharedAnswer) usable() error {
	if a.status != 0 && a.status != http.StatusOK || len(a.page.Bytes()) == 0 || len(a.head.Values("Set-Cookie")) > 0 ||
		!strings.HasPrefix(a.head.Get("Content-Type"), "text/html") {
		return gangway.Errorf(gangway.Conflict, "this page has become another one: open it again")
	}
	return nil
}
