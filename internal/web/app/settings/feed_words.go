package settings

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gangway"
	"gangway/internal/web/app/shell"
)

// flowWords says what a feed's records are for.
func flowWords(f gangway.Flow) string {
	switch f {
	case gangway.TravellersFlow:
		return "Travellers, for suggestions"
	case gangway.TravellerLookupFlow:
		return "Travellers, looked up by surname"
	case gangway.TravelRequestsFlow:
		return "Travel requests"
	case gangway.CrewChangesFlow:
		return "Crew changes"
	}
	return string(f)
}

// kindWords names a kind of transport.
func kindWords(kind string) string {
	if words, ok := map[string]string{"endpoint": "Web address", "sftp": "SFTP server", "ftps": "FTP server, with TLS",
		"ftp": "FTP server", "mail": "Mailbox", "database": "Database", "folder": "Folder of this server"}[kind]; ok {
		return words
	}
	return kind
}

// whereWords says where a feed's documents come from: its address, or a host and what is there.
func whereWords(t gangway.FeedTransport) string {
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

// intervalWords says how often a feed is fetched: "every hour", "every 90 min".
func intervalWords(d time.Duration) string {
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

// broughtWords says what the last run brought, which was good; good is when a look was good last,
// which may have found nothing since.
func broughtWords(last gangway.FeedRun, good time.Time) string {
	const soon = 10 * time.Second // between a run's end and the note of it
	words := shell.Plural(last.Received, "record", "records")
	switch {
	case last.NotModified:
		return "nothing had changed"
	case good.Sub(last.At.Add(last.Took)) > soon:
		return "nothing new since " + words + " on " + last.At.UTC().Format("2 Jan 15:04 UTC")
	case last.Refused > 0:
		return words + ", " + shell.Number(last.Refused) + " refused"
	}
	return words
}
