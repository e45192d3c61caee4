package shell

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A press sends a form to one of two replicas.
type press struct {
	replica    int
	in         gangway.Scope
	user, path string
	form       url.Values
	gone       bool // the reader, by then
}

// TestOnce: a form that is sent twice is carried out once, and what was not carried out to its end is begun anew.
func TestOnce(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, at string) {
		var now atomic.Int64
		now.Store(storetest.Began.UnixMilli())
		var replicas [2]*Shell
		for i := range replicas {
			db := calltest.Must(store.Open(t.Context(), at))(t)
			t.Cleanup(func() { db.Close() })
			replicas[i] = &Shell{db: db, Now: func() time.Time { return time.UnixMilli(now.Load()) }}
		}
		prod, dev := storetest.Accounts(t, replicas[0].db)
		var carried atomic.Int32
		var pressing sync.WaitGroup // those who press at the same time and have not begun
		works := func() (Done, error) {
			pressing.Wait()
			return Done{To: "/there", Said: fmt.Sprint("time ", carried.Add(1))}, nil
		}
		send := func(t *testing.T, p press, do func() (Done, error)) (done Done, err error) {
			ctx, leave := context.WithCancel(context.WithValue(t.Context(), visitorKey{},
				Visitor{User: gangway.User{ID: p.user}}))
			defer leave()
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, p.path, strings.NewReader(p.form.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if p.gone {
				leave()
			}
			defer func() {
				if cause := recover(); cause != nil {
					err = fmt.Errorf("panic: %v", cause)
				}
			}()
			return replicas[p.replica].CarryOut(r, replicas[p.replica].db.In(p.in), func(*http.Request) (Done, error) {
				return do()
			})
		}
		wants := func(t *testing.T, p press, time int) {
			t.Helper()
			if done, err := send(t, p, works); err != nil || done != (Done{"/there", fmt.Sprint("time ", time)}) {
				t.Errorf("%+v: %+v, %v; want what came of it time %d", p, done, err, time)
			}
		}
		form := func(once string) press {
			return press{in: prod.Scope(), user: "u1", path: "/do", form: url.Values{"once": {once},
				"passenger": {"Oleksandr-Quirin"}}}
		}
		t.Run("at the same time on two replicas, it is carried out once", func(t *testing.T) {
			var all sync.WaitGroup
			pressing.Add(6)
			for i := range 6 {
				p := form("k1")
				p.replica = i % 2
				all.Go(func() { pressing.Done(); wants(t, p, 1) })
			}
			all.Wait()
		})
		t.Run("what another person, page, form or account sends has its own answer", func(t *testing.T) {
			for i, differ := range []func(*press){
				func(p *press) { p.in = dev.Scope() }, func(p *press) { p.user = "u2" },
				func(p *press) { p.path = "/undo" }, func(p *press) { p.form.Set("once", "k2") },
				func(p *press) { p.form.Set("to", "else") },
			} {
				p := form("k1")
				differ(&p)
				wants(t, p, i+2)
			}
		})
		t.Run("after a minute it is carried out again", func(t *testing.T) {
			now.Add(59_999)
			wants(t, form("k1"), 1)
			now.Add(1)
			wants(t, form("k1"), 7)
		})
		t.Run("though its reader has left, it is carried out", func(t *testing.T) {
			p := form("k3")
			p.gone = true
			wants(t, p, 8)
			wants(t, form("k3"), 8)
		})
		t.Run("what fails or panics is carried out at the next press", func(t *testing.T) {
			for i, fails := range []func() (Done, error){
				func() (Done, error) { return Done{}, errors.New("no") }, func() (Done, error) { panic("no") },
			} {
				p := form(fmt.Sprint("k4", i))
				if _, err := send(t, p, fails); err == nil {
					t.Error("there is no error")
				}
				p.replica = 1
				wants(t, p, 9+i)
			}
		})
		t.Run("what ended with its process is carried out for who waits until the minute is over", func(t *testing.T) {
			p := form("k5")
			_, err := replicas[0].db.In(p.in).BeginOnce(t.Context(), store.FormRoute,
				p.user+" "+p.path+" "+p.form.Encode(), "", replicas[0].Now())
			calltest.Done(t, err)
			time.AfterFunc(100*time.Millisecond, func() { now.Add(60_000) })
			p.replica = 1
			wants(t, p, 11)
			p.gone = true
			now.Add(59_999)
			wants(t, p, 11)
		})
		if file, ok := strings.CutPrefix(at, "sqlite:"); ok {
			for _, part := range []string{"", "-wal"} {
				if stored, err := os.ReadFile(file + part); err != nil || strings.Contains(string(stored), "Quirin") {
					t.Errorf("%s%s: %v; or it has what was typed", file, part, err)
				}
			}
		}
	})
}
