package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// A hostileSystem is a customer's system that answers each path with something that is made to do harm.
type hostileSystem struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]int // how often each path was asked
}

// hostileAnswers are what feeds bring, by path.
var hostileAnswers = map[string]func(w http.ResponseWriter, r *http.Request){
	"/xml":    endless("<crew><m><a>x</a><b>y</b></m>", "<m><a>x</a><b>y</b></m>", 300<<20),
	"/json":   endless(`{"crew":[{}`, `,{"a":"b"}`, 300<<20),
	"/texts":  endless(`{"crew":[""`, `,"`+strings.Repeat("x", 1000)+`"`, 300<<20),
	"/yaml":   endless("crew:\n", " - {a: b}\n", 300<<20),
	"/row":    endless("id,last_name\n1,", "xxxxxxxx", 300<<20),
	"/wide":   endless("id", ",name", 300<<20),
	"/string": endless(`[{"last_name":"`, "xxxxxxxx", 300<<20),
	"/rows": endless("id;last_name;first_name\n", "1;"+strings.Repeat("x", 200)+";"+strings.Repeat("y", 200)+"\n",
		300<<20),
	"/whole31": whole(31 << 20), // a value may have 32 MiB
	"/large":   large,
	"/whole15": whole(15 << 20),
	"/aliases": func(w http.ResponseWriter, _ *http.Request) { w.Write(aliases(40)) },
	"/texts.xlsx": func(w http.ResponseWriter, _ *http.Request) {
		w.Write(workbook("", strings.Repeat("<si><t>"+strings.Repeat("x", 1000)+"</t></si>", 100_000), 1))
	},
	"/gzip": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(packedZeros())
	},
	"/hang": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	"/pages": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", fmt.Sprintf(`</pages?page=%s1>; rel="next"`, r.URL.Query().Get("page")))
		io.WriteString(w, `[{"id":"1","last_name":"Reyes","first_name":"Ana"}]`)
	},
}

// endless writes a beginning, and something again and again until there are so many bytes.
func endless(begin, again string, size int) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, begin)
		more := bytes.Repeat([]byte(again), 1+(256<<10)/len(again))
		for sent := 0; sent < size; sent += len(more) {
			if _, err := w.Write(more); err != nil {
				return
			}
		}
	}
}

// whole is an object of so many bytes, in small texts.
func whole(size int) func(http.ResponseWriter, *http.Request) {
	texts := endless(`{"crew":[""`, `,"`+strings.Repeat("x", 1000)+`"`, size*9/10)
	return func(w http.ResponseWriter, r *http.Request) {
		texts(w, r)
		io.WriteString(w, "]}")
	}
}

// large is a list of eight records that take nearly all the memory that one may.
func large(w http.ResponseWriter, _ *http.Request) {
	for i := range 8 {
		fmt.Fprintf(w, `%c{"last_name":"Reyes","first_name":"Ana","id":"%d","more":[""`, "[,"[min(i, 1)], i)
		endless("", `,"`+strings.Repeat("x", 1000)+`"`, 30<<20)(w, nil)
		io.WriteString(w, "]}")
	}
	io.WriteString(w, "]")
}

func newHostileSystem() *hostileSystem {
	h := &hostileSystem{asked: map[string]int{}}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		h.asked[r.URL.RequestURI()]++
		h.mu.Unlock()
		if answer, known := hostileAnswers[r.URL.Path]; known {
			answer(w, r)
			return
		}
		io.WriteString(w, `[{"id":"1","last_name":"Reyes","first_name":"Ana"}]`)
	}))
	return h
}

// stop hangs up on everybody.
func (h *hostileSystem) stop() {
	h.CloseClientConnections()
	h.Close()
}

// askedOf waits until so many paths were asked, for so long.
func (h *hostileSystem) askedOf(ctx context.Context, n int, wait time.Duration) error {
	for until := time.Now().Add(wait); time.Now().Before(until); time.Sleep(100 * time.Millisecond) {
		h.mu.Lock()
		found := len(h.asked)
		h.mu.Unlock()
		if found >= n || ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return fmt.Errorf("of %d feeds the system was asked %v", n, h.asked)
}

// feed sets a feed of a customer.
func (s *server) feed(ctx context.Context, customer, environment, name, flow, url, mapping string) error {
	doc, err := json.Marshal(map[string]any{"name": name, "flow": flow, "mapping": mapping,
		"transport": map[string]string{"kind": "endpoint", "url": url}})
	if err != nil {
		return err
	}
	var made any
	return s.command(ctx, &made, string(doc), "feed", "set", "--customer", customer, "--environment", environment,
		"--allow-network", "127.0.0.0/8", "--file", "-")
}

// customers creates more customers, beside the server's own.
func (s *server) customers(ctx context.Context, n int) (list []string, err error) {
	for i := range n {
		var made struct{ Customer string }
		if err := s.command(ctx, &made, "", "account", "create", fmt.Sprint("Another ", i)); err != nil {
			return nil, err
		}
		list = append(list, made.Customer)
	}
	return list, nil
}

// feedsFetched has customers whose systems bring all that is hostile, each by several feeds, fetched side by side.
func feedsFetched(ctx context.Context, s *server) (answers, error) {
	paths := slices.Sorted(maps.Keys(hostileAnswers))
	return s.fetchAll(ctx, len(paths), func(i int) (string, string) { return paths[i], "" })
}

// fetchAll sets so many feeds, two for each customer, and waits until all were fetched.
func (s *server) fetchAll(ctx context.Context, n int, of func(i int) (path, mapping string)) (answers, error) {
	system := newHostileSystem()
	defer system.stop()
	customers, err := s.customers(ctx, (n+1)/2)
	if err != nil {
		return nil, err
	}
	for i := range n {
		path, mapping := of(i)
		if err := s.feed(ctx, customers[i/2], "production", fmt.Sprint("feed", i), "travellers", system.URL+path,
			mapping); err != nil {
			return nil, err
		}
	}
	var wrong error
	saw := s.beside(ctx, func() answers {
		ended := answers{}
		if wrong = system.askedOf(ctx, n, 3*time.Minute); wrong == nil {
			ended, wrong = s.runsEnded(ctx, customers, n, 5*time.Minute)
		}
		return ended
	})
	return saw, wrong
}

// runsEnded waits until the first runs of so many feeds have ended, for so long, and counts how they ended.
func (s *server) runsEnded(ctx context.Context, customers []string, n int, wait time.Duration) (answers, error) {
	for until := time.Now().Add(wait); ; time.Sleep(2 * time.Second) {
		saw, ended := answers{}, 0
		for _, customer := range customers {
			var feeds []struct {
				State struct {
					LastRun *struct{ Error string } `json:"last_run"`
				}
			}
			if err := s.command(ctx, &feeds, "", "feed", "list", "--customer", customer, "--environment",
				"production"); err != nil {
				return nil, err
			}
			for _, f := range feeds {
				switch {
				case f.State.LastRun == nil:
					saw["under way"]++
				case f.State.LastRun.Error != "":
					saw["failed"]++
					ended++
				default:
					saw["read"]++
					ended++
				}
			}
		}
		if ended == n || time.Now().After(until) {
			return saw, nil
		}
	}
}

// feedsAsked has a booker type 300 surnames, many at once, while the customer's system answers with as much as it can.
func feedsAsked(ctx context.Context, s *server) (answers, error) {
	system := newHostileSystem()
	defer system.stop()
	for i, path := range []string{"/xml", "/json", "/texts", "/yaml"} {
		for _, environment := range []string{"production", "development"} {
			if err := s.feed(ctx, s.customer, environment, fmt.Sprint("look", i), "traveller-lookup", system.URL+path,
				""); err != nil {
				return nil, err
			}
		}
	}
	return s.askAll(ctx, system)
}

// feedsAskedWhole is the same with answers that are right and take nearly all that one may.
func feedsAskedWhole(ctx context.Context, s *server) (answers, error) {
	system := newHostileSystem()
	defer system.stop()
	for _, environment := range []string{"production", "development"} {
		if err := s.feed(ctx, s.customer, environment, "look", "traveller-lookup", system.URL+"/whole15",
			".crew | []"); err != nil {
			return nil, err
		}
	}
	return s.askAll(ctx, system)
}

// askAll types 300 surnames, 60 at once.
func (s *server) askAll(ctx context.Context, system *hostileSystem) (answers, error) {
	time.Sleep(11 * time.Second) // another process has set the feeds
	saw := s.beside(ctx, func() answers {
		return atOnce(300, 60, func(i int) (int, error) {
			typed := fmt.Sprintf("%c%c", 'a'+i%26, 'a'+i/26)
			res, err := s.booker.Get(s.url("/suggest/travellers?live=yes&surname=" + typed))
			if err != nil {
				return 0, err
			}
			defer res.Body.Close()
			_, err = io.Copy(io.Discard, res.Body)
			return statusOf(res), err
		})
	})
	system.mu.Lock()
	defer system.mu.Unlock()
	if len(system.asked) == 0 {
		return nil, fmt.Errorf("the system was not asked: %v", saw)
	}
	for uri, n := range system.asked {
		path, _, _ := strings.Cut(uri, "?")
		saw["asked "+path] += n
	}
	return saw, nil
}

// feedsWhole has customers whose systems bring values that take nearly all the memory that one may, side by side, and
// programs that keep them for long.
func feedsWhole(ctx context.Context, s *server) (answers, error) {
	return s.fetchAll(ctx, 8, func(i int) (string, string) {
		return fmt.Sprint("/whole31?", i), "(reduce range(2000000) as $i (0; . + 1)) as $n | .crew | []"
	})
}

// feedsLarge has customers whose systems bring lists of records that take nearly all the memory that one may.
func feedsLarge(ctx context.Context, s *server) (answers, error) {
	return s.fetchAll(ctx, 8, func(i int) (string, string) { return fmt.Sprint("/large?", i), ".[]" })
}

// feedsPrograms has customers with mappings that never end, eat memory or put out for ever, fetched side by side.
func feedsPrograms(ctx context.Context, s *server) (answers, error) {
	programs := []string{
		`def f: f; f`, `.[] | [limit(1000000000; repeat(1))]`, `reduce range(1000000000) as $i ([]; . + [$i])`,
		`.[] | "x" * 1000000000`, `[range(1000000000)]`, `repeat(.[0])`, `.[] | [range(100000)] | map([range(100)])`,
		`.[] | [recurse(if . == null then empty else [., .] end)]`, `.[] | last(range(1000000000))`,
		`reduce range(40) as $i ("xxxxxxxx"; . + .)`, `reduce range(40) as $i ([.]; . + .)`,
		`[.[] | range(1000000) | {last_name: tostring, first_name: "A"}]`,
	}
	return s.fetchAll(ctx, len(programs), func(i int) (string, string) { return fmt.Sprint("/well", i), programs[i] })
}
