package app_test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"gangway"
	"gangway/internal/store/storetest"
)

func TestAuditPage(t *testing.T) {
	s := newSite(t)
	admin := s.signedIn(t, gangway.Admin)

	t.Run("only admins see it, and its address in their menu", func(t *testing.T) {
		for _, role := range []gangway.Role{gangway.Booker, gangway.Approver} {
			c := s.signedIn(t, role)
			for _, path := range []string{"/settings/audit", "/settings/audit.csv"} {
				if a := c.get(path); a.status != http.StatusForbidden {
					t.Errorf("%s got %s with %d; want 403", role, path, a.status)
				}
			}
			c.get("/hotels").lacks("/settings/audit")
		}
		admin.get("/hotels").has(`href="/settings/audit"`)
	})
	t.Run("it says who did what, and what changed", func(t *testing.T) {
		by := gangway.ByCommand("<root>", "bridge")
		_, err := production(s).UpdateSettings(t.Context(), by, today, func(s *gangway.Settings) error {
			s.AutoIssue = true
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		a := admin.get("/settings/audit")
		a.shows("/settings/audit", "Settings › Audit", "Settings changed", "command &lt;root&gt;", "bridge", "issue automatically: no → yes", "<span>20 Nov 2036</span> <span>09:00:00</span>",
			"Signed in", "booker@example.com (Ingrid Holm)", "127.0.0.1", "Request refused", "asked for the page /settings/audit")
		admin.get("/settings/audit?who=command&what=settings.changed&from=2036-11-20&to=2036-11-20").has("issue automatically: no → yes")
		admin.get("/settings/audit?who=command+%3Croot%3E&what=settings.changed").has("issue automatically: no → yes")
		admin.get("/settings/audit?who=%3Croot%3E&what=settings.changed").has("issue automatically: no → yes")
		byName := admin.get("/settings/audit?who=Ingrid+Holm")
		byName.has("booker@example.com (Ingrid Holm)")
		byName.lacks("Settings changed</th>")
		admin.get("/settings/audit?who=Booker%40example.com").lacks("Settings changed</th>")
		admin.get("/settings/audit?from=2036-11-21").has("None fits")
	})
	t.Run("it says in words what programs read as names and identifiers", func(t *testing.T) {
		for _, tt := range []struct {
			what          gangway.AuditEvent
			before, after map[string]any
			want          string
		}{
			{gangway.UserDisabled, map[string]any{"disabled": nil}, map[string]any{"disabled": true, "user": "usr_7"}, "may not sign in any more"},
			{gangway.UserEnabled, map[string]any{"disabled": true}, map[string]any{"disabled": nil, "user": "usr_7"}, "may sign in again"},
			{gangway.SignInLocked, nil, map[string]any{"limit": "pair", "user": "usr_7"}, "too many tries at this person from this network or browser"},
			{gangway.SignInLocked, nil, map[string]any{"limit": "account", "user": "usr_7"}, "too many tries at this person from many networks"},
			{gangway.SignInFailed, nil, map[string]any{"times": 100, "user": "usr_7"}, "100 times within an hour"},
			{gangway.OutletOff, map[string]any{"off": false}, map[string]any{"off": true}, "switched off: no → yes"},
			{gangway.BookingsExported, nil, map[string]any{"finished": false, "find": true}, "find: yes</span> <span>begun"},
			{gangway.BookingsExported, nil, map[string]any{"finished": true, "rows": 1}, "1 row went out"},
			{gangway.BookingsExported, nil, map[string]any{"finished": false, "rows": 500}, "cut off after 500 rows"},
			{gangway.TravellerErased, nil, map[string]any{"finished": false}, "not finished"},
		} {
			e := gangway.AuditEntry{At: today, By: gangway.ByCommand("words", "bridge"), Customer: s.production.Customer.ID, What: tt.what, Before: tt.before, After: tt.after}
			if err := s.db.Record(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			a := admin.get("/settings/audit?who=words&what=" + string(tt.what))
			a.has("<span>" + tt.want + "</span>")
			a.lacks("usr_7", "none →", "→ none", "disabled:", "limit:", "finished:", "user:")
		}
	})
	t.Run("other customers' entries are theirs", func(t *testing.T) {
		other := storetest.Account(t, s.db)
		e := gangway.AuditEntry{At: today, By: gangway.ByCommand("stranger", "elsewhere"), Customer: other.Customer.ID, What: gangway.KeyCreated}
		if err := s.db.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		admin.get("/settings/audit").lacks("stranger", "Halcyon")
		admin.get("/settings/audit?who=unknown").has("None fits")
	})
	t.Run("it is read page by page, and taken away whole", func(t *testing.T) {
		for i := range 130 {
			about := map[string]any{"n": fmt.Sprintf("entry-%03d", i)}
			if err := production(s).Record(t.Context(), gangway.BySystem(), gangway.DeliveriesReplayed, about, today); err != nil {
				t.Fatal(err)
			}
		}
		older := regexp.MustCompile(`href="([^"]+)" data-swap="head list">Older`)
		seen, path := map[string]bool{}, "/settings/audit?who=system"
		for pages := 1; path != ""; pages++ {
			a := admin.get(path)
			for _, n := range regexp.MustCompile(`entry-\d+`).FindAllString(a.body, -1) {
				seen[n] = true
			}
			path = ""
			if next := older.FindStringSubmatch(a.body); next != nil {
				path = strings.ReplaceAll(next[1], "&amp;", "&")
			} else if pages != 3 {
				t.Errorf("there are %d pages; want 3", pages)
			}
		}
		if len(seen) != 130 {
			t.Errorf("the pages show %d entries; want 130", len(seen))
		}
		rows, err := csv.NewReader(strings.NewReader(admin.get("/settings/audit.csv?who=system").body)).ReadAll()
		if err != nil || len(rows) != 131 || rows[1][6] != `{"n":"entry-129"}` {
			t.Fatalf("the file has %d rows, %v; want a head and 130", len(rows), err)
		}
		e := lastEntry(t, s)
		isEntry(t, s, e, gangway.AuditExported, "admin@example.com (Ingrid Holm)")
		if e.After["who"] != true || e.After["rows"] != 130.0 || e.After["finished"] != true {
			t.Errorf("the log says %v; want that there was a filter, and how much went out", e.After)
		}
	})
	t.Run("odd addresses", func(t *testing.T) {
		for _, query := range []string{"before=x", "before=1-", "before=99999999999999999999-aud", "from=yesterday", "what=%3Cb%3E", "who=%00"} {
			if a := admin.get("/settings/audit?" + query); a.status >= 500 {
				t.Errorf("%s is answered %d", query, a.status)
			}
		}
	})
}

// What is taken away is in the audit log, with how much and by which filters it
// was selected, but nothing that somebody typed: it may be a traveller's name.
func TestExportsLeaveEntries(t *testing.T) {
	s := newSite(t)
	for _, tt := range []struct {
		what gangway.AuditEvent
		path string
		want map[string]any // besides how much, and that it is whole
	}{
		{gangway.BookingsExported, "/bookings.csv", map[string]any{}},
		{gangway.BookingsExported, "/bookings.csv?vessel=Santos&find=Santos&by=Santos&state=issued&from=2036-12-01&to=Santos",
			map[string]any{"vessel": true, "find": true, "by": true, "state": "issued", "from": "2036-12-01"}},
		{gangway.BookingsExported, "/bookings.csv?state=Santos", map[string]any{}},
		{gangway.AuditExported, "/settings/audit.csv?who=maria.santos%40example.org&what=sign_in.done&to=2036-12-01",
			map[string]any{"who": true, "what": "sign_in.done", "to": "2036-12-01"}},
		{gangway.AuditExported, "/settings/audit.csv?what=Santos&from=Santos", map[string]any{}},
	} {
		s.signedIn(t, gangway.Admin).get(tt.path).has(",")
		list := s.audit(t, tt.what)
		begun, ended := list[len(list)-2], list[len(list)-1]
		if begun.After["finished"] != false || ended.After["finished"] != true || ended.After["rows"] != 0.0 || ended.Environment != gangway.Production {
			t.Errorf("%s: the log says %v, then %v; want that it was begun, and how much went out", tt.path, begun.After, ended.After)
		}
		delete(ended.After, "finished")
		delete(ended.After, "rows")
		if !maps.Equal(ended.After, tt.want) {
			t.Errorf("%s: the log says %v; want %v", tt.path, ended.After, tt.want)
		}
	}
	if all := strings.ToLower(fmt.Sprint(s.audit(t, ""))); strings.Contains(all, "santos") {
		t.Errorf("the log has what was typed: %s", all)
	}
}
