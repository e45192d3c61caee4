package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// hang is how long a test waits for what must happen: only something that hangs takes longer, on any machine.
const hang = 10 * time.Minute

// eventually tries again, at most ten times a second, until holds is true.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	end := time.After(hang)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("it hangs: not within %s: %s", hang, what)
		}
	}
}

func TestDemo(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "kept")
	p, _ := start(t, `Ctrl-C ends the demo`, "demo", "--listen", "127.0.0.1:0", "--sample-listen", "127.0.0.1:0",
		"--dir", folder)
	printed := func(pattern string) string {
		t.Helper()
		found := regexp.MustCompile(pattern).FindStringSubmatch(p.said.String())
		if found == nil {
			t.Fatalf("the demo printed nothing like %s:\n%s", pattern, p.said)
		}
		return found[1]
	}
	app, theirs := printed(`Gangway +(http://\S+)`), printed(`The customer +(http://\S+)`)

	t.Run("its printed password signs in, and the crew is there", func(t *testing.T) {
		b := newBrowser(t, app)
		must(t, b.signIn(printed(`booker +(\S+)`), printed(`password +(\S+)`)))
		eventually(t, "travellers are suggested", func() bool {
			p, err := b.open("/suggest/travellers?surname=san")
			return err == nil && p.status == http.StatusOK && strings.Contains(p.html, "Santos")
		})
		p, err := b.open("/")
		if err != nil || !strings.Contains(p.html, "nothing here is real") {
			t.Fatalf("the first page = %+.300v, %v; want the development environment", p, err)
		}
	})
	t.Run("the curl lines work as they are printed", func(t *testing.T) {
		lines := regexp.MustCompile(`(?m)^  curl (.*)$`).FindAllStringSubmatch(p.said.String(), -1)
		if len(lines) != 3 {
			t.Fatalf("%d curl lines; want 3:\n%s", len(lines), p.said)
		}
		for i, want := range []string{`"isSuccess":true`, `[]`, `[]`} {
			if got := curl(t, lines[i][1]); !strings.Contains(got, want) {
				t.Errorf("curl %s\nanswered %s; want %s", lines[i][1], got, want)
			}
		}
	})
	t.Run("the customer's system has a page", func(t *testing.T) {
		if res, _ := look(t, theirs); res.StatusCode != http.StatusOK {
			t.Fatalf("GET %s = %d; want 200", theirs, res.StatusCode)
		}
	})
	t.Run("told to stop, it ends without complaint", func(*testing.T) { p.stop() })
	t.Run("a kept database is not overwritten", func(t *testing.T) {
		must(t, did(os.Stat(filepath.Join(folder, "gangway.db"))))
		refused(t, "is there already", "demo", "--dir", folder)
	})
}

// curl does what a printed curl line says.
func curl(t *testing.T, line string) string {
	t.Helper()
	words := regexp.MustCompile(`'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1)
	method, address, body, header := http.MethodGet, "", "", http.Header{}
	for i := 0; i < len(words); i++ {
		word := words[i][1] + words[i][2]
		switch {
		case word == "-H":
			i++
			name, value, _ := strings.Cut(words[i][1], ": ")
			header.Set(name, value)
		case word == "-d":
			i++
			method, body = http.MethodPost, words[i][1]
		case strings.HasPrefix(word, "http"):
			address = word
		}
	}
	req := sure(http.NewRequest(method, address, strings.NewReader(body)))(t)
	req.Header = header
	res := sure(http.DefaultClient.Do(req))(t)
	defer res.Body.Close()
	said := sure(io.ReadAll(res.Body))(t)
	return string(said)
}
