package apptest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept"
	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// SetFeed sets a feed of an account, due at next; zero: never.
func SetFeed(t *testing.T, in store.Scoped, f gangway.Feed, next time.Time) {
	t.Helper()
	Must(in.SetFeed(t.Context(), storetest.Operator, f.Name, func(store.StoredFeed) (gangway.Feed, error) {
		return f, nil
	}, next, Today))(t)
}

// RunFeed stores a run of a feed that began at a time, with the documents that it read, as a poller
// does, and returns it.
func RunFeed(t *testing.T, in store.Scoped, run gangway.FeedRun, next time.Time, documents ...string) gangway.FeedRun {
	t.Helper()
	l := Must(in.TakeFeed(t.Context(), run.Feed, run.At, run.At.Add(time.Minute)))(t)
	for i, doc := range documents {
		Done(t, in.KeepFeedDocument(t.Context(), l, store.FeedDocument{Run: l.Run, Place: i, Name: "crew.csv",
			ContentType: "text/csv"}, strings.NewReader(doc)))
	}
	run.Documents = len(documents)
	return Must(in.EndFeedRun(t.Context(), l, run, store.FeedRunEnd{Next: next, Whole: !run.Failed()},
		run.At.Add(run.Took)))(t)
}

// SetBusyFeed sets the feed "busy", which is being fetched.
func SetBusyFeed(t *testing.T, s *Site) store.FeedLease {
	t.Helper()
	in := Production(s)
	SetFeed(t, in, gangway.Feed{Name: "busy", Flow: gangway.TravelRequestsFlow, Transport: gangway.Transport{
		Kind: "mail", Settings: json.RawMessage(`{"host":"mail.corvina.example","user":"requests","password":null,` +
			`"from":["crewing@corvina.example","ops@corvina.example"],"smtp":{"host":"mail.corvina.example",` +
			`"password":null}}`)}}, Today)
	return Must(in.TakeFeed(t.Context(), "busy", Today, Today.Add(time.Hour)))(t)
}

// FeedDocument is what the feed "crew" has read, as it came.
const FeedDocument = "Personalnummer;Name;Vorname;Geschlecht\nC-1;Santos;Maria;x\n"

// FeedRuns are runs that SetFeeds makes.
type FeedRuns struct {
	Last gangway.FeedRun // of "crew": some were refused
	Bad  gangway.FeedRun // of "crew-changes-of-the-fleet": it failed, with remarks on many records
	Old  gangway.FeedRun // of "crew": its documents are gone
}

// SetFeeds sets a feed of each kind that pages show: "crew", which is fine and has refused some, and has three
// versions; "crew-changes-of-the-fleet", which fails; "lookup", which is asked; "old", switched off; and
// "fresh", a folder.
func SetFeeds(t *testing.T, s *Site) (made FeedRuns) {
	t.Helper()
	in := Production(s)
	at := func(kind, settings string) gangway.Transport {
		return gangway.Transport{Kind: kind, Settings: json.RawMessage(settings)}
	}
	hr := at("endpoint", `{"url":"https://hr.corvina.example/personnel/export/crew","auth":{"kind":"basic",`+
		`"user":"gangway","password":null},"headers":{"X-Tenant":null}}`)
	crew := gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow, Transport: hr,
		Format: gangway.DocumentFormat{Kind: gangway.CSVFormat, Delimiter: ";"},
		Mapping: ".[] | {\n  id: .Personalnummer,\n  last_name: .Name,\n  first_name: .Vorname,\n" +
			"  gender: (.Geschlecht | gender)\n}"}
	first, second := crew, crew
	first.Transport = at("sftp", `{"host":"files.corvina.example","user":"gangway","password":null,"path":"/out/crew"}`)
	first.Format, first.Mapping, first.Every = gangway.DocumentFormat{Kind: gangway.AutoFormat}, "", 15*time.Minute
	second.Mapping = strings.Replace(crew.Mapping, "(.Geschlecht | gender)", ".Geschlecht", 1)
	for _, version := range []gangway.Feed{first, second, crew} {
		SetFeed(t, in, version, Today)
	}
	ship := gangway.Feed{Name: "crew-changes-of-the-fleet", Flow: gangway.CrewChangesFlow, Every: 15 * time.Minute,
		Transport: at("sftp", `{"host":"files.corvina.example","port":2222,"user":"gangway","private_key":null,`+
			`"path":"/outgoing/crewing/Crew_Changes_of_the_Corvina_Dolomite_Endeavour_and_her_sisters"}`)}
	SetFeed(t, in, ship, Today)
	SetFeed(t, in, gangway.Feed{Name: "lookup", Flow: gangway.TravellerLookupFlow, Transport: hr}, time.Time{})
	SetFeed(t, in, gangway.Feed{Name: "fresh", Flow: gangway.TravelRequestsFlow,
		Transport: at("folder", `{"path":"/srv/requests"}`)}, Today.Add(time.Minute))
	SetFeed(t, in, gangway.Feed{Name: "old", Flow: gangway.TravellersFlow, Transport: hr, Off: true}, time.Time{})

	made.Old = RunFeed(t, in, gangway.FeedRun{Feed: "crew", At: Today.Add(-8 * 24 * time.Hour), Took: time.Second,
		Received: 410, Refused: 2, Refusals: []gangway.FeedRemark{{Message: "a traveller needs a last name"}}}, Today,
		FeedDocument)
	Must(s.DB.Expire(t.Context(), Today))(t)
	RunFeed(t, in, gangway.FeedRun{Feed: "crew", At: Today.Add(-2 * time.Hour), Took: time.Second,
		Received: 410}, Today)
	RunFeed(t, in, gangway.FeedRun{Feed: "crew", At: Today.Add(-time.Hour), Took: 30 * time.Second,
		Error: "hr.corvina.example has answered with status 502"}, Today)
	made.Bad = RunFeed(t, in, badRun(), Today, strings.Split(strings.Repeat("x ", 120), " ")...)
	RunFeed(t, in, gangway.FeedRun{Feed: "crew-changes-of-the-fleet", At: Today.Add(-time.Hour), Took: 3 * time.Second,
		Error: "files.corvina.example refused the key of gangway: is it among those that the server trusts?"}, Today)
	last := gangway.FeedRun{Feed: "crew", At: Today.Add(-20 * time.Minute), Took: 1400 * time.Millisecond,
		Received: 412, Refused: 1, Warned: 1,
		Refusals: []gangway.FeedRemark{{Record: 17, At: "line 19", Field: "LastName", SourceField: "Name",
			Message: "a traveller needs a last name"}},
		Warnings: []gangway.FeedRemark{{At: "line 2", Field: "Gender", SourceField: "Geschlecht", Value: "x",
			Message: "must be M or F"}, {Whole: true, Message: "The last word was taken as the family name where a " +
			`name does not say which part it is. 3 in all: "LI WEI" as "WEI", "Pieter van der Berg" as "van der Berg".`}}}
	made.Last = RunFeed(t, in, last, Today.Add(40*time.Minute), FeedDocument)
	return made
}

// badRun is a run that failed, and that has more to say than a page shows at first.
func badRun() gangway.FeedRun {
	run := gangway.FeedRun{Feed: "crew-changes-of-the-fleet", At: Today.Add(-2 * time.Hour), Took: 83 * time.Second,
		Received: 1260, Refused: 1250,
		Ask:     gangway.Ask{From: "2036-12-01", To: "2036-12-07"},
		Error:   "it lacks 1230 of the 1240 records that it had: nothing was changed",
		Shorter: gangway.ShorterList{Now: 10, Before: 1240}}
	for i := range accept.MaxRemarks {
		run.Refusals = append(run.Refusals, gangway.FeedRemark{Record: i, At: fmt.Sprintf("Crew!C%d", i+2),
			Field: "Onsigners[1].IntermediateAirports[0].Date", SourceField: "Zwischenlandungen_Datum_der_Ankunft",
			Value:   "neunundzwanzigster_Februar_zweitausendsiebenunddreißig_am_Nachmittag",
			Message: "must be a date as in 2036-12-01, on which the traveller passes the airport between flights"})
	}
	return run
}

// FetchDue fetches the site's feeds that are due, and returns once each has been.
func (s *Site) FetchDue(t *testing.T) {
	t.Helper()
	feeds := Must(Production(s).Feeds(t.Context()))(t)
	for _, f := range feeds {
		if f.Due.IsZero() || f.Due.After(s.Now()) {
			continue
		}
		Must(s.Poller.Fetch(t.Context(), Production(s), f.Name, poll.Ask{}))(t)
	}
}
