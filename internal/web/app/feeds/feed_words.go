package feeds

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A flowNames is what pages call a flow and its records.
type flowNames struct {
	Words, Records string
	Back           string // where the records are
	Section        string // the entry of the navigation that has them
}

var namesOf = map[gangway.Flow]flowNames{
	gangway.TravellersFlow:      {"Travellers, for suggestions", "travellers", "/travellers", "book"},
	gangway.TravellerLookupFlow: {"Travellers, looked up by surname", "travellers", "/travellers", "book"},
	gangway.TravelRequestsFlow:  {"Travel requests", "travel requests", "/requests", "requests"},
	gangway.CrewChangesFlow:     {"Crew changes", "crew changes", "/crew-changes", "crew-changes"},
}

var kindWords = map[string]string{"endpoint": "Web address", "sftp": "SFTP server", "ftps": "FTP server, with TLS",
	"ftp": "FTP server", "mail": "Mailbox", "database": "Database", "folder": "Folder of this server",
	gangway.UploadTransport: "Documents given by hand"}

// KindWords names a kind of transport.
func KindWords(kind string) string { return cmp.Or(kindWords[kind], kind) }

// whereWords says where a feed's documents come from: its address, or a host and what is there.
func whereWords(t gangway.Transport) string {
	var s map[string]any
	if json.Unmarshal(t.Settings, &s) != nil {
		return ""
	}
	text := func(name string) string {
		if value, ok := s[name]; ok && value != nil {
			return fmt.Sprint(value)
		}
		return ""
	}
	if url := text("url"); url != "" {
		return url
	}
	where := text("host")
	if port := text("port"); port != "" && where != "" {
		where += ":" + port
	}
	for _, name := range []string{"path", "mailbox"} {
		there := text(name)
		if where != "" && there != "" && !strings.HasPrefix(there, "/") {
			there = "/" + there
		}
		where += there
	}
	return where
}

// fetchedWords says when a feed is fetched.
func fetchedWords(f gangway.Feed, live bool) string {
	switch {
	case f.Asked(live):
		return "when somebody needs it"
	case f.ByHand():
		return "when somebody gives it a document"
	}
	return IntervalWords(f.Interval(live))
}

// IntervalWords says how often a feed is fetched: "every hour", "every 90 min".
func IntervalWords(d time.Duration) string {
	switch {
	case d == time.Minute:
		return "every minute"
	case d == time.Hour:
		return "every hour"
	case d == 24*time.Hour:
		return "every day"
	case d%(24*time.Hour) == 0:
		return fmt.Sprintf("every %d days", d/(24*time.Hour))
	case d%time.Hour == 0:
		return fmt.Sprintf("every %d h", d/time.Hour)
	case d%time.Minute == 0:
		return fmt.Sprintf("every %d min", d/time.Minute)
	}
	return "every " + d.String()
}

// broughtWords says what a feed's last good run brought. The feed may have been looked at since,
// and nothing was found. What a feed answers that is asked leaves no run.
func broughtWords(good gangway.FeedRun, f store.StoredFeed, asked bool) string {
	const soon = 10 * time.Second // between a run's end and the note of it
	words := shell.Plural(good.Received, "record", "records")
	switch {
	case good.At.IsZero(), asked:
		return ""
	case good.NotModified:
		return "nothing had changed"
	case f.GoodAt.Sub(good.At.Add(good.Took)) > soon:
		return "nothing new since " + words + " on " + good.At.UTC().Format("2 Jan 15:04 UTC")
	case good.FailedDocuments > 0:
		return words + ", " + failedWords(good)
	case good.Refused > 0:
		return words + ", " + shell.Number(good.Refused) + " refused"
	}
	return words
}
