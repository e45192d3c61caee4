package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/need"
	"gangway/internal/store/storetest"

	"github.com/go-json-experiment/json"
)

// A crewing is a customer whose system is made of every example of a receiver: whatever is pushed goes to all of
// them, and is accepted once all of them have accepted it.
type crewing struct {
	t         *testing.T
	receivers []*exampleReceiver
	secret    string // that they check signatures with

	mu     sync.Mutex
	pushes []overheard
	killed bool // before they answer the next push, after they have stored it
}

// An overheard push is what a library that verifies webhooks is given.
type overheard struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

func (c *crewing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	o := overheard{Headers: map[string]string{}, Body: string(body)}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		o.Headers[name] = r.Header.Get(name)
	}
	c.pushes = append(c.pushes, o)
	status := http.StatusNoContent
	for _, receiver := range c.receivers {
		if got := receiver.post(r.Header, body); got != status {
			c.t.Logf("a receiver answers %d", got)
			status = http.StatusInternalServerError
		}
	}
	if c.killed {
		c.killed = false
		c.restart()
		panic(http.ErrAbortHandler) // nobody hears that they have stored it
	}
	w.WriteHeader(status)
}

func (c *crewing) restart() {
	for _, receiver := range c.receivers {
		receiver.restart(c.secret)
	}
}

// during does something while nothing is pushed.
func (c *crewing) during(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
}

// came waits until n pushes came, repeats included, and returns them.
func (c *crewing) came(n int) []overheard {
	c.t.Helper()
	eventually(c.t, fmt.Sprintf("%d pushes came", n), func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.pushes) >= n
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.pushes)
}

// TestReceiversOfABooking takes a booking through its life in the real program, while the example of a receiver in Go
// gets what is pushed.
func TestReceiversOfABooking(t *testing.T) { tryReceiversOfABooking(t, receivers[:1]) }

// TestInteropReceiversOfABooking does so with the examples in all languages; and two libraries that are not ours find
// every signature right.
func TestInteropReceiversOfABooking(t *testing.T) {
	need.Interop(t)
	pushes, old, fresh := tryReceiversOfABooking(t, receivers)
	verified(t, pushes, old, fresh)
}

// tryReceiversOfABooking kills the receivers between storing and answering, and replaces the signing secret. In the end
// each has every action, once and in order. It returns the pushes, and the old secret and the new one.
func tryReceiversOfABooking(t *testing.T, receivers []receiverExample) (all []overheard, old, fresh string) {
	t.Helper()
	database := storetest.SQLiteURL(t)
	c := &crewing{t: t}
	for _, language := range receivers {
		c.receivers = append(c.receivers, newExampleReceiver(t, language.made))
	}
	system := httptest.NewServer(c)
	t.Cleanup(system.Close)
	made := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	account := []string{"--customer", made.Customer, "--environment", "production", "--database", database}
	outlet := answer[outletSecret](t, append([]string{"outlet", "set", "--url", system.URL, "--allow-network",
		"127.0.0.0/8"}, account...)...)
	c.secret = outlet.Secret
	for _, receiver := range c.receivers {
		receiver.start(c.secret)
	}
	_, app, base := serve(t, database, "--allow-network", "127.0.0.0/8")

	b := newPerson(t, app, database, made.Customer, "booker")
	search := b.searchFor(t, 1, base, made.Production.APIKey, time.Now())
	b.press(t, search+"?wait=1&member=0", "/book")
	booking := pushed(t, c.came(1)[0])
	c.during(func() { c.killed = true })
	b.press(t, "/bookings/"+booking.ID+"/issue", "/issue")
	c.came(3)
	fresh = answer[outletSecret](t, append([]string{"outlet", "rotate", outlet.Outlet}, account...)...).Secret
	b.press(t, "/bookings/"+booking.ID+"/cancel", "/cancel")
	c.came(4)
	c.during(func() { c.secret = fresh; c.restart() }) // now they check with the new one
	ran(t, gangwayCommand(t, append([]string{"outlet", "replay", outlet.Outlet, "--booking",
		strings.ToLower(booking.Locator), "--action", "1"}, account...)...))
	all = c.came(5)

	want := []string{}
	for i, o := range all {
		repeat, id := i == 2, o.Headers["webhook-id"]
		if repeat != slices.ContainsFunc(all[:i], func(o overheard) bool { return o.Headers["webhook-id"] == id }) {
			t.Errorf("push %d has webhook-id %s; want that of the one it repeats, and a replay one of its own", i, id)
		}
		if n := len(strings.Fields(o.Headers["webhook-signature"])); (n == 2) != (i > 2) {
			t.Errorf("push %d has %d signatures", i, n)
		}
		if !repeat {
			want = append(want, fmt.Sprintf("%s %s %d", id, booking.ID, []int{1, 2, 2, 3, 1}[i]))
		}
	}
	var files [][]byte
	c.during(func() {
		for i, receiver := range c.receivers {
			if got := receiver.stored(); !slices.Equal(got, want) {
				t.Errorf("the receiver in %s has stored\n%q; want\n%q", receivers[i].language, got, want)
			}
			file := sure(os.ReadFile(receiver.file))(t)
			files = append(files, file)
		}
	})
	for i, file := range files {
		if !bytes.Equal(file, files[0]) {
			t.Errorf("the receiver in %s has stored other bytes than the one in %s", receivers[i].language,
				receivers[0].language)
		}
	}
	return all, outlet.Secret, fresh
}

func pushed(t *testing.T, o overheard) (b sentBooking) {
	t.Helper()
	must(t, json.Unmarshal([]byte(o.Body), &b))
	return b
}

// verified gives pushes to npm's standardwebhooks and svix, which the program does not use. The last two were made
// while the secret was being replaced.
func verified(t *testing.T, pushes []overheard, old, fresh string) {
	t.Helper()
	var questions []overheard
	var want []bool
	ask := func(o overheard, secret string, right bool) {
		o.Secret = secret
		questions, want = append(questions, o), append(want, right)
	}
	for i, o := range pushes {
		rotating := i >= len(pushes)-2
		ask(o, old, true)
		ask(o, fresh, rotating)
		changed := o
		changed.Body = strings.Replace(o.Body, `"state"`, `"State"`, 1)
		ask(changed, old, false)
	}
	script := sure(need.File("cmd/gangway/testdata/webhooks/verify.mjs"))(t)
	var in bytes.Buffer
	for _, q := range questions {
		line := sure(json.Marshal(q))(t)
		in.Write(append(line, '\n'))
	}
	cmd := exec.Command(need.WebhookClients(t), script)
	cmd.Stdin = &in
	out := sure(cmd.Output())(t)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d answers to %d questions: %s", len(lines), len(want), out)
	}
	for i, line := range lines {
		var verdicts map[string]string
		if err := json.Unmarshal([]byte(line), &verdicts); err != nil || len(verdicts) != 2 {
			t.Fatalf("%v in %s", err, line)
		}
		for library, verdict := range verdicts {
			if (verdict == "right") != want[i] {
				t.Errorf("push %d, signed %d times: %s says %q; want right: %v", i/3,
					len(strings.Fields(questions[i].Headers["webhook-signature"])), library, verdict, want[i])
			}
		}
	}
}
