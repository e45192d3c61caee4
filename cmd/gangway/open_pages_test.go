package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/need"
	"gangway/internal/store/storetest"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/jackc/pgx/v5"
)

// TestOpenPages leaves a crew change open in many browsers, on two replicas where there may be two, and uploads it
// anew: all of them show it. Then a replica is killed, and its pages go on at the other one. "make trial" has ten
// people with 20 pages each and two real tabs, and logs how long it takes and how much memory.
func TestOpenPages(t *testing.T) {
	people, pages, crew := 2, 3, 6
	if need.InTrial() {
		people, pages, crew = 10, 20, 40
	}
	t.Run("SQLite", func(t *testing.T) {
		w := newOpenPages(t, "sqlite:"+t.TempDir()+"/gangway.db", 1, people, pages, crew)
		w.upload(11)
		w.upload(12)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		w := newOpenPages(t, storetest.PostgresURL(t), 2, people, pages, crew)
		w.upload(11)
		if need.InTrial() {
			w.idle()
		}
		w.replicas[0].kill()
		w.upload(12)
	})
}

// openPages are the pages of one crew change.
type openPages struct {
	t        *testing.T
	database string
	replicas []*program
	apps     []string
	base     string // of the interface, at the last replica
	key      string
	crew     map[string]any
	pages    []*openPage
	tabs     []*apptest.Tab
	before   int64 // memory, with nobody there
}

func newOpenPages(t *testing.T, database string, replicas, people, pages, crew int) *openPages {
	w := &openPages{t: t, database: database}
	made := answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	w.key, w.crew = made.Production.APIKey, crewOf(crew, time.Now())
	for range replicas {
		p, app, base := serve(t, database)
		w.replicas, w.apps, w.base = append(w.replicas, p), append(w.apps, app), base
	}
	path := ""
	for i := range people {
		who := answer[newUser](t, "user", "create", "--customer", made.Customer, "--email",
			fmt.Sprintf("p%d@halcyon.example", i), "--role", "booker", "--database", database)
		b := newBrowser(t, w.apps[0])
		must(t, b.signIn(who.Email, who.Password))
		if i == 0 {
			path = b.searchFor(t, crew, w.base, w.key, time.Now())
			sure(b.open(path + "?wait=1"))(t)
			w.before = w.memory()
			if need.InTrial() {
				for range 2 {
					w.openTab(who, path)
				}
			}
		}
		for n := range pages {
			w.open(b, path, n)
		}
	}
	eventually(t, "every page listens", func() bool {
		return !slices.ContainsFunc(w.pages, func(p *openPage) bool { return p.said() == "" })
	})
	t.Logf("%d pages are open: %d kB more memory", len(w.pages), (w.memory()-w.before)>>10)
	return w
}

// open opens a page as its script keeps it: it listens at one replica, and at another one when that is gone.
func (w *openPages) open(b *browser, path string, n int) {
	page := &openPage{apps: slices.Clone(w.apps), path: path, client: &http.Client{Jar: b.client.Jar}}
	if page.at = n % len(w.apps); page.at > 0 { // a session is of all replicas
		at := sure(url.Parse(w.apps[page.at]))(w.t)
		page.client.Jar.SetCookies(at, b.client.Jar.Cookies(sure(url.Parse(w.apps[0]))(w.t)))
	}
	shown := sure(read(page.client.Get(page.apps[page.at] + path)))(w.t)
	_, after, _ := strings.Cut(shown.html, `data-live="/live?for=`)
	page.mark, _, _ = strings.Cut(after, `"`)
	ctx, leave := context.WithCancel(w.t.Context())
	var done sync.WaitGroup
	done.Go(func() { page.follow(ctx) })
	w.t.Cleanup(func() { leave(); done.Wait() })
	w.pages = append(w.pages, page)
}

func (w *openPages) openTab(who newUser, path string) {
	tab := apptest.OpenTab(w.t)
	tab.Do(chromedp.Navigate(w.apps[0] + path))
	tab.Until(`document.querySelector("#email") !== null`)
	tab.Do(chromedp.SendKeys(apptest.CSS("#email"), who.Email),
		chromedp.SendKeys(apptest.CSS("#password"), who.Password+"\r"))
	tab.Until(`location.pathname.startsWith("/searches/") && document.querySelector("[data-stream]") === null`)
	tab.Read(`(() => {
		window.seen = {};
		const look = () => {
			for (const day of ["11", "12"]) if (document.querySelector("main").innerText.includes(window["day" + day]))
				window.seen[day] ??= Date.now();
		};
		new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true});
		return "";
	})()`)
	w.tabs = append(w.tabs, tab)
}

// upload moves the crew change to another day, and waits until every page says so.
func (w *openPages) upload(day int) {
	w.t.Helper()
	date := time.Now().AddDate(0, 0, day)
	w.crew["change_date"] = date.Format(time.DateOnly)
	for _, m := range w.crew["onsigners"].([]map[string]any) {
		m["arrive"] = map[string]any{"port": "SIN", "date": date.Format(time.DateOnly)}
	}
	words := date.Format("Mon 2 Jan")
	for _, tab := range w.tabs {
		tab.Read(fmt.Sprintf("window.day%d = %q", day, words))
	}
	for _, p := range w.pages {
		p.await(words)
	}
	alive := w.replicas[len(w.replicas)-1]
	work, began := processorTime(alive), time.Now()
	_, _, err := call(http.MethodPost, w.base+"/travel-requests", w.key, []any{w.crew})
	must(w.t, err)
	sent := time.Now()
	var took []time.Duration
	eventually(w.t, "every page says "+words, func() bool {
		took = took[:0]
		for _, p := range w.pages {
			if at := p.trueAt(); !at.IsZero() {
				took = append(took, at.Sub(sent))
			}
		}
		return len(took) == len(w.pages)
	})
	slices.Sort(took)
	views := int64(0)
	for _, p := range w.pages {
		views += p.views()
	}
	w.t.Logf("%d pages say %s: half within %v, all within %v of the upload's answer (%v); %d kB more memory; %v of "+
		"processor time for %d views", len(took), words, took[len(took)/2], took[len(took)-1], sent.Sub(began),
		(w.memory()-w.before)>>10, processorTime(alive)-work, views)
	for _, tab := range w.tabs {
		if w.replicas[0].cmd.ProcessState != nil {
			break // a tab knows one address
		}
		seen := fmt.Sprintf(`window.seen["%d"]`, day)
		tab.Until(seen + " !== undefined")
		var ms int64
		fmt.Sscan(tab.Read("String("+seen+")"), &ms)
		w.t.Logf("a real tab says it within %v", time.UnixMilli(ms).Sub(sent))
	}
}

// idle holds that pages where nothing happens do not each ask the database whether they may stay: it waits until each
// has heard that its stream is alive.
func (w *openPages) idle() {
	w.t.Helper()
	conn := sure(pgx.Connect(w.t.Context(), w.database))(w.t)
	defer conn.Close(w.t.Context())
	transactions := func() (n int) {
		must(w.t, conn.QueryRow(w.t.Context(), `SELECT xact_commit FROM pg_stat_database
			WHERE datname = current_database()`).Scan(&n))
		return n
	}
	hearAll := func() {
		beats := map[*openPage]int{}
		for _, p := range w.pages {
			beats[p] = p.heard()
		}
		eventually(w.t, "every page hears that its stream is alive", func() bool {
			return !slices.ContainsFunc(w.pages, func(p *openPage) bool { return p.heard() == beats[p] })
		})
	}
	hearAll() // what the upload was news for is over
	began, before := time.Now(), transactions()
	hearAll()
	asked, took := transactions()-before, time.Since(began)
	w.t.Logf("%d idle pages and two replicas: %d transactions in %v", len(w.pages), asked, took)
	if each := float64(asked) / took.Seconds() / float64(len(w.pages)); each > 0.5 {
		w.t.Errorf("%.1f transactions a second for each idle page", each)
	}
}

func (w *openPages) memory() (bytes int64) {
	for _, p := range w.replicas {
		bytes += anonymous(p)
	}
	return bytes
}

// anonymous returns how much memory a program has that does not belong to a file, in bytes.
func anonymous(p *program) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	_, kb, _ := strings.Cut(string(status), "RssAnon:")
	var n int64
	fmt.Sscan(kb, &n)
	return n << 10
}

// processorTime is what a program has used so far.
func processorTime(p *program) time.Duration {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	_, after, _ := strings.Cut(string(stat), ") ")
	var user, system int64 // in hundredths of a second
	if f := strings.Fields(after); len(f) > 12 {
		fmt.Sscan(f[11], &user)
		fmt.Sscan(f[12], &system)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

// An openPage is one page as its script keeps it.
type openPage struct {
	apps   []string
	path   string
	mark   string
	client *http.Client
	at     int // of apps

	mu    sync.Mutex
	news  string // heard last
	beats int    // how often it heard
	words string // awaited
	came  time.Time
	seen  int64 // how often it looked since
}

func (p *openPage) said() string      { p.mu.Lock(); defer p.mu.Unlock(); return p.news }
func (p *openPage) heard() int        { p.mu.Lock(); defer p.mu.Unlock(); return p.beats }
func (p *openPage) trueAt() time.Time { p.mu.Lock(); defer p.mu.Unlock(); return p.came }
func (p *openPage) views() int64      { p.mu.Lock(); defer p.mu.Unlock(); return p.seen }
func (p *openPage) await(words string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.words, p.came, p.seen = words, time.Time{}, 0
}

func (p *openPage) follow(ctx context.Context) {
	for tag := ""; ctx.Err() == nil; p.at = (p.at + 1) % len(p.apps) {
		res, err := p.get(ctx, "/live?for="+p.mark, "Accept", "text/event-stream")
		if err != nil {
			continue
		}
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			news, ok := strings.CutPrefix(lines.Text(), "data: ")
			if ok {
				p.mu.Lock()
				p.beats++
				p.mu.Unlock()
			}
			if !ok || news == p.said() {
				continue
			}
			p.look(ctx, news, &tag)
		}
		res.Body.Close()
	}
}

func (p *openPage) look(ctx context.Context, news string, tag *string) {
	res, err := p.get(ctx, p.path, "Gangway-Live", p.mark, "If-None-Match", *tag)
	if err != nil {
		return
	}
	defer res.Body.Close()
	html, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 400 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.news, *tag = news, cmp.Or(res.Header.Get("Etag"), *tag)
	if p.seen++; p.came.IsZero() && p.words != "" && strings.Contains(string(html), p.words) {
		p.came = time.Now()
	}
}

func (p *openPage) get(ctx context.Context, path string, head ...string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.apps[p.at]+path, nil)
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(head); i += 2 {
		req.Header.Set(head[i], head[i+1])
	}
	return p.client.Do(req)
}
