package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/transport/kinds"
)

// A wayIn is a transport to a real server, and what becomes of each flow by it.
type wayIn struct {
	kind  string // of transport
	how   string // variants of a kind, as the guide names them
	flows map[gangway.Flow]string
	serve func(*testing.T) served // nil: nobody serves it here
}

// A served is a server of a customer in which the document of each flow lies.
type served struct {
	settings func(gangway.Flow) map[string]any // of the transport
	mapping  map[gangway.Flow]string
	done     func(*testing.T, gangway.Flow) int // how many documents were put away; nil: none are
}

// What becomes of a flow.
const (
	fetched = "fetched"
	askedOf = "asked"
)

// What can be asked is asked, but for all travellers; files and mails cannot be.
var (
	answering = map[gangway.Flow]string{gangway.TravellersFlow: fetched, gangway.TravellerLookupFlow: askedOf,
		gangway.TravelRequestsFlow: askedOf, gangway.CrewChangesFlow: askedOf}
	left = map[gangway.Flow]string{gangway.TravellersFlow: fetched,
		gangway.TravellerLookupFlow: "no: nothing there can be asked while somebody types; `travellers` serves the same",
		gangway.TravelRequestsFlow:  fetched, gangway.CrewChangesFlow: fetched}
)

// waysIn are all transports, each with the servers that it is tried with.
var waysIn = []wayIn{
	{"endpoint", "HTTP", answering, serveEndpoint},
	{"sftp", "OpenSSH", left, serveSFTPFolder},
	{"ftps", "explicit TLS, vsftpd", left, serveFTPFolder("explicit")},
	{"ftps", "implicit TLS, vsftpd", left, serveFTPFolder("implicit")},
	{"ftp", "vsftpd", left, serveFTPFolder("")},
	{"mail", "IMAP, Dovecot", left, serveMailbox},
	{"database", "PostgreSQL", answering, nil}, // see transport/database
	{"database", "MySQL, MariaDB", answering, nil},
	{"database", "SQLite", answering, serveSQLite},
	{"database", "SQL Server, Oracle: their drivers, up to the wire", answering, nil},
	{"folder", "on this machine", left, serveFolder},
	{"upload", "files given by hand", left, nil}, // nobody serves them: see the tests of feed run --document
}

// TestEveryWayIn moves a document by each transport and flow from a real server to where bookers see its record.
func TestEveryWayIn(t *testing.T) {
	keys := keyFile(t, base64.StdEncoding.EncodeToString(make([]byte, 32)))
	onEither(t, func(t *testing.T, database string) {
		for _, w := range waysIn {
			if w.serve == nil {
				continue
			}
			t.Run(w.kind+" "+w.how, func(t *testing.T) {
				t.Parallel()
				system := w.serve(t)
				v := &vault{t: t, database: database}
				v.customer = answer[newCustomer](t, v.with([]string{"--secret-key-file", keys}, "account", "create",
					w.kind+" "+w.how)...).Customer
				for _, flow := range gangway.Flows {
					t.Run(string(flow), func(t *testing.T) {
						comesBy(t, func(command ...string) []string {
							return v.of([]string{"--secret-key-file", keys, "--allow-network", "127.0.0.0/8"},
								command...)
						}, w, system, flow)
					})
				}
			})
		}
	})
}

// comesBy sets a feed, runs it, and looks for its record where bookers see it. on is a command on the account.
func comesBy(t *testing.T, on func(...string) []string, w wayIn, system served, flow gangway.Flow) {
	settings := system.settings(flow)
	settings["kind"] = w.kind
	doc, err := json.Marshal(map[string]any{"name": string(flow), "flow": flow, "transport": settings,
		"mapping": system.mapping[flow]})
	must(t, err)
	file := filepath.Join(t.TempDir(), "feed.json")
	must(t, os.WriteFile(file, doc, 0o600))
	if strings.HasPrefix(w.flows[flow], "no") {
		refused(t, "flow "+string(flow)+" asks while somebody types", on("feed", "set", "--file", file)...)
		return
	}
	ran(t, gangwayCommand(t, on("feed", "set", "--file", file)...))
	run := answer[feedAnswer](t, on(slices.Concat([]string{"feed", "run", string(flow)}, map[string][]string{
		askedOf: fedSamples[flow].ask}[w.flows[flow]])...)...)
	if stored := run.Created == 1; run.Received != 1 || len(run.Refused)+len(run.Warnings) > 0 ||
		stored != (w.flows[flow] == fetched) {
		t.Errorf("feed run: %+v; want the one record, %s", run, w.flows[flow])
	}
	if got, want := fedSamples[flow].seen(t, on), fedSamples[flow].want+" by feed:"+string(flow); got != want {
		t.Errorf("bookers see %s; want %s", got, want)
	}
	if system.done != nil && system.done(t, flow) != 1 {
		t.Errorf("%d documents were put away; want the one", system.done(t, flow))
	}
}

// A fedSample is a document of a flow, in a format of its own, and its record as bookers see it.
type fedSample struct {
	name, document string
	ask            []string
	want           string
	seen           func(t *testing.T, on func(...string) []string) string
}

var fedSamples = map[gangway.Flow]fedSample{
	gangway.TravellersFlow: {"crew.csv", "Crew ID;Surname;Given name;Gender\nC-1;Sørensen;Ana;F\n", nil,
		"Sørensen Ana C-1", suggested("soren")},
	gangway.TravellerLookupFlow: {"found.xml", `<crew><member><id>C-2</id><last_name>Okafor</last_name>` +
		`<first_name>Bea</first_name></member></crew>`, []string{"--surname", "oka"},
		"Okafor Bea C-2", suggested("okaf")},
	gangway.TravelRequestsFlow: {"requests.json", `[{"requestId": "R-3", "traveler": {"lastName": "Cruz", ` +
		`"firstName": "Cas"}, "flight": {"origin": "MNL", "destination": "SIN", "date": "2026-12-01"}}]`,
		[]string{"--date", "2026-12-01"}, "R-3 of Cruz", planned(func(p plans) (seen []string) {
			for _, r := range p.TravelRequests {
				seen = append(seen, r.ExternalInfo.RequestID+" of "+r.Traveler.LastName+" by "+r.Source)
			}
			return seen
		})},
	gangway.CrewChangesFlow: {"changes.yaml", "- vessel: Nordlys\n  flag: NO\n  change_date: 2026-12-01\n" +
		"  onsigners:\n  - {last_name: Lim, first_name: Dan}\n",
		[]string{"--date", "2026-12-01"}, "Nordlys NO with Lim", planned(func(p plans) (seen []string) {
			for _, c := range p.CrewChanges {
				for _, m := range c.OnSigners {
					seen = append(seen, c.Vessel+" "+c.Flag+" with "+m.LastName+" by "+c.Source)
				}
			}
			return seen
		})},
}

// suggested is whom bookers are offered who type the beginning of a name.
func suggested(typed string) func(*testing.T, func(...string) []string) string {
	return func(t *testing.T, on func(...string) []string) string {
		t.Helper()
		var seen []string
		for _, f := range answer[[]struct {
			LastName  string `json:"last_name"`
			FirstName string `json:"first_name"`
			ID        string `json:"id"`
			Source    string `json:"source"`
		}](t, on("traveller", "find", typed)...) {
			seen = append(seen, fmt.Sprintf("%s %s %s by %s", f.LastName, f.FirstName, f.ID, f.Source))
		}
		return strings.Join(seen, ", ")
	}
}

// plans are what bookers' pages list for a day.
type plans struct {
	TravelRequests []struct {
		ExternalInfo struct {
			RequestID string `json:"requestId"`
		} `json:"externalInfo"`
		Traveler struct {
			LastName string `json:"lastName"`
		} `json:"traveler"`
		Source string `json:"source"`
	} `json:"travel_requests"`
	CrewChanges []struct {
		Vessel    string `json:"vessel"`
		Flag      string `json:"flag"`
		OnSigners []struct {
			LastName string `json:"last_name"`
		} `json:"onsigners"`
		Source string `json:"source"`
	} `json:"crew_changes"`
}

// planned is what is planned for the day of the samples.
func planned(of func(plans) []string) func(*testing.T, func(...string) []string) string {
	return func(t *testing.T, on func(...string) []string) string {
		t.Helper()
		return strings.Join(of(answer[plans](t, on("planned", "--on", "2026-12-01")...)), ", ")
	}
}

// TestGuideSaysEveryWayIn holds the table of docs/reference.md of transports and flows against the ways that are tried.
func TestGuideSaysEveryWayIn(t *testing.T) {
	var want strings.Builder
	want.WriteString("| transport | tried with |")
	for _, flow := range gangway.Flows {
		fmt.Fprintf(&want, " `%s` |", flow)
	}
	want.WriteString("\n|---|---|" + strings.Repeat("---|", len(gangway.Flows)) + "\n")
	for _, w := range waysIn {
		fmt.Fprintf(&want, "| `%s` | %s |", w.kind, w.how)
		for _, flow := range gangway.Flows {
			cell, _, _ := strings.Cut(w.flows[flow], ":")
			fmt.Fprintf(&want, " %s |", cell)
		}
		want.WriteByte('\n')
	}
	guide := sure(os.ReadFile("../../docs/reference.md"))(t)
	if !strings.Contains(string(guide), "\n\n"+want.String()+"\n") {
		t.Errorf("docs/reference.md lacks this table:\n%s", &want)
	}
	for _, k := range kinds.All {
		if !slices.ContainsFunc(waysIn, func(w wayIn) bool { return w.kind == k.Name }) {
			t.Errorf("transport %s has no row", k.Name)
		}
	}
}
