package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"gangway/internal/need"
)

// TestFirstBooking walks docs/start.md: what it types it takes from the page's own
// blocks, in one shell. Only "make build" is left out, as this is the program already, and the ports are free ones.
func TestFirstBooking(t *testing.T) {
	steps := recipe(t)
	if len(steps) > 8 {
		t.Errorf("the recipe has %d steps; want at most 8", len(steps))
	}
	listen, receiver := freePort(t), freePort(t)
	w := newWalk(t, listen, strings.NewReplacer("127.0.0.1:8080", listen, "127.0.0.1:8090", receiver,
		"receiver.py 8090", "receiver.py "+receiver[len("127.0.0.1:"):]))
	var locator string
	for i, s := range steps {
		heading, body, _ := strings.Cut(s, "\n")
		switch {
		case strings.HasPrefix(heading, "Book"):
			locator = w.book(body)
		case strings.HasPrefix(heading, "Watch the booking arrive"):
			eventually(t, "the receiver says that the booking is confirmed", func() bool {
				return strings.Contains(w.said.String(), "\n"+locator+" 1 confirmed")
			})
		}
		w.run(i+1, body)
	}
	said := w.said.String()
	if !strings.Contains(said, `"locator":"`+locator+`"`) {
		t.Error("the stored record is not shown")
	}
	if strings.Contains(said, `"status":`) ||
		strings.Count(said, "gangway: ") != strings.Count(said, "gangway: warning: ") {
		t.Error("something was refused on the way")
	}
	eventually(t, "everything that the recipe started has ended", func() bool {
		for _, address := range []string{listen, receiver} {
			if res, err := http.Get("http://" + address); err == nil {
				res.Body.Close()
				return false
			}
		}
		return true
	})
}

// recipe is the steps of the page, each from its heading on.
func recipe(t *testing.T) (steps []string) {
	t.Helper()
	page := sure(need.File("docs/start.md"))(t)
	text := sure(os.ReadFile(page))(t)
	for i, section := range strings.Split(string(text), "\n## ")[1:] {
		if step, ok := strings.CutPrefix(section, fmt.Sprintf("%d. ", i+1)); ok {
			steps = append(steps, step)
		}
	}
	return steps
}

// A walk is a person with a terminal and a browser.
type walk struct {
	t      *testing.T
	here   *strings.Replacer // for addresses of the page
	typed  io.Writer
	said   *transcript
	ended  chan struct{}
	folder string
}

// newWalk opens a terminal in a folder that looks like a clone in which Gangway was built.
func newWalk(t *testing.T, listen string, here *strings.Replacer) *walk {
	t.Helper()
	w := &walk{t: t, here: here, said: &transcript{}, ended: make(chan struct{}), folder: t.TempDir()}
	must(t, os.Mkdir(filepath.Join(w.folder, "bin"), 0o755))
	for name, target := range map[string]string{"bin/gangway": gangwayCommand(t).Path, "examples": example(t, "..")} {
		must(t, os.Symlink(target, filepath.Join(w.folder, name)))
	}
	shell := exec.Command("bash", "-e")
	shell.Dir, shell.Stdout, shell.Stderr = w.folder, w.said, w.said
	shell.Env = append(os.Environ(), "GANGWAY_LISTEN="+listen,
		"PATH="+filepath.Dir(need.Python(t))+":"+filepath.Dir(need.Curl(t))+":"+os.Getenv("PATH"))
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what is left behind ends with the test
	shell.WaitDelay = time.Second                           // because what it left behind may still write
	typed := sure(shell.StdinPipe())(t)
	must(t, shell.Start())
	w.typed = typed
	t.Cleanup(func() {
		syscall.Kill(-shell.Process.Pid, syscall.SIGKILL)
		<-w.ended
		if t.Failed() {
			t.Logf("The terminal says:\n%s", w.said)
		}
	})
	go func() { shell.Wait(); close(w.ended) }()
	fmt.Fprintln(w.typed, `make() { [ "$*" = build ]; }`)
	return w
}

var (
	shellBlock = regexp.MustCompile("(?s)(.*?)```sh\n(.*?)```")
	receives   = regexp.MustCompile("`([0-9] [a-z_]+)`")
)

// run types the blocks of a step, and waits until the shell has done them, and until the receiver has printed what the
// text above a block says.
func (w *walk) run(step int, body string) {
	w.t.Helper()
	for i, block := range shellBlock.FindAllStringSubmatch(body, -1) {
		done := fmt.Sprintf("\nstep %d.%d is done\n", step, i)
		fmt.Fprintf(w.typed, "%s\nprintf '%s'\n", w.here.Replace(block[2]), strings.ReplaceAll(done, "\n", `\n`))
		eventually(w.t, "step "+fmt.Sprint(step)+" is done", func() bool {
			select {
			case <-w.ended:
				w.t.Fatalf("the shell ended in step %d:\n%s", step, w.said)
			default:
			}
			return strings.Contains(w.said.String(), done)
		})
		for _, line := range receives.FindAllStringSubmatch(block[1], -1) {
			eventually(w.t, "the receiver says "+line[1], func() bool {
				return strings.Contains(w.said.String(), " "+line[1])
			})
		}
	}
}

var bold = regexp.MustCompile(`\*\*([^*]+)\*\*`)

// book does in the browser what the page says, and returns the booking's locator. What the page has in bold is seen, in
// its order.
func (w *walk) book(body string) (locator string) {
	t := w.t
	t.Helper()
	body = w.here.Replace(body)
	find := func(in, pattern string) string {
		t.Helper()
		found := regexp.MustCompile(pattern).FindStringSubmatch(in)
		if found == nil {
			t.Fatalf("there is no %s in:\n%s", pattern, in)
		}
		return found[1]
	}
	seen := bold.FindAllStringSubmatch(body, -1)
	see := func(p page, err error) {
		t.Helper()
		if err != nil || p.status != http.StatusOK || !strings.Contains(p.html, seen[0][1]) {
			t.Fatalf("%s: %d, %v; want to see %q in:\n%s", p.path, p.status, err, seen[0][1], p.html)
		}
		seen = seen[1:]
	}
	b := newBrowser(t, find(body, `Open (http://\S+) `))
	must(t, b.signIn(find(body, "sign in as `([^`]+)`"), find(w.said.String(), `\n  password  (\S+)\n`)))
	home, err := b.open("/book")
	if !strings.Contains(home.html, "Development: nothing here is real") {
		t.Errorf("signing in does not land in development:\n%s", home.text())
	}
	see(home, err)
	suggested, err := b.open("/suggest/travellers?surname=" + find(body, "Type `([^`]+)`"))
	see(suggested, err)
	see(home, nil) // the button
	_, fields, ok := home.form("/searches")
	if !ok {
		t.Fatal("there is no form to search with")
	}
	fields.Del("step")
	for name, value := range map[string]string{"name": "Santos, Maria", "traveller": find(suggested.html,
		`data-key="([^"]+)"`), "from": "MNL", "to": find(body, "fly to `([^`]+)`"), "when": "depart",
		"date": time.Now().AddDate(0, 1, 0).Format(time.DateOnly)} {
		fields[name] = []string{value}
	}
	results := sure(b.send("/searches", fields))(t)
	results, err = b.open(results.path + "?wait=1")
	see(results, err)
	to, hold, ok := results.form("/book")
	if !ok {
		t.Fatalf("there is nothing to hold:\n%s", results.text())
	}
	held, err := b.send(to, hold)
	if err != nil || held.status != http.StatusOK {
		t.Fatalf("holding is answered %d, %v:\n%s", held.status, err, held.text())
	}
	if list := url.QueryEscape(held.path); !strings.HasPrefix(held.path, "/bookings/") {
		t.Fatalf("holding leads to %s:\n%s", list, held.text())
	}
	return find(held.html, `<title>([A-Z0-9]{6})\b`)
}
