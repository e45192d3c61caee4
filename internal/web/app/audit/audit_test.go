package audit_test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"
)

func TestAuditPage(t *testing.T) {
	s := apptest.NewSite(t)
	admin := s.SignedIn(t, gangway.Admin)

	t.Run("only admins see it, and its address in their menu", func(t *testing.T) {
		for _, role := range []gangway.Role{gangway.Booker, gangway.Approver} {
			c := s.SignedIn(t, role)
			for _, path := range []string{"/settings/audit", "/settings/audit.csv"} {
				c.Get(path).Is(http.StatusForbidden)
			}
			c.Get("/hotels").Lacks("/settings/audit")
		}
		admin.Get("/hotels").Has(`href="/settings/audit"`)
	})
	t.Run("it says who did what, and what changed", func(t *testing.T) {
		by := gangway.ByCommand("<root>", "bridge")
		apptest.Must(apptest.Production(s).UpdateSettings(t.Context(), by, apptest.Today,
			func(s *gangway.Settings) error {
				s.AutoIssue = true
				return nil
			}))(t)
		admin.Get("/settings/audit").
			Shows("/settings/audit", "Settings › Audit", "Settings changed", "command &lt;root&gt;", "bridge",
				"issue automatically: no → yes", "<span>20 Nov 2036</span> <span>09:00:00</span>",
				"booker@example.com (Ingrid Holm)", "127.0.0.1", "Request refused",
				"asked for the page /settings/audit").Lacks(">Signed in</th>")
		admin.Get("/settings/audit?what=all").Has(">Signed in</th>", "Settings changed")
		admin.Get("/settings/audit?what=sign_in.done").Has(">Signed in</th>")
		admin.Get("/settings/audit?who=command&what=settings.changed&from=2036-11-20&to=2036-11-20").
			Has("issue automatically: no → yes")
		admin.Get("/settings/audit?who=command+%3Croot%3E&what=settings.changed").Has("issue automatically: no → yes")
		admin.Get("/settings/audit?who=%3Croot%3E&what=settings.changed").Has("issue automatically: no → yes")
		admin.Get("/settings/audit?who=Ingrid+Holm").Has("booker@example.com (Ingrid Holm)").
			Lacks("Settings changed</th>")
		admin.Get("/settings/audit?who=Booker%40example.com").Lacks("Settings changed</th>")
		admin.Get("/settings/audit?from=2036-11-21").Has("None fits")
	})
	t.Run("it says in words what programs read, and of a change what was and what is", func(t *testing.T) {
		type about = map[string]any
		bare := about{"name": "erp", "off": false}
		full := about{"name": "erp", "off": false, "auth": "bearer", "format": "csv", "paused": true,
			"reason": "410 Gone", "states": "issued"}
		given := maps.Clone(full)
		given["tried_now"] = true
		for i, tt := range []struct {
			what          gangway.AuditEvent
			before, after about
			want          string
		}{
			{gangway.UserDisabled, about{"disabled": nil}, about{"disabled": true, "user": "usr_7"},
				"may not sign in any more"},
			{gangway.UserEnabled, about{"disabled": true}, about{"disabled": nil, "user": "usr_7"},
				"may sign in again"},
			{gangway.SignInLocked, nil, about{"limit": "pair", "user": "usr_7"},
				"too many tries at this person from this network or browser"},
			{gangway.SignInLocked, nil, about{"limit": "account", "user": "usr_7"},
				"too many tries at this person from many networks"},
			{gangway.SignInFailed, nil, about{"times": 100, "user": "usr_7"}, "100 times within an hour"},
			{gangway.OutletOff, about{"off": false}, about{"off": true}, "switched off: no → yes"},
			{gangway.BookingsExported, nil, about{"finished": false, "find": true}, "find: yes|begun"},
			{gangway.BookingsExported, nil, about{"finished": true, "rows": 1}, "1 row went out"},
			{gangway.BookingsExported, nil, about{"finished": false, "rows": 500}, "cut off after 500 rows"},
			{gangway.TravellerErased, nil, about{"finished": false}, "not finished"},
			{gangway.SandboxAdvanced, nil, about{"by": "26h0m0s"}, "forward by: 26h0m0s"},
			{gangway.OutletSet, full, bare, "authentication: bearer → none|format: csv → json|name: erp|" +
				"switched off: no|paused: yes → no|reason: 410 Gone → none|states: issued → all"},
			{gangway.OutletSet, bare, given, "authentication: none → bearer|format: json → csv|name: erp|" +
				"switched off: no|paused: no → yes|reason: 410 Gone|states: all → issued|tried now: yes"},
			{gangway.OutletSet, nil, full, "authentication: bearer|paused: yes|states: issued"},
			{gangway.OutletSet, full, nil, "authentication: bearer|paused: yes|states: issued"},
		} {
			who := fmt.Sprint("words-", i)
			apptest.Done(t, s.DB.Record(t.Context(), gangway.AuditEntry{At: apptest.Today,
				By: gangway.ByCommand(who, "bridge"), Customer: s.Production.Customer.ID, What: tt.what,
				Before: tt.before, After: tt.after}))
			a := admin.Get("/settings/audit?who="+who).Lacks("usr_7", "disabled:", "limit:", "finished:", "user:")
			for want := range strings.SplitSeq(tt.want, "|") {
				a.Has("<span>" + want + "</span>")
			}
		}
	})
	t.Run("other customers' entries are theirs", func(t *testing.T) {
		other := storetest.Account(t, s.DB)
		e := gangway.AuditEntry{At: apptest.Today, By: gangway.ByCommand("stranger", "elsewhere"),
			Customer: other.Customer.ID, What: gangway.KeyCreated}
		apptest.Done(t, s.DB.Record(t.Context(), e))
		admin.Get("/settings/audit").Lacks("stranger", "Halcyon")
		admin.Get("/settings/audit?who=unknown").Has("None fits")
	})
	t.Run("it is read page by page, and taken away whole", func(t *testing.T) {
		for i := range 130 {
			about := map[string]any{"n": fmt.Sprintf("entry-%03d", i)}
			apptest.Done(t, apptest.Production(s).Record(t.Context(), gangway.BySystem(), gangway.DeliveriesReplayed,
				about, apptest.Today))
		}
		older := regexp.MustCompile(`href="([^"]+)" data-swap="head list">Older`)
		seen, path := map[string]bool{}, "/settings/audit?who=system"
		for pages := 1; path != ""; pages++ {
			a := admin.Get(path)
			for _, n := range regexp.MustCompile(`entry-\d+`).FindAllString(a.Body, -1) {
				seen[n] = true
			}
			path = ""
			if next := older.FindStringSubmatch(a.Body); next != nil {
				path = strings.ReplaceAll(next[1], "&amp;", "&")
			} else if pages != 3 {
				t.Errorf("there are %d pages; want 3", pages)
			}
		}
		if len(seen) != 130 {
			t.Errorf("the pages show %d entries; want 130", len(seen))
		}
		rows, err := csv.NewReader(strings.NewReader(admin.Get("/settings/audit.csv?who=system").Body)).ReadAll()
		if err != nil || len(rows) != 131 || rows[1][6] != `{"n":"entry-129"}` {
			t.Fatalf("the file has %d rows, %v; want a head and 130", len(rows), err)
		}
		e := apptest.LastEntry(t, s)
		apptest.IsEntry(t, s, e, gangway.AuditExported, "admin@example.com (Ingrid Holm)")
		if e.After["who"] != true || e.After["rows"] != 130.0 || e.After["finished"] != true {
			t.Errorf("the log says %v; want that there was a filter, and how much went out", e.After)
		}
	})
	t.Run("odd addresses", func(t *testing.T) {
		for _, query := range []string{"before=x", "before=1-", "before=99999999999999999999-aud", "from=yesterday",
			"what=%3Cb%3E", "who=%00"} {
			if a := admin.Get("/settings/audit?" + query); a.Status >= 500 {
				t.Errorf("%s is answered %d", query, a.Status)
			}
		}
		for query, want := range map[string]string{"what=bogus": "What must be one of the events",
			"from=soon": "From: write a day", "to=3/4/2036": "To: 3/4/2036 could be 3 Apr 2036 or 4 Mar 2036",
			"from=2036-12-02&to=2036-12-01": "To must not be before from"} {
			admin.Get("/settings/audit?who=ingrid&"+query).
				Is(http.StatusUnprocessableEntity).Has(want, `value="ingrid"`)
			admin.Get("/settings/audit.csv?" + query).Is(http.StatusBadRequest)
		}
	})
}

// What is taken away is in the audit log, with how much and by which filters it
// was selected, but nothing that somebody typed: it may be a traveller's name.
func TestExportsLeaveEntries(t *testing.T) {
	s := apptest.NewSite(t)
	for _, tt := range []struct {
		what gangway.AuditEvent
		path string
		want map[string]any // besides how much, and that it is whole
	}{
		{gangway.BookingsExported, "/bookings.csv", map[string]any{}},
		{gangway.BookingsExported,
			"/bookings.csv?vessel=Santos&find=Santos&by=Santos&state=issued&from=2036-12-01&to=Santos",
			map[string]any{"vessel": true, "find": true, "by": true, "state": "issued", "from": "2036-12-01"}},
		{gangway.BookingsExported, "/bookings.csv?state=Santos", map[string]any{}},
		{gangway.AuditExported, "/settings/audit.csv?who=maria.santos%40example.org&what=sign_in.done&to=2036-12-01",
			map[string]any{"who": true, "what": "sign_in.done", "to": "2036-12-01"}},
		{gangway.AuditExported, "/settings/audit.csv?from=2036-12-01", map[string]any{"from": "2036-12-01"}},
	} {
		s.SignedIn(t, gangway.Admin).Get(tt.path).Has(",")
		list := s.Audit(t, tt.what)
		begun, ended := list[len(list)-2], list[len(list)-1]
		if begun.After["finished"] != false || ended.After["finished"] != true || ended.After["rows"] != 0.0 ||
			ended.Environment != gangway.Production {
			t.Errorf("%s: the log says %v, then %v; want that it was begun, and how much went out", tt.path,
				begun.After, ended.After)
		}
		delete(ended.After, "finished")
		delete(ended.After, "rows")
		if !maps.Equal(ended.After, tt.want) {
			t.Errorf("%s: the log says %v; want %v", tt.path, ended.After, tt.want)
		}
	}
	s.SignedIn(t, gangway.Admin).Get("/settings/audit.csv?what=Santos&from=Santos").Has("What must be one of")
	if all := strings.ToLower(fmt.Sprint(s.Audit(t, ""))); strings.Contains(all, "santos") {
		t.Errorf("the log has what was typed: %s", all)
	}
}
