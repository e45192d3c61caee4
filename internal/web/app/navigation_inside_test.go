package app

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

// unlisted are the addresses without an identifier in them to which no entry of
// the navigation leads, each with the page or the reason that does.
var unlisted = map[string]string{
	"/travellers":                "the button of the first page",
	"/travellers/take-back":      "the button of a traveller's page",
	"/bookings/enter":            "the button of /bookings",
	"/bookings/together":         "the bar below lists of bookings",
	"/attention":                 "leads to the first page",
	"/itinerary":                 "the button of a booking and of a crew change",
	"/agent":                     "the button of a crew change's itinerary",
	"/agent.csv":                 "a file, from /agent",
	"/bookings.csv":              "a file, from /bookings",
	"/settings/audit.csv":        "a file, from /settings/audit",
	"/report/bookings":           "the figures of /report",
	"/report/download":           "the button of /report",
	"/report/views/mail":         "each saved view of /report",
	"/report/connect":            "the button of /report",
	"/report/connect.xlsx":       "a file, from /report/connect",
	"/report/connect.pbids":      "a file, from /report/connect",
	"/report.xlsx":               "a file, from /report/download",
	"/report.csv":                "a file, from /report/download",
	"/settings/moves":            "the buttons of /approvals and /settings/policy",
	"/settings/people/invite":    "the button of /settings/people",
	"/settings/feeds/new":        "the button of /settings/feeds",
	"/settings/outlets/new":      "the button of /settings/outlets",
	"/settings":                  "leads to the first page of the settings",
	"/password":                  "the menu of whoever is signed in",
	"/mails":                     "the menu of whoever is signed in",
	"/requests/take-back":        "each line of /requests",
	"/crew-changes/plan":         "each line of /crew-changes",
	"/crew-changes/board":        "the crew changes whose people are not booked as planned",
	"/crew-changes/board/stream": "for scripts",
	"/crew-changes/rules":        "the button of a crew change",
	"/crew-changes/take-back":    "the button of /crew-changes/plan",
	"/suggest/travellers":        "for scripts",
	"/suggest/airports":          "for scripts",
	"/live":                      "for scripts",
	"/live/frame":                "for scripts",
	"/suggest/anything":          "for scripts",
	"/suggest/dates":             "for scripts",
}

// TestEveryPageIsLedTo holds that each page that people open by themselves has a
// line in the navigation or is left out of it on purpose, and that the sign-in
// page has words for it.
func TestEveryPageIsLedTo(t *testing.T) {
	a := calltest.Must(New(Config{DB: storetest.New(t), Now: time.Now, Log: slog.New(slog.DiscardHandler)}))(t)
	listed := map[string]bool{}
	for _, s := range navigation.Sections {
		listed[s.Path] = true
	}
	for _, l := range slices.Concat(navigation.Settings, navigation.Ways) {
		listed[l.Path] = true
	}
	sent := map[string]bool{} // forms are only sent there: reload.go leads on
	for _, s := range shownAgain {
		sent[s.sent] = true
	}
	there := map[string]bool{}
	for _, r := range a.Routes() {
		path := strings.TrimSuffix(r.Path, "{$}")
		if r.Method != http.MethodGet || r.For == web.Anybody || sent[path] {
			continue
		}
		there[path] = true
		_, left := unlisted[path]
		if !strings.Contains(path, "{") && listed[path] == left {
			t.Errorf("%s: a line in navigation.go leads there (%v), or it is left out on purpose (%v): want one of "+
				"both", path, listed[path], left)
		}
		named := slices.ContainsFunc(navigation.Going, func(l shell.Link) bool {
			return strings.HasPrefix(path, l.Path)
		})
		if asked := unlisted[path] != "for scripts" && path != "/" && path != "/password"; asked && !named {
			t.Errorf("%s: whoever signs in to go there is not told where; Going in navigation.go says it", path)
		}
	}
	for path := range unlisted {
		if !there[path] {
			t.Errorf("%s is left out of the navigation, and no page", path)
		}
	}
	for path := range listed {
		if !there[path] {
			t.Errorf("%s stands in the navigation, and no page does there", path)
		}
	}
}
