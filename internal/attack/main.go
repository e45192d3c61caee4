// Command attack measures whether anybody can fill the memory of gangway serve:
//
//	go run ./internal/attack [-database sqlite|postgres] [-settle 3m] [NAME…]
//
// For each attack it starts the real program on a fresh database, fills its caches with ordinary work, measures its
// memory at rest, attacks, and watches: it may use at most 256 MB above rest, and after three minutes at most 64 MB.
// SQLite is attacked in a temporary folder, PostgreSQL on the server that GANGWAY_TEST_POSTGRES names.
//
// It knows the program only from outside, and the memory of it and its workers as Linux counts it (RssAnon: memory that
// belongs to no file).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"gangway/internal/program"

	"golang.org/x/sync/errgroup"
)

const mostAbove, stillAbove = 256 << 20, 64 << 20 // above rest: ever, and once the attack is over

// A run attacks, and returns what clients saw.
type run func(ctx context.Context, s *server) (answers, error)

// An attack is something that anybody could send.
type attack struct {
	name   string
	before string // its effect before there were bounds
	run    run
}

var settle = flag.Duration("settle", 3*time.Minute, "how long memory has to come down once an attack is over")

func main() { program.Main("attack", attackAll) }

func attackAll(ctx context.Context, kinds, names []string) (met bool, err error) {
	folder, err := os.MkdirTemp("", "gangway-attack.")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(folder)
	path, err := program.Build(ctx, folder)
	if err != nil {
		return false, err
	}
	met = true
	for _, a := range attacks {
		for _, kind := range kinds {
			if len(names) > 0 && !slices.Contains(names, a.name) {
				continue
			}
			within, err := a.measure(ctx, path, folder, kind)
			if err != nil {
				return false, fmt.Errorf("%s on %s: %w", a.name, kind, err)
			}
			met = met && within
		}
	}
	return met, nil
}

// measure attacks the program on a kind of database, prints what that does to its memory, and reports whether the
// program stayed within its bounds and answered all requests.
func (a attack) measure(ctx context.Context, path, folder, kind string) (met bool, err error) {
	url, drop, err := program.NewDatabase(ctx, kind, folder)
	defer func() { err = errors.Join(err, drop()) }()
	if err != nil {
		return false, err
	}
	serving, err := program.Program{Path: path, Database: url}.Serve(ctx, nil)
	if err != nil {
		return false, err
	}
	defer serving.Stop()
	s := &server{serving}
	if err := s.fill(ctx); err != nil {
		return false, fmt.Errorf("fill the caches: %w", err)
	}
	time.Sleep(10 * time.Second)
	rest, most := s.Memory(), s.WatchMemory(ctx)
	saw, err := a.run(ctx, s)
	peak, over := most()-rest, time.Now()
	if err != nil {
		return false, err
	}
	after := s.Memory() - rest
	for ; after > stillAbove && time.Since(over) < *settle; after = s.Memory() - rest {
		time.Sleep(time.Second)
	}
	met = rest > 0 && peak <= mostAbove && after <= stillAbove && saw.failures() == 0
	fmt.Printf("%-17s %-8s met: %t; rest %d MB, peak +%d MB, +%d MB after %s (before: %s); %v\n", a.name, kind, met,
		rest/1e6, peak/1e6, after/1e6, time.Since(over).Round(time.Second), a.before, saw)
	return met, nil
}

// A server is gangway serve in its own process, with one customer.
type server struct{ *program.Server }

// fill has the program do a day's work, so that its caches are as usual.
func (s *server) fill(ctx context.Context) error {
	err := good(s.post(ctx, request{uploadPath, jsonType, travellers(20_000, 0)}))
	for day := 0; day < 20 && err == nil; day++ {
		_, err = s.search(8, later(30+day))
	}
	return err
}

// search hands a crew of n off and returns the path of its page.
func (s *server) search(n int, at time.Time) (path string, err error) {
	res, err := s.Booker.PostForm(s.URL(program.HandoffPath), crew(n, at, ""))
	if err := good(read(res, err)); err != nil {
		return "", err
	}
	return res.Request.URL.Path, nil
}

// good returns an error unless a client saw that all is well.
func good(saw string) error {
	if saw == "200" {
		return nil
	}
	return errors.New("a client saw " + saw)
}

// post sends a request on a connection of its own and returns what the client saw.
func (s *server) post(ctx context.Context, r request) string {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL(r.path), strings.NewReader(r.body))
	if err != nil {
		return err.Error()
	}
	req.Header.Set("Content-Type", r.kind)
	if r.kind != formType {
		req.Header.Set("X-Api-Key", s.Development.APIKey)
	}
	if strings.HasPrefix(r.body, "\x1f\x8b") {
		req.Header.Set("Content-Encoding", "gzip")
	}
	return read((&http.Transport{DisableKeepAlives: true}).RoundTrip(req))
}

// others tries what other clients do meanwhile: load a page, and upload one record.
func (s *server) others(ctx context.Context, n int) answers {
	one := request{uploadPath, jsonType, travellers(1, 0)}
	saw := atOnce(n, 2, func(int) string { return s.post(ctx, one) })
	saw.add("", atOnce(n, 1, func(int) string { return read(http.Get(s.URL("/sign-in"))) }))
	return saw
}

// head is a raw request of somebody who is signed in and has the customer's key, up to its body.
func (s *server) head(what string, more ...string) string {
	cookies, at := "", url.URL{Scheme: "http", Host: s.Address}
	for _, c := range s.Booker.Jar.Cookies(&at) {
		cookies += c.Name + "=" + c.Value + "; "
	}
	lines := []string{what + " HTTP/1.1", "Host: x", "Cookie: " + cookies, "X-Api-Key: " + s.Development.APIKey}
	return strings.Join(append(lines, more...), "\r\n") + "\r\n\r\n"
}

// crowd is how many addresses a crowd connects from.
const crowd = 16

// connections are raw connections that nobody reads from.
type connections []net.Conn

// dial opens n connections from so many addresses of this machine, which has a whole network of them, and sends one of
// the beginnings on each.
func (s *server) dial(ctx context.Context, n, addresses int, begins ...string) (open connections, err error) {
	for i := range n {
		address := net.IPv4(127, 0, 0, byte(2+i/len(begins)%addresses))
		conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: address}}).DialContext(ctx, "tcp", s.Address)
		if err != nil {
			return open, err
		}
		open = append(open, conn)
		conn.Write([]byte(begins[i%len(begins)])) // fails where it was refused
	}
	return open, nil
}

// dribble sends one more byte on each connection; those that were cut are ignored.
func (c connections) dribble() {
	for _, conn := range c {
		conn.SetWriteDeadline(time.Now().Add(time.Millisecond))
		conn.Write([]byte("x"))
	}
}

func (c connections) close() {
	for _, conn := range c {
		conn.Close()
	}
}

// answers counts what clients saw.
type answers map[string]int

// add adds what others saw, with a word before it.
func (a answers) add(whose string, seen answers) {
	for what, n := range seen {
		a[whose+what] += n
	}
}

// silently is how a 503 ends that does not say when to come again.
const silently = " without Retry-After"

// failed is what says that we have failed. 503 says that there is no room just now, which is documented if it says when
// to come again.
var failed = regexp.MustCompile(`(^| )(50[0-24-9]|5[1-9]\d)$|` + silently + "$")

func (a answers) failures() (sum int) {
	for what, n := range a {
		if failed.MatchString(what) {
			sum += n
		}
	}
	return sum
}

// read reads an answer to its end, and says in a word what a client saw.
func read(res *http.Response, err error) string {
	if err != nil {
		return "cut" // refused while it was still sending
	}
	defer res.Body.Close()
	io.Copy(io.Discard, res.Body)
	if res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") == "" {
		return fmt.Sprint(res.StatusCode, silently)
	}
	return fmt.Sprint(res.StatusCode)
}

// atOnce does something n times, so many in parallel, and counts the results.
func atOnce(n, side int, do func(i int) string) answers {
	saw := answers{}
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(side)
	for i := range n {
		g.Go(func() error {
			what := do(i)
			mu.Lock()
			defer mu.Unlock()
			saw[what]++
			return nil
		})
	}
	g.Wait()
	return saw
}
