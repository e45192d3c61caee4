package kinds_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
	"gangway/internal/transport/transporttest"

	_ "modernc.org/sqlite"
)

// A mistake is a setting that somebody got wrong, and what the sentence about it must say.
type mistake struct {
	name  string
	wrong map[string]any
	says  []string
}

// told pulls with settings of which some are wrong, and checks the sentence.
func told(t *testing.T, kind string, right map[string]any, mistakes ...mistake) {
	t.Helper()
	for _, m := range append(mistakes, mistake{name: "none"}) {
		set := maps.Clone(right)
		maps.Copy(set, m.wrong)
		doc := calltest.Must(json.Marshal(set))(t)
		k := calltest.Must(kinds.Find(kind))(t)
		p, err := k.Open(doc, transport.Options{Allow: transporttest.Loopback})
		if err == nil {
			_, err = transporttest.Pull(t.Context(), p, transport.Query{Most: 1 << 20})
		}
		if m.says == nil && err != nil {
			t.Errorf("%s without a mistake: %v", kind, err)
		}
		for _, says := range m.says {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s, %s: %v; want it to say %q", kind, m.name, err, says)
			}
		}
		if err != nil && (strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "tide-")) {
			t.Errorf("%s, %s: %q; want one line without a secret", kind, m.name, err)
		}
	}
}

// otherAuthority is the certificate of an authority that has issued none of the servers'.
func otherAuthority(t *testing.T) string {
	a := calltest.Must(transporttest.NewAuthority())(t)
	return a.Certificate
}

// closedPort is one that nobody listens at.
func closedPort(t *testing.T) (port int) {
	t.Run("closed", func(t *testing.T) { port = transporttest.Listen(t, nil) })
	return port
}

func TestSentencesOfSFTP(t *testing.T) {
	s := transporttest.ServeSFTP(t, false)
	right := map[string]any{"host": "127.0.0.1", "port": s.Port, "user": s.User, "private_key": s.PrivateKey,
		"host_key": s.HostKey, "path": t.TempDir()}
	other := transporttest.ServeSFTP(t, false)
	told(t, "sftp", right,
		mistake{"no host key", map[string]any{"host_key": ""},
			[]string{"host_key is missing", `set "host_key": "SHA256:`}},
		mistake{"another host key", map[string]any{"host_key": other.HostKey}, []string{"is not host_key"}},
		mistake{"another fingerprint", map[string]any{"host_key": "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8"},
			[]string{"is not host_key"}},
		mistake{"another key", map[string]any{"private_key": other.PrivateKey},
			[]string{"user, password or private_key is wrong"}},
		mistake{"a password", map[string]any{"private_key": "", "password": "tide-tables"}, []string{"private_key"}},
		mistake{"another user", map[string]any{"user": "nobody-here"},
			[]string{`does not let the user "nobody-here" in`}},
		mistake{"no such folder", map[string]any{"path": "/outgoing/crew"}, []string{`no folder "/outgoing/crew"`}},
		mistake{"a file", map[string]any{"path": "/etc/passwd"}, []string{`no folder "/etc/passwd"`}},
		mistake{"a closed port", map[string]any{"port": closedPort(t)}, []string{"connection refused"}},
		mistake{"a port of something else", map[string]any{"port": webPort(t)}, []string{"no port of SFTP"}},
		mistake{"no such host", map[string]any{"host": "sftp.nowhere.invalid"}, []string{"name is not known"}},
	)
}

// webPort is that of a web server.
func webPort(t *testing.T) int {
	a := calltest.Must(transporttest.NewAuthority())(t)
	u := calltest.Must(url.Parse(a.Serve(t, http.NotFoundHandler(), false).URL))(t)
	var port int
	fmt.Sscan(u.Port(), &port)
	return port
}

func TestSentencesOfFTP(t *testing.T) {
	transporttest.NamesLeadHome(t)
	folder := t.TempDir()
	for _, tls := range []string{"explicit", "implicit"} {
		s := transporttest.ServeFTP(t, folder, tls, false)
		right := map[string]any{"host": "127.0.0.1", "port": s.Port, "tls": tls, "ca": s.CA, "user": s.User,
			"password": s.Password, "path": folder}
		expired := transporttest.ServeExpiredFTP(t, folder, tls)
		mistakes := []mistake{
			{"another user", map[string]any{"user": "nobody-here"}, []string{`does not let the user "nobody-here" in`}},
			{"no such folder", map[string]any{"path": "/outgoing/crew"}, []string{`no folder "/outgoing/crew"`}},
			{"another name", map[string]any{"host": "crew.example"},
				[]string{`not for the name "crew.example"`, "127.0.0.1"}},
			{"no authority", map[string]any{"ca": ""}, []string{"authority that is not known here", "(ca)"}},
			{"another authority", map[string]any{"ca": otherAuthority(t)},
				[]string{"authority that is not known here", "(ca)"}},
			{"expired", map[string]any{"port": expired.Port, "ca": expired.CA}, []string{"has expired", " to 20"}},
			{"a closed port", map[string]any{"port": closedPort(t)}, []string{"connection refused"}},
		}
		if tls == "explicit" {
			plain := transporttest.ServeFTP(t, folder, "", false)
			mistakes = append(mistakes,
				mistake{"implicit", map[string]any{"tls": "implicit"}, []string{`tls is "explicit"`}},
				mistake{"no TLS there", map[string]any{"port": plain.Port},
					[]string{"does not begin TLS", `kind is "ftp"`}})
			told(t, "ftp", map[string]any{"host": "127.0.0.1", "port": plain.Port, "user": s.User,
				"password": s.Password, "path": folder},
				mistake{"with TLS there", map[string]any{"port": s.Port},
					[]string{`the user "anonymous" in: it says "Anonymous sessions must use encryption."`}},
				mistake{"no such folder", map[string]any{"path": "/outgoing/crew"},
					[]string{`no folder "/outgoing/crew"`}})
		}
		told(t, "ftps", right, mistakes...)
	}
}

func TestSentencesOfMail(t *testing.T) {
	transporttest.NamesLeadHome(t)
	s := transporttest.ServeIMAP(t)
	right := map[string]any{"host": "127.0.0.1", "port": s.Port, "user": s.User, "password": s.Password, "ca": s.CA,
		"from": []string{"crewing@example.com"}}
	told(t, "mail", right,
		mistake{"another password", map[string]any{"password": "tide-ebbs"},
			[]string{`does not let the user "crew@example.com" in`}},
		mistake{"no such mailbox", map[string]any{"mailbox": "Crew lists"},
			[]string{`mailbox "Crew lists" cannot be opened`, "doesn't exist"}},
		mistake{"another name", map[string]any{"host": "crew.example"},
			[]string{`not for the name "crew.example"`, "127.0.0.1"}},
		mistake{"another authority", map[string]any{"ca": otherAuthority(t)},
			[]string{"authority that is not known here", "(ca)"}},
		mistake{"starttls at the port of TLS", map[string]any{"tls": "starttls"}, []string{`tls is "implicit"`}},
		mistake{"TLS at the port of starttls", map[string]any{"port": s.StartTLSPort}, []string{`tls is "starttls"`}},
		mistake{"a closed port", map[string]any{"port": closedPort(t)}, []string{"connection refused"}},
	)
}

func TestSentencesOfDatabases(t *testing.T) {
	transporttest.NamesLeadHome(t)
	file := filepath.Join(t.TempDir(), "crew.db")
	lite := calltest.Must(sql.Open("sqlite", file))(t)
	defer lite.Close()
	calltest.Must(lite.Exec("CREATE TABLE crew (id TEXT)"))(t)
	authority := calltest.Must(transporttest.NewAuthority())(t)
	maria := transporttest.ServeMariaDB(t, authority)
	postgres := transporttest.OverTCP(t, storetest.PostgresURL(t))
	user := postgres.User
	u := calltest.Must(url.Parse(postgres.URL))(t)
	nowhere := *u
	nowhere.Path = "/nowhere"
	good := "SELECT 1 AS id"
	inSQL := []mistake{
		{"a misspelled word", map[string]any{"query": "SELECT 1 AS id\nFRM crew"}, []string{"FRM"}},
		{"no such table", map[string]any{"query": "SELECT 1 AS a,\n 2 AS b FROM nowhere"}, []string{"nowhere"}},
		{"no such column", map[string]any{"query": "SELECT surnam FROM (SELECT 1 AS id) AS t"}, []string{"surnam"}},
		{"two columns of one name", map[string]any{"query": "SELECT 1 AS id, 2 AS id"},
			[]string{`two columns the name "id"`, "AS"}},
		{"a change", map[string]any{"query": "DELETE FROM crew"}, []string{"must be a SELECT"}},
	}
	told(t, "database", map[string]any{"url": u.String(), "user": user, "query": good, "tls": false}, append(inSQL,
		mistake{"after parameters", map[string]any{"query": "SELECT :surname AS a, :date AS b\n  FROM nowhere -- ü"},
			[]string{`relation "nowhere" does not exist, at line 2, column 8 of the query`}},
		mistake{"no such user", map[string]any{"user": "nobody_here"}, []string{"nobody_here"}},
		mistake{"no such database", map[string]any{"url": nowhere.String()}, []string{`"nowhere" does not exist`}},
		mistake{"too slow", map[string]any{"query": "SELECT pg_sleep(60)", "time_limit": 1}, []string{"in time"}},
	)...)
	at := func(host string, port int, name string) string {
		return fmt.Sprintf("mariadb://gangway@%s:%d/%s", host, port, name)
	}
	told(t, "database", map[string]any{"url": at("127.0.0.1", maria.Port, "crew"), "password": "tide-tables",
		"tls": true, "ca": authority.Certificate, "query": good}, append(inSQL,
		mistake{"another password", map[string]any{"password": "tide-ebbs"},
			[]string{"Access denied for user 'gangway'", "1045"}},
		mistake{"no such database", map[string]any{"url": at("127.0.0.1", maria.Port, "nowhere")}, []string{"nowhere"}},
		mistake{"another name", map[string]any{"url": at("crew.example", maria.Port, "crew")},
			[]string{`not for the name "crew.example"`, "127.0.0.1"}},
		mistake{"another authority", map[string]any{"ca": otherAuthority(t)},
			[]string{"authority that is not known here", "(ca)"}},
		mistake{"a closed port", map[string]any{"url": at("127.0.0.1", closedPort(t), "crew")},
			[]string{"connection refused"}},
	)...)
	told(t, "database", map[string]any{"url": "sqlite://" + file, "query": good}, append(inSQL,
		mistake{"no such file", map[string]any{"url": "sqlite:///nowhere/crew.db"}, []string{"unable to open"}},
		mistake{"no database", map[string]any{"url": "sqlite:///etc/passwd"}, []string{"not a database"}},
	)...)
}

func TestSentencesOfEndpoints(t *testing.T) {
	transporttest.NamesLeadHome(t)
	a := calltest.Must(transporttest.NewAuthority())(t)
	s := a.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, p, _ := r.BasicAuth(); p != "tide-tables" {
			http.Error(w, "who is there?", http.StatusUnauthorized)
		} else if r.URL.Path != "/crew" {
			http.NotFound(w, r)
		}
	}), false)
	told(t, "endpoint", map[string]any{"url": s.URL + "/crew", "ca": a.Certificate,
		"auth": map[string]any{"kind": "basic", "user": "u", "password": "tide-tables"}},
		mistake{"another password", map[string]any{"auth": map[string]any{"kind": "basic", "user": "u",
			"password": "tide-ebbs"}}, []string{"credentials", "401"}},
		mistake{"another path", map[string]any{"url": s.URL + "/crews"}, []string{"nothing at this address", "404"}},
		mistake{"another name", map[string]any{"url": strings.Replace(s.URL, "127.0.0.1", "crew.example", 1) + "/crew"},
			[]string{`not for the name "crew.example"`, "127.0.0.1"}},
		mistake{"no TLS", map[string]any{"url": strings.Replace(s.URL, "https", "http", 1) + "/crew"},
			[]string{"refused the request"}},
		mistake{"another authority", map[string]any{"ca": otherAuthority(t)},
			[]string{"authority that is not known here", "(ca)"}},
		mistake{"a closed port", map[string]any{"url": fmt.Sprintf("https://127.0.0.1:%d/", closedPort(t))},
			[]string{"connection refused"}},
	)
}
