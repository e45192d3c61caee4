package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// attacks lists the attacks, in the order of the table.
var attacks = []attack{
	{"signins", "2.0 GB, kept for an hour", longSignIns},
	{"signins-at-once", "–", signInsAtOnce},
	{"claims", "1.9 GB", claims},
	{"uploads-40", "2.0 GB", func(ctx context.Context, s *server) (answers, error) {
		return largeUploads(ctx, s, 40), nil
	}},
	{"uploads-200", "10 GB (estimated)", func(ctx context.Context, s *server) (answers, error) {
		return largeUploads(ctx, s, 200), nil
	}},
	{"uploads-records", "1.0 GB", manyRecords},
	{"uploads-gzip", "–", packed},
	{"formats", "–", formats},
	{"formats-rows", "–", rowsAtOnce},
	{"soap", "–", soap},
	{"feeds-fetched", "–", feedsFetched},
	{"feeds-whole", "–", feedsWhole},
	{"feeds-large", "–", feedsLarge},
	{"feeds-asked", "–", feedsAsked},
	{"feeds-asked-whole", "–", feedsAskedWhole},
	{"feeds-programs", "–", feedsPrograms},
	{"members", "–", members},
	{"crew-uploads", "332 MB", crewUploads},
	{"nesting", "–", nesting},
	{"handoffs", "54 MB stored in 3 s", handoffs},
	{"slow-500", "213 MB", func(ctx context.Context, s *server) (answers, error) { return slow(ctx, s, 500) }},
	{"slow-2000", "–", func(ctx context.Context, s *server) (answers, error) { return slow(ctx, s, 2000) }},
	{"streams", "96 MB", streams},
	{"pages", "–", pages},
	{"crew-list", "664 MB", crewList},
	{"searches", "1.1 GB, kept for minutes", searches},
}

// answers counts what clients saw.
type answers map[string]int

func (a answers) String() string {
	var words []string
	for _, what := range slices.Sorted(maps.Keys(a)) {
		words = append(words, fmt.Sprintf("%d × %s", a[what], what))
	}
	return strings.Join(words, ", ")
}

// failures counts the answers that say that we have failed. 503 says that there is no room just now,
// which is documented, if it says when to come again; otherwise it is counted as failed.
func (a answers) failures() (sum int) {
	for what, n := range a {
		status, err := strconv.Atoi(what[strings.LastIndexByte(what, ' ')+1:])
		if err == nil && status >= 500 && status < 600 && status != http.StatusServiceUnavailable ||
			strings.HasSuffix(what, silently) {
			sum += n
		}
	}
	return sum
}

// silently is how a 503 ends that does not say when to come again.
const silently = "without Retry-After"

// atOnce does something n times, so many in parallel, and counts the results.
func atOnce(n, side int, do func(i int) (status int, err error)) answers {
	saw := answers{}
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(side)
	for i := range n {
		g.Go(func() error {
			status, err := do(i)
			what := fmt.Sprint(max(status, -status))
			if status < 0 {
				what += " " + silently
			}
			if err != nil && status == 0 {
				what = "cut" // refused while it was still sending
			}
			mu.Lock()
			saw[what]++
			mu.Unlock()
			return nil
		})
	}
	g.Wait()
	return saw
}

const form = "application/x-www-form-urlencoded"

// longSignIns tries to sign in a thousand times, each with an address of 1 MB.
func longSignIns(ctx context.Context, s *server) (answers, error) {
	return atOnce(1000, 50, func(i int) (int, error) {
		body := url.Values{"email": {fmt.Sprint(i, strings.Repeat("x", 1_000_000))}, "password": {"x"}}.Encode()
		return s.post(ctx, "/sign-in", form, strings.NewReader(body))
	}), nil
}

// signInsAtOnce tries to sign in 400 times in parallel: checking each password takes 19 MiB.
func signInsAtOnce(ctx context.Context, s *server) (answers, error) {
	return atOnce(400, 400, func(i int) (int, error) {
		body := url.Values{"email": {fmt.Sprintf("somebody%d@halcyon.example", i)},
			"password": {"not the right one"}}.Encode()
		return s.post(ctx, "/sign-in", form, strings.NewReader(body))
	}), nil
}

// claims announces a body of 33 MB 60 times, and sends one byte.
func claims(ctx context.Context, s *server) (answers, error) {
	open, err := s.dial(ctx, 60, crowd, "POST /api/passenger HTTP/1.1\r\nHost: x\r\nX-Api-Key: "+s.key+
		"\r\nContent-Length: 33000000\r\n\r\n[")
	defer open.close()
	if err != nil {
		return nil, err
	}
	time.Sleep(5 * time.Second)
	return s.others(ctx, 20), nil
}

// largeUploads sends n uploads of 27 MB in parallel.
func largeUploads(ctx context.Context, s *server, n int) answers {
	doc := travellers(50_000, 310)
	return atOnce(n, n, func(int) (int, error) { return s.upload(ctx, doc) })
}

// manyRecords sends 200 uploads of 10,000 records in parallel.
func manyRecords(ctx context.Context, s *server) (answers, error) {
	doc := travellers(10_000, 0)
	return atOnce(200, 200, func(int) (int, error) { return s.upload(ctx, doc) }), nil
}

// packed sends 200 bodies of 32 MiB that are 32 KB when compressed.
func packed(ctx context.Context, s *server) (answers, error) {
	var doc bytes.Buffer
	z := gzip.NewWriter(&doc)
	fmt.Fprintf(z, "[%s]", strings.Repeat(" ", 32<<20-2))
	if err := z.Close(); err != nil {
		return nil, err
	}
	return atOnce(200, 200, func(int) (int, error) {
		return s.upload(ctx, doc.Bytes(), "Content-Encoding", "gzip")
	}), nil
}

// members sends crew changes of ten million empty members, and of as many small records
// as fit into 32 MiB.
func members(ctx context.Context, s *server) (answers, error) {
	empty := `[{"vessel":"V","change_date":"2036-12-01","onsigners":[` + strings.Repeat("{},", 10<<20) + `{}]}]`
	var fields strings.Builder
	for i := range 90 {
		fmt.Fprintf(&fields, `"%02d":"",`, i)
	}
	member := `{"last_name":"A","custom_fields":{` + strings.TrimSuffix(fields.String(), ",") + `}},`
	short := `[{"vessel":"V","change_date":"2036-12-01","onsigners":[` + strings.Repeat(member, 31<<20/len(member)) +
		`{}]}]`
	return atOnce(20, 20, func(i int) (int, error) {
		doc := []string{empty, short}[i%2]
		return s.post(ctx, "/api/travel-requests", "application/json", strings.NewReader(doc), "X-Api-Key", s.key)
	}), nil
}

// nesting sends bodies of brackets within brackets.
func nesting(ctx context.Context, s *server) (answers, error) {
	doc := []byte(strings.Repeat("[", 30_000_000))
	return atOnce(20, 20, func(int) (int, error) { return s.upload(ctx, doc) }), nil
}

// handoffs posts 200 hand-offs of 900 KB that nobody claims.
func handoffs(ctx context.Context, s *server) (answers, error) {
	body := crew(200, time.Now().AddDate(0, 1, 0), strings.Repeat("x", 4000)).Encode()
	return atOnce(200, 20, func(int) (int, error) {
		return s.post(ctx, "/integrations/search", form, strings.NewReader(body))
	}), nil
}

// slow opens n connections: some send their header slowly, some their body, some are idle,
// and some do not read the page that they requested. Meanwhile others work.
func slow(ctx context.Context, s *server, n int) (answers, error) {
	at, err := url.Parse(s.url("/"))
	if err != nil {
		return nil, err
	}
	cookie := s.cookies(at)
	large := strings.Repeat("x", 8000)
	var all connections
	for _, begin := range []string{
		"GET / HTTP/1.1\r\nHost: x\r\nX-A: " + large,
		"POST /api/passenger HTTP/1.1\r\nHost: x\r\nX-A: " + large + "\r\nX-Api-Key: " + s.key +
			"\r\nContent-Length: 30000000\r\n\r\n[" + large,
		"",
		strings.Repeat("GET /travellers HTTP/1.1\r\nHost: x\r\nCookie: "+cookie+"\r\n\r\n", 5),
	} {
		open, err := s.dial(ctx, n/4, crowd, begin)
		defer open.close()
		if err != nil {
			return nil, err
		}
		all = append(all, open...)
	}
	until := time.Now().Add(20 * time.Second)
	for time.Now().Before(until) {
		all.dribble()
		time.Sleep(time.Second)
	}
	return s.others(ctx, 20), nil
}

// streams opens 300 streams of results and reads none.
func streams(ctx context.Context, s *server) (answers, error) {
	res, err := s.booker.PostForm(s.url("/integrations/search"), crew(8, time.Now().AddDate(0, 2, 0), ""))
	if err != nil {
		return nil, err
	}
	res.Body.Close()
	path, cookie := res.Request.URL.Path+"/stream", s.cookies(res.Request.URL)
	open, err := s.dial(ctx, 300, 1, "GET "+path+" HTTP/1.1\r\nHost: x\r\nCookie: "+cookie+"\r\n\r\n")
	defer open.close()
	if err != nil {
		return nil, err
	}
	time.Sleep(10 * time.Second)
	return s.others(ctx, 20), nil
}

// pages has one person request the largest pages on 500 connections of one network, twenty
// times on each, and read nothing.
func pages(ctx context.Context, s *server) (answers, error) {
	if status, err := s.upload(ctx, travellers(5000, 0)); err != nil || status != http.StatusOK {
		return nil, fmt.Errorf("upload: %d, %w", status, err)
	}
	res, err := s.booker.PostForm(s.url("/integrations/search"), crew(100, time.Now().AddDate(0, 2, 0), ""))
	if err != nil {
		return nil, err
	}
	res.Body.Close()
	large := res.Request.URL.Path
	if err := s.get(s.booker.Get(s.url(large + "?wait=all"))); err != nil {
		return nil, err
	}
	begin := ""
	for _, path := range []string{large, "/travellers", large, "/bookings.csv"} {
		begin += "GET " + path + " HTTP/1.1\r\nHost: x\r\nCookie: " + s.cookies(res.Request.URL) + "\r\n\r\n"
	}
	open, err := s.dial(ctx, 500, 1, strings.Repeat(begin, 5))
	defer open.close()
	if err != nil {
		return nil, err
	}
	time.Sleep(30 * time.Second)
	return s.others(ctx, 20), nil
}

// searches has one person begin forty searches for crews of 200, each on another day, and
// wait for none to end.
func searches(ctx context.Context, s *server) (answers, error) {
	saw := atOnce(40, 40, func(i int) (int, error) {
		res, err := s.booker.PostForm(s.url("/integrations/search"), crew(200, time.Now().AddDate(0, 2, i), ""))
		if err != nil {
			return 0, err
		}
		defer res.Body.Close()
		_, err = io.Copy(io.Discard, res.Body)
		return statusOf(res), err
	})
	for until := time.Now().Add(90 * time.Second); time.Now().Before(until); time.Sleep(time.Second) {
		for what, n := range s.others(ctx, 1) {
			saw["others: "+what] += n
		}
	}
	return saw, nil
}

// cookies returns the cookies of somebody who is signed in.
func (s *server) cookies(at *url.URL) string {
	all := ""
	for _, c := range s.booker.Jar.Cookies(at) {
		all += c.Name + "=" + c.Value + "; "
	}
	return all
}

// others tries what other clients do meanwhile: load a page, and upload one record.
func (s *server) others(ctx context.Context, n int) answers {
	doc := travellers(1, 0)
	saw := atOnce(n, 2, func(int) (int, error) { return s.upload(ctx, doc) })
	for range n {
		res, err := http.Get(s.url("/sign-in"))
		if err != nil {
			saw["cut"]++
			continue
		}
		res.Body.Close()
		what := fmt.Sprint(res.StatusCode)
		if statusOf(res) < 0 {
			what += " " + silently
		}
		saw[what]++
	}
	return saw
}

// statusOf returns the status of an answer, negative if it is a 503 that does not say when to come again.
func statusOf(res *http.Response) int {
	if res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") == "" {
		return -res.StatusCode
	}
	return res.StatusCode
}

// crowd is how many addresses a crowd connects from.
const crowd = 16

// connections are raw connections that nobody reads from.
type connections []net.Conn

// dial opens n connections from so many addresses of this machine, which has a whole network
// of them, and sends the beginning of a request on each. It ignores those that are refused.
func (s *server) dial(ctx context.Context, n, addresses int, begin string) (connections, error) {
	var open connections
	for i := range n {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+i%addresses))}}
		conn, err := dialer.DialContext(ctx, "tcp", s.address)
		if err != nil {
			return open, err
		}
		open = append(open, conn)
		conn.Write([]byte(begin))
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
