package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport/transporttest"
)

// serveEndpoint is a customer's system that answers by HTTP, and only who asks as the interface has it.
func serveEndpoint(t *testing.T) served {
	addresses := map[gangway.Flow]string{gangway.TravellersFlow: "/crew",
		gangway.TravellerLookupFlow: "/lookup?surname=oka",
		gangway.TravelRequestsFlow:  "/requests?from=2026-12-01&to=2026-12-01",
		gangway.CrewChangesFlow:     "/changes?date=2026-12-01"}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for flow, address := range addresses {
			if strings.HasPrefix(r.URL.String(), address) {
				fmt.Fprint(w, fedSamples[flow].document)
				return
			}
		}
		http.Error(w, "what of?", http.StatusBadRequest)
	}))
	t.Cleanup(s.Close)
	return served{mapping: map[gangway.Flow]string{gangway.TravellerLookupFlow: ".crew.member | if type == \"array\" " +
		"then .[] else . end"},
		settings: func(flow gangway.Flow) map[string]any {
			path, _, _ := strings.Cut(addresses[flow], "?")
			return map[string]any{"url": s.URL + path}
		}}
}

// leftIn is a server of files that are in a folder of this machine, each flow's in one of its own.
func leftIn(t *testing.T, folder string, settings func(flow gangway.Flow) map[string]any) served {
	for _, flow := range gangway.Flows {
		must(t, os.MkdirAll(filepath.Join(folder, string(flow)), 0o777))
		file := filepath.Join(folder, string(flow), fedSamples[flow].name)
		dropFile(t, file, fedSamples[flow].document)
		longAgo := time.Now().AddDate(0, 0, -7) // in whatever zone the server lists it, nobody writes it any more
		must(t, os.Chtimes(file, longAgo, longAgo))
	}
	return served{settings: settings, done: func(t *testing.T, flow gangway.Flow) int {
		list := sure(filepath.Glob(filepath.Join(folder, string(flow), "done", "*")))(t)
		return len(list)
	}}
}

func serveFolder(t *testing.T) served {
	folder := t.TempDir()
	return leftIn(t, folder, func(flow gangway.Flow) map[string]any {
		return map[string]any{"path": filepath.Join(folder, string(flow))}
	})
}

func serveSFTPFolder(t *testing.T) served {
	folder, s := t.TempDir(), transporttest.ServeSFTP(t, false)
	return leftIn(t, folder, func(flow gangway.Flow) map[string]any {
		return map[string]any{"host": "127.0.0.1", "port": s.Port, "user": s.User, "private_key": s.PrivateKey,
			"host_key": s.HostKey, "path": filepath.Join(folder, string(flow))}
	})
}

func serveFTPFolder(tls string) func(*testing.T) served {
	return func(t *testing.T) served {
		folder := t.TempDir()
		s := transporttest.ServeFTP(t, folder, tls, false)
		return leftIn(t, folder, func(flow gangway.Flow) map[string]any {
			set := map[string]any{"host": "127.0.0.1", "port": s.Port, "user": s.User, "password": s.Password,
				"path": filepath.Join(folder, string(flow))}
			if tls != "" {
				set["tls"], set["ca"] = tls, s.CA
			}
			return set
		})
	}
}

// serveMailbox is an IMAP server with a mailbox for each flow, and a mail with the document attached in each.
func serveMailbox(t *testing.T) served {
	s := transporttest.ServeIMAP(t)
	for _, flow := range gangway.Flows {
		sample := fedSamples[flow]
		s.Leave(t, string(flow), mailWith("<"+string(flow)+"@example.com>", sample.name, sample.document))
	}
	return served{done: func(t *testing.T, flow gangway.Flow) int { return len(s.Mails(t, string(flow)+".done")) },
		settings: func(flow gangway.Flow) map[string]any {
			return map[string]any{"host": "127.0.0.1", "port": s.Port, "user": s.User, "password": s.Password,
				"ca": s.CA, "mailbox": string(flow), "from": []string{"crewing@example.com"}}
		}}
}

// mailWith is a mail with a document attached.
func mailWith(id, name, document string) string {
	return "From: crewing@example.com\nSubject: Crew\nMessage-ID: " + id + "\nMIME-Version: 1.0\n" +
		"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nAs agreed.\n" +
		"--x\nContent-Disposition: attachment; filename=" + name + "\n\n" + document + "\n--x--\n"
}

// serveSQLite is a database with the samples in tables.
func serveSQLite(t *testing.T) served {
	file := filepath.Join(t.TempDir(), "crew.db")
	db := openSQL(t, "sqlite:"+file)
	for _, statement := range []string{
		"CREATE TABLE seafarer (no VARCHAR(9), family VARCHAR(40), given VARCHAR(40), active INT)",
		"INSERT INTO seafarer VALUES ('C-1', 'Sørensen', 'Ana', 1), ('C-2', 'Okafor', 'Bea', 0)",
		"CREATE TABLE voyage (no VARCHAR(9), family VARCHAR(40), given VARCHAR(40), place VARCHAR(3), " +
			"port VARCHAR(3), leaves DATE)",
		"INSERT INTO voyage VALUES ('R-3', 'Cruz', 'Cas', 'MNL', 'SIN', '2026-12-01'), " +
			"('R-4', 'Cruz', 'Cas', 'SIN', 'MNL', '2026-12-09')",
		"CREATE TABLE rotation (ship VARCHAR(40), state VARCHAR(2), changes DATE, family VARCHAR(40), " +
			"given VARCHAR(40))",
		"INSERT INTO rotation VALUES ('Nordlys', 'NO', '2026-12-01', 'Lim', 'Dan'), " +
			"('Nordlys', 'NO', '2026-12-09', 'Tan', 'Eva')",
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	people := "SELECT no, family, given FROM seafarer WHERE "
	queries := map[gangway.Flow]string{
		gangway.TravellersFlow:      people + "active = 1",
		gangway.TravellerLookupFlow: people + "LOWER(family) LIKE LOWER(:surname || '%')",
		gangway.TravelRequestsFlow:  "SELECT * FROM voyage WHERE leaves BETWEEN :from AND :to",
		gangway.CrewChangesFlow:     "SELECT * FROM rotation WHERE changes = :date",
	}
	person := ".[] | {id: .no, last_name: .family, first_name: .given}"
	return served{
		mapping: map[gangway.Flow]string{gangway.TravellersFlow: person, gangway.TravellerLookupFlow: person,
			gangway.TravelRequestsFlow: ".[] | {requestId: .no, traveler: {lastName: .family, firstName: .given}, " +
				"flight: {origin: .place, destination: .port, date: .leaves}}",
			gangway.CrewChangesFlow: "group_by(.ship)[] | {vessel: .[0].ship, flag: .[0].state, " +
				"change_date: .[0].changes, onsigners: map({last_name: .family, first_name: .given})}"},
		settings: func(flow gangway.Flow) map[string]any {
			return map[string]any{"query": queries[flow], "url": "sqlite://" + file}
		},
	}
}
