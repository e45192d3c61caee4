package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"gangway/internal/program"
)

// attacks lists the attacks, in the order of the table.
var attacks = []attack{
	{"signins", "2.0 GB, kept for an hour", signIns(1000, 50, strings.Repeat("x", 1_000_000))},
	{"signins-at-once", "–", signIns(400, 400, "@halcyon.example")}, // checking each password takes 19 MiB
	{"claims", "1.9 GB", connect(60, crowd, 5, func(_ context.Context, s *server) ([]string, error) {
		return []string{s.head("POST "+uploadPath, "Content-Length: 33000000") + "["}, nil
	})},
	{"uploads-40", "2.0 GB", uploads(40, func() string { return travellers(50_000, 310) })},
	{"uploads-200", "10 GB (estimated)", uploads(200, func() string { return travellers(50_000, 310) })},
	{"uploads-records", "1.0 GB", uploads(200, func() string { return travellers(10_000, 0) })},
	{"uploads-gzip", "–", uploads(200, func() string { // 32 MiB that are 32 KB when compressed
		return packed("[" + strings.Repeat(" ", 32<<20-2) + "]")
	})},
	{"formats", "–", beside(requests(4*36, 100, func() maker { return of(hostileUploads()...) }))},
	{"formats-rows", "–", beside(requests(40, 40, rowsAtOnce))},
	{"soap", "–", soap},
	{"feeds-fetched", "–", beside(fetchAll(slices.Sorted(maps.Keys(hostileAnswers)), ""))},
	{"feeds-whole", "–", beside(fetchAll(numbered("/whole31?", 8), // and a program that keeps the values for long
		"(reduce range(2000000) as $i (0; . + 1)) as $n | .crew | []"))},
	{"feeds-large", "–", beside(fetchAll(numbered("/large?", 8), ".[]"))},
	{"feeds-asked", "–", beside(askAll("", "/xml", "/json", "/texts", "/yaml"))},
	{"feeds-asked-whole", "–", beside(askAll(".crew | []", "/whole15"))},
	{"feeds-programs", "–", beside(fetchAll(numbered("/well", len(endlessPrograms)), endlessPrograms...))},
	{"members", "–", requests(20, 20, members)},
	{"crew-uploads", "332 MB", requests(12, 12, func() maker {
		return of(request{crewPath, jsonType, crewChanges("0")}, request{crewPath, jsonType, crewChanges("1")})
	})},
	{"nesting", "–", uploads(20, func() string { return strings.Repeat("[", 30_000_000) })},
	{"handoffs", "54 MB stored in 3 s", requests(200, 20, func() maker { // of 900 KB, that nobody claims
		return of(request{program.HandoffPath, formType, crew(200, later(30), strings.Repeat("x", 4000)).Encode()})
	})},
	{"slow-500", "213 MB", connect(500, crowd, -20, slowly)},
	{"slow-2000", "–", connect(2000, crowd, -20, slowly)},
	{"streams", "96 MB", connect(300, 1, 10, func(_ context.Context, s *server) ([]string, error) {
		path, err := s.search(8, later(60))
		return []string{s.head("GET " + path + "/stream")}, err
	})},
	{"pages", "–", connect(500, 1, 30, largePages)},
	{"crew-list", "664 MB", connect(120, 1, 30, crewList)},
	{"searches", "1.1 GB, kept for minutes", searches},
}

const (
	uploadPath = "/api/passenger"
	crewPath   = "/api/travel-requests"
	jsonType   = "application/json"
	formType   = "application/x-www-form-urlencoded"
)

// A request is a POST. It has the customer's key unless it is a form, and is gzip where its body is.
type request struct {
	path, kind, body string
}

// A maker returns the request number i.
type maker func(i int) request

// of returns the requests again and again.
func of(list ...request) maker { return func(i int) request { return list[i%len(list)] } }

// requests sends n requests, so many in parallel.
func requests(n, side int, of func() maker) run {
	return func(ctx context.Context, s *server) (answers, error) {
		make := of()
		return atOnce(n, side, func(i int) string { return s.post(ctx, make(i)) }), nil
	}
}

// signIns tries to sign in with addresses that end with a text.
func signIns(n, side int, end string) run {
	return requests(n, side, func() maker {
		return func(i int) request {
			form := url.Values{"email": {fmt.Sprint("somebody", i, end)}, "password": {"not the right one"}}
			return request{"/sign-in", formType, form.Encode()}
		}
	})
}

// uploads sends n uploads of the same document at once.
func uploads(n int, doc func() string) run {
	return requests(n, n, func() maker { return of(request{uploadPath, jsonType, doc()}) })
}

// later is so many days from now.
func later(days int) time.Time { return time.Now().AddDate(0, 0, days) }

// numbered are n paths that end with their numbers.
func numbered(path string, n int) []string { return strings.Fields(list("", " ", "", n, path+"#")) }

// connect opens n connections from so many addresses, sends the beginnings on them in turns, reads nothing for some
// seconds, and then has others do their work. While seconds is negative, it sends one byte more on each every second.
func connect(n, addresses, seconds int, begin func(context.Context, *server) ([]string, error)) run {
	return func(ctx context.Context, s *server) (answers, error) {
		texts, err := begin(ctx, s)
		if err != nil {
			return nil, err
		}
		open, err := s.dial(ctx, n, addresses, texts...)
		defer open.close()
		if err != nil {
			return nil, err
		}
		for range max(seconds, -seconds) {
			if seconds < 0 {
				open.dribble()
			}
			time.Sleep(time.Second)
		}
		return s.others(ctx, 20), nil
	}
}

// slowly are beginnings of a slow header, of a slow body, of nothing, and of pages that are not read.
func slowly(_ context.Context, s *server) ([]string, error) {
	large := strings.Repeat("x", 8000)
	return []string{"GET / HTTP/1.1\r\nHost: x\r\nX-A: " + large,
		s.head("POST "+uploadPath, "X-A: "+large, "Content-Length: 30000000") + "[" + large,
		"", strings.Repeat(s.head("GET /travellers"), 5)}, nil
}

// largePages requests the largest pages of one person, twenty times on each connection.
func largePages(ctx context.Context, s *server) ([]string, error) {
	if err := good(s.post(ctx, request{uploadPath, jsonType, travellers(5000, 0)})); err != nil {
		return nil, err
	}
	large, err := s.search(100, later(60))
	begin := s.head("GET "+large) + s.head("GET /travellers") + s.head("GET "+large) + s.head("GET /bookings.csv")
	return []string{strings.Repeat(begin, 5)}, cmp.Or(err, good(read(s.Booker.Get(s.URL(large+"?wait=all")))))
}

// crewList requests the list of sixteen crew changes of 9,000 members each, and one of them.
func crewList(ctx context.Context, s *server) ([]string, error) {
	for _, body := range []string{"0", "1"} {
		if err := good(s.post(ctx, request{crewPath, jsonType, crewChanges(body)})); err != nil {
			return nil, err
		}
	}
	begin := s.head("GET /crew-changes") + s.head("GET /crew-changes/plan?key=id%3AB0-1")
	return []string{strings.Repeat(begin, 3)}, good(read(s.Booker.Get(s.URL("/crew-changes"))))
}

// beside attacks, and counts what others see meanwhile.
func beside(attack run) run {
	return func(ctx context.Context, s *server) (saw answers, err error) {
		over := make(chan struct{})
		go func() { saw, err = attack(ctx, s); close(over) }()
		for seen := (answers{}); ; seen.add("", s.others(ctx, 1)) {
			select {
			case <-over:
				if saw != nil {
					saw.add("others: ", seen)
				}
				return saw, err
			case <-time.After(500 * time.Millisecond):
			}
		}
	}
}

// searches has one person begin forty searches for crews of 200, each on another day, and wait for none to end.
func searches(ctx context.Context, s *server) (answers, error) {
	saw := atOnce(40, 40, func(i int) string {
		return read(s.Booker.PostForm(s.URL(program.HandoffPath), crew(200, later(60+i), "")))
	})
	for until := time.Now().Add(90 * time.Second); time.Now().Before(until); time.Sleep(time.Second) {
		saw.add("others: ", s.others(ctx, 1))
	}
	return saw, nil
}
