package web_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
)

// A flood of refusals fills neither the audit log nor the server's.
func TestRefusalsAreWrittenDownWithoutEnd(t *testing.T) {
	ana := gangway.User{ID: "usr_1", Email: "ana@halcyon.example", Name: "Ana Reyes"}
	wrong := func(from string) gangway.AuditEntry {
		return gangway.AuditEntry{By: gangway.ByPerson(ana, from), Customer: "cus_1", What: gangway.SignInFailed,
			After: map[string]any{"user": ana.ID}}
	}
	begin := func(t *testing.T) (*web.Refusals, *store.DB, *time.Time, *bytes.Buffer) {
		db, now, out := storetest.New(t), storetest.Began, &bytes.Buffer{}
		return web.NewRefusals(db, slog.New(slog.NewJSONHandler(out, nil)), func() time.Time {
			return now
		}), db, &now, out
	}
	all := func(t *testing.T, db *store.DB) []gangway.AuditEntry {
		list := calltest.Must(db.Audit(t.Context(), store.AuditQuery{}, 10_000))(t)
		return list
	}

	t.Run("a caller that has left is recorded too", func(t *testing.T) {
		x, db, _, _ := begin(t)
		left, leave := context.WithCancel(t.Context())
		leave()
		x.Audit(left, wrong("192.0.2.1"))
		if n := len(all(t, db)); n != 1 {
			t.Errorf("%d entries; want one", n)
		}
	})
	t.Run("of identical refusals, the first ten, the hundredth and the thousandth are recorded", func(t *testing.T) {
		x, db, now, out := begin(t)
		for i := range 1500 {
			x.Audit(t.Context(), wrong(fmt.Sprintf("2001:db8::%x", i+1))) // one network
		}
		var times []any
		for _, e := range all(t, db) {
			times = append(times, e.After["times"])
		}
		want := []any{nil, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 100.0, 1000.0}
		if !slices.Equal(times, want) {
			t.Errorf("the entries count %v; want %v", times, want)
		}
		if lines := strings.Count(out.String(), "\n"); lines != len(want) {
			t.Errorf("the server's log has %d lines; want %d", lines, len(want))
		}
		*now = now.Add(time.Hour)
		x.Audit(t.Context(), wrong("2001:db8::1"))
		if list := all(t, db); list[len(list)-1].After["times"] != nil {
			t.Errorf("an hour later: %v; want the count to start again", list[len(list)-1].After)
		}
	})
	t.Run("from a million addresses, a few for each person and a few a minute for all others", func(t *testing.T) {
		x, db, now, _ := begin(t)
		for minute := range 3 {
			for i := range 5000 {
				from := fmt.Sprintf("10.%d.%d.%d", minute, i/250, i%250)
				x.Audit(t.Context(), wrong(from))
				x.Audit(t.Context(), gangway.AuditEntry{By: gangway.ByNobody(from), What: gangway.SignInFailed})
			}
			*now = now.Add(time.Minute)
		}
		list := all(t, db)
		hers := slices.DeleteFunc(slices.Clone(list), func(e gangway.AuditEntry) bool { return e.By.ID != ana.Email })
		if len(list)-len(hers) > 3*60+13 || len(hers) > 10+13 {
			t.Errorf("%d entries of unknown people, %d of Ana; want 60 a minute, ten for Ana, and few for the rest",
				len(list)-len(hers), len(hers))
		}
		for _, of := range []string{ana.Email, gangway.Unknown} {
			many := slices.DeleteFunc(slices.Clone(list), func(e gangway.AuditEntry) bool {
				return e.By.ID != of || e.By.From != "many addresses"
			})
			if len(many) == 0 || many[len(many)-1].After["times"] != 10_000.0 || of == ana.Email &&
				many[0].After["user"] != ana.ID {
				t.Errorf("the many of %s are %v; want the count 10,000", of, many)
			}
		}
	})
	t.Run("whatever is recorded about others, each person gets entries, the address first", func(t *testing.T) {
		x, db, _, out := begin(t)
		refused := func(what gangway.AuditEvent, person int, from string) {
			u := gangway.User{ID: fmt.Sprintf("usr_%d", person), Email: fmt.Sprintf("person%d@halcyon.example", person)}
			x.Audit(t.Context(), gangway.AuditEntry{By: gangway.ByPerson(u, from), Customer: "cus_1", What: what,
				After: map[string]any{"user": u.ID}})
		}
		for i := range 40 * 200 {
			refused(gangway.SignInFailed, 100+i%40, fmt.Sprintf("10.1.%d.%d", i/250, i%250))
			refused(gangway.SignInLocked, 100+i%40, fmt.Sprintf("10.1.%d.%d", i/250, i%250))
			x.Audit(t.Context(), gangway.AuditEntry{By: gangway.ByNobody(fmt.Sprintf("10.2.%d.%d", i/250, i%250)),
				What: gangway.SignInFailed})
		}
		out.Reset()
		for range 100 {
			refused(gangway.SignInFailed, 2, "192.0.2.7")
			refused(gangway.SignInLocked, 2, "192.0.2.7")
		}
		for _, what := range []gangway.AuditEvent{gangway.SignInFailed, gangway.SignInLocked} {
			list, err := db.Audit(t.Context(), store.AuditQuery{By: "person2@halcyon.example", What: what}, 1000)
			if err != nil || len(list) != 11 || list[0].By.From != "192.0.2.7" || list[10].After["times"] != 100.0 ||
				list[10].After["user"] != "usr_2" {
				t.Errorf("%s of person 2: %v, %v; want ten with the address, and the hundredth", what, list, err)
			}
			if n := strings.Count(out.String(), `"event":"`+string(what)+`","client":"192.0.2.7","user":"usr_2"`); n !=
				10 {
				t.Errorf("the server's log has %d lines of %s with address and person; want 10", n, what)
			}
		}
	})
	t.Run("the server's log names nobody", func(t *testing.T) {
		x, _, _, out := begin(t)
		x.Audit(t.Context(), wrong("192.0.2.7"))
		line := out.String()
		if !strings.Contains(line, `"msg":"refused","event":"sign_in.failed","client":"192.0.2.7","user":"usr_1"}`) ||
			strings.Contains(line, "ana@") || strings.Contains(line, "Reyes") {
			t.Errorf("the log says %s; want the event, the address and the user's identifier", line)
		}
	})
	t.Run("a failure to write the audit log is logged", func(t *testing.T) {
		x, db, _, out := begin(t)
		calltest.Done(t, errors.Join(db.Close(), nil))
		x.Audit(t.Context(), wrong("192.0.2.7"))
		if !strings.Contains(out.String(), "a refusal is not in the audit log") {
			t.Errorf("the log says %s; want that the entry is missing", out)
		}
	})
}
