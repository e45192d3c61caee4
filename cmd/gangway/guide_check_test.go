package main

import (
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gangway/internal/deliver"
	"gangway/internal/doctor"
	"gangway/internal/samplecustomer"
	"gangway/internal/store/storetest"
)

// TestGuideChecks runs the commands of the integrator's guide as they stand there, against a system that is well,
// whose certificate is from an authority of its own. Each examines what the guide says of it.
func TestGuideChecks(t *testing.T) {
	secret := deliver.NewSecret()
	sample := samplecustomer.New(samplecustomer.Config{Secret: secret, Log: slog.New(slog.DiscardHandler)})
	var private atomic.Bool // it is for whoever has the password
	system := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); private.Load() && password != "p" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.URL.Path == "/export/crew" {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `[{"id": "H-1", "last_name": "Reyes", "first_name": "Ana"}]`)
			return
		}
		sample.ServeHTTP(w, r)
	}))
	system.Config.ErrorLog = log.New(io.Discard, "", 0)
	system.StartTLS()
	t.Cleanup(system.Close)
	folder := t.TempDir()
	leave := func(name, text string) {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	authority := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: system.Certificate().Raw}))
	leave("authority.pem", authority)
	leave("secret", secret)
	leave("auth.json", `{"kind": "basic", "user": "u", "password": "p"}`)

	v := &vault{t: t, database: storetest.SQLiteURL(t)}
	v.customer = answer[newCustomer](t, v.with(nil, "account", "create", "Halcyon Tankers")...).Customer
	feed, err := json.Marshal(map[string]any{"name": "crew", "flow": "travellers", "transport": map[string]any{
		"kind": "endpoint", "url": system.URL + "/export/crew", "ca": authority}})
	must(t, err)
	cmd := gangwayCommand(t, v.with(nil, "feed", "set", "--file", "-", "--allow-network", "127.0.0.0/8", "--customer",
		v.customer, "--environment", "development")...)
	cmd.Stdin = strings.NewReader(string(feed))
	ran(t, cmd)

	commands := guideChecks(t)
	if len(commands) != 6 {
		t.Errorf("the guide has %d commands: %q", len(commands), commands)
	}
	for _, command := range commands {
		t.Run(command, func(t *testing.T) {
			args := strings.Fields(strings.NewReplacer("https://crew.example", system.URL, "https://hr.example",
				system.URL, "--customer ID", "--customer "+v.customer).Replace(command))
			cmd := gangwayCommand(t, append(args[1:], "--json", "--allow-network", "127.0.0.0/8")...)
			cmd.Dir = folder
			cmd.Env = append(cmd.Environ(), "GANGWAY_DATABASE="+v.database)
			private.Store(slices.Contains(args, "--auth-file"))
			if !slices.Contains(args, "--ca") { // the others are for systems whose authority the machine knows
				cmd.Env = append(cmd.Env, "SSL_CERT_FILE="+filepath.Join(folder, "authority.pem"))
			}
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			var report doctor.Report
			must(t, json.Unmarshal(out, &report))
			examined := []string{"b1.answer", "b3.answer", "b4.answer"}
			switch {
			case slices.Contains(args, "push"):
				examined = []string{"b5.answer"}
			case slices.Contains(args, "travellers"), slices.Contains(args, "--feed"):
				examined = []string{"b2.answer"}
			}
			for _, c := range report.Checks {
				not := c.Verdict == doctor.NotTried && slices.Contains(examined, c.ID)
				if not || c.Verdict == doctor.Wrong {
					t.Errorf("%s is %s: %+v", c.ID, c.Verdict, c.Findings)
				}
			}
			asked := func(question string) bool {
				return slices.ContainsFunc(report.Calls, func(c doctor.Call) bool { return c.Question == question })
			}
			for flag, question := range map[string]string{"--surname": `surnames that begin with "rey"`,
				"--from": "the travel requests from 1 December 2026 to 7 December 2026",
				"--date": "the crew changes of 5 December 2026"} {
				if slices.Contains(args, flag) && !asked(question) {
					t.Errorf("it was not asked for %s", question)
				}
			}
		})
	}
}

// guideChecks are the commands of the guide's section about checks, each in one line.
func guideChecks(t *testing.T) (list []string) {
	guide := sure(os.ReadFile("../../docs/guide.md"))(t)
	_, section, _ := strings.Cut(string(guide), "## Check your system\n")
	_, section, _ = strings.Cut(section, "```sh\n")
	section, _, _ = strings.Cut(section, "```")
	for line := range strings.Lines(strings.ReplaceAll(section, "\\\n", "")) {
		command, _, _ := strings.Cut(line, "#")
		list = append(list, strings.Join(strings.Fields(command), " "))
	}
	return list
}
