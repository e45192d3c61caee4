package app_test

import (
	"encoding/csv"
	"fmt"
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
		a.shows("/settings/audit", "Settings › Audit", "Settings changed", "command &lt;root&gt;", "bridge", "auto issue: no → yes", "<span>20 Nov 2036</span> <span>09:00:00</span>",
			"Signed in", "booker@example.com (Ingrid Holm)", "127.0.0.1", "Request refused", "path: /settings/audit")
		admin.get("/settings/audit?who=command&what=settings.changed&from=2036-11-20&to=2036-11-20").has("auto issue: no → yes")
		admin.get("/settings/audit?who=command+%3Croot%3E&what=settings.changed").has("auto issue: no → yes")
		admin.get("/settings/audit?who=%3Croot%3E&what=settings.changed").has("auto issue: no → yes")
		byName := admin.get("/settings/audit?who=Ingrid+Holm")
		byName.has("booker@example.com (Ingrid Holm)")
		byName.lacks("Settings changed</th>")
		admin.get("/settings/audit?who=Booker%40example.com").lacks("Settings changed</th>")
		admin.get("/settings/audit?from=2036-11-21").has("None fits")
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
		if e.After["who"] != "system" {
			t.Errorf("the log says %v; want the filter", e.After)
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

// Bookings that are taken away are in the audit log, without whom was looked for.
func TestExportsLeaveEntries(t *testing.T) {
	s := newSite(t)
	s.signedIn(t, gangway.Booker).get("/bookings.csv?vessel=Nordic&find=Santos").has("locator,")
	list := s.audit(t, gangway.BookingsExported)
	if len(list) != 1 || list[0].After["vessel"] != "Nordic" || len(list[0].After) != 1 || list[0].Environment != gangway.Production {
		t.Fatalf("the audit log says %+v; want that the bookings of Nordic were taken away", list)
	}
}
