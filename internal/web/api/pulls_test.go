package api_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/api"
)

func TestNamedPull(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("its actions belong to it, and it repeats byte for byte", func(t *testing.T) {
			s, stranger := surfaceOn(t, db, api.Limits{}), surfaceOn(t, db, api.Limits{})
			s.book(t, "NAMEAA", 1)
			s.book(t, "NAMEBB", 2)
			first := s.do(t, "GET", "/bookings?pull=night-1", nil)
			if first.status != 200 || first.header.Get("Pull-Id") != "night-1" ||
				strings.Count(first.body, `"id":"NAME`) != 2 {
				t.Fatalf("the pull = %d %v %s", first.status, first.header, first.body)
			}
			s.move(t, "NAMEAA", gangway.Issue, 3)
			if again := s.do(t, "GET", "/bookings?pull=night-1&limit=1", nil); again.body != first.body ||
				again.header.Get("Pull-More") != "true" {
				t.Errorf("repeated = %v %s; want the same bytes, and that more waits", again.header, again.body)
			}
			if list, _ := s.pull(t, "?pull=night-2"); summary(list) != "NAMEAA: issued [issued]; " {
				t.Errorf("the next = %s", summary(list))
			}
			s.book(t, "NAMECC", 4)
			if list, _ := stranger.pull(t, "?pull=night-1"); len(list) != 0 {
				t.Errorf("another account's pull of the same name = %s", summary(list))
			}
			if list, _ := s.pull(t, ""); summary(list) != "NAMECC: confirmed [confirmed]; " {
				t.Errorf("a pull without a name = %s; want what no named one has", summary(list))
			}
		})
		t.Run("a pull that finds nothing is not stored, and may return actions later", func(t *testing.T) {
			s := surfaceOn(t, db, api.Limits{})
			if list, id := s.pull(t, "?pull=early"); len(list) != 0 || id != "early" {
				t.Fatalf("nothing yet = %q %s", id, summary(list))
			}
			s.book(t, "NAMEDD", 1)
			if list, _ := s.pull(t, "?pull=early"); summary(list) != "NAMEDD: confirmed [confirmed]; " {
				t.Errorf("the same name later = %s", summary(list))
			}
		})
		t.Run("after 30 days its name is free", func(t *testing.T) {
			s := surfaceOn(t, db, api.Limits{})
			s.book(t, "NAMEEE", 1)
			old := store.PullAsk{ID: "monthly", Named: true, Limit: 10, Now: now.AddDate(0, 0, -31)}
			if found, err := s.in.BeginPull(t.Context(), old); err != nil || !found {
				t.Fatal(found, err)
			}
			s.move(t, "NAMEEE", gangway.Issue, 2)
			if list, _ := s.pull(t, "?pull=monthly"); summary(list) != "NAMEEE: issued [issued]; " {
				t.Errorf("the name used again = %s", summary(list))
			}
		})
		t.Run("a pull that was begun and never answered returns what it took", func(t *testing.T) {
			s := surfaceOn(t, db, api.Limits{})
			s.book(t, "NAMEFF", 1)
			crashed := store.PullAsk{ID: "crashed", Named: true, Limit: 10, Now: now}
			if found, err := s.in.BeginPull(t.Context(), crashed); err != nil || !found {
				t.Fatal(found, err)
			}
			if list, _ := s.pull(t, ""); len(list) != 0 {
				t.Errorf("another pull = %s; want nothing", summary(list))
			}
			if list, _ := s.pull(t, "?pull=crashed"); summary(list) != "NAMEFF: confirmed [confirmed]; " {
				t.Errorf("requested again = %s", summary(list))
			}
		})
		t.Run("two parallel requests get the same", func(t *testing.T) {
			s := surfaceOn(t, db, api.Limits{PerMinute: 1000, Answers: 12})
			for i := range 12 {
				s.book(t, fmt.Sprintf("BOTH%02d", i), i)
			}
			var wait sync.WaitGroup
			bodies := make([]string, 12)
			for i := range bodies {
				wait.Go(func() {
					bodies[i] = s.do(t, "GET", fmt.Sprintf("/bookings?pull=both&limit=%d", i+1), nil).body
				})
			}
			wait.Wait()
			for _, body := range bodies[1:] {
				if body != bodies[0] {
					t.Fatalf("two at once got\n%s\nand\n%s", bodies[0], body)
				}
			}
		})
		t.Run("limit and Pull-More", func(t *testing.T) {
			s := surfaceOn(t, db, api.Limits{PerMinute: 1000, Pull: 2})
			for i := range 5 {
				s.book(t, fmt.Sprintf("PAGE%02d", i), i)
			}
			s.move(t, "PAGE00", gangway.Issue, 9)
			var got []string
			for i, query := range []string{"?pull=p0&limit=1", "?pull=p1", "", "?pull=p3&limit=10000"} {
				res := s.do(t, "GET", "/bookings"+query, nil)
				var list []pulled
				must(t, json.Unmarshal([]byte(res.body), &list))
				if more := res.header.Get("Pull-More"); (more == "true") != (i < 2) {
					t.Errorf("answer %d: Pull-More is %q", i, more)
				}
				got = append(got, summary(list))
			}
			want := []string{"PAGE00: issued [confirmed issued]; ", "PAGE01: confirmed [confirmed]; PAGE02: " +
				"confirmed [confirmed]; ", "PAGE03: confirmed [confirmed]; PAGE04: confirmed [confirmed]; ", ""}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("pulled %q; want %q", got, want)
			}
		})
		t.Run("last, and the list of pulls", func(t *testing.T) {
			s := surfaceOn(t, db, api.Limits{})
			if list, _ := s.pull(t, "?pull=last"); len(list) != 0 {
				t.Errorf("last of none = %s", summary(list))
			}
			if res := s.do(t, "GET", "/bookings/pulls", nil); res.status != 200 || res.body != "[]" {
				t.Errorf("no pulls = %d %s", res.status, res.body)
			}
			s.book(t, "LASTAA", 1)
			s.pull(t, "?pull=first")
			s.book(t, "LASTBB", 2)
			s.move(t, "LASTBB", gangway.Issue, 3)
			second, id := s.pull(t, "")
			s.pull(t, "") // brings nothing
			if list, name := s.pull(t, "?pull=last"); summary(list) != summary(second) || name != id {
				t.Errorf("last = %q %s; want %q %s", name, summary(list), id, summary(second))
			}
			want := fmt.Sprintf(`[{"id":%q,"created_at":%d,"bookings":1,"actions":2},{"id":"first","created_at":%[2]d,"bookings":1,"actions":1}]`, id, now.Unix())
			if res := s.do(t, "GET", "/bookings/pulls", nil); res.body != want {
				t.Errorf("pulls = %s; want %s", res.body, want)
			}
		})
		t.Run("a pull without a name whose answer was lost is the last one", func(t *testing.T) {
			s := surfaceOn(t, db, api.Limits{})
			s.book(t, "LOSTAA", 1)
			lost := store.PullAsk{ID: "pull_lost", Limit: 10, Now: now, Lease: now.Add(-time.Minute)}
			if found, err := s.in.BeginPull(t.Context(), lost); err != nil || !found {
				t.Fatal(found, err)
			}
			if list, id := s.pull(t, "?pull=last"); summary(list) != "LOSTAA: confirmed [confirmed]; " ||
				id != "pull_lost" {
				t.Fatalf("last = %q %s", id, summary(list))
			}
			if list, _ := s.pull(t, ""); len(list) != 0 {
				t.Errorf("the next = %s; want nothing: the answer was written now", summary(list))
			}
		})
		t.Run("an action during a pull is left to the next pull", func(t *testing.T) {
			s := surfaceOn(t, db, api.Limits{})
			s.book(t, "HELDAA", 1)
			open := store.PullAsk{ID: "pull_open", Limit: 10, Now: now, Lease: now.Add(time.Minute)}
			if found, err := s.in.BeginPull(t.Context(), open); err != nil || !found {
				t.Fatal(found, err)
			}
			s.move(t, "HELDAA", gangway.Issue, 2)
			if list, _ := s.pull(t, "?pull=beside"); len(list) != 0 {
				t.Fatalf("beside it = %s; want nothing", summary(list))
			}
			if list, _ := s.pull(t, "?pull=pull_open"); summary(list) != "HELDAA: confirmed [confirmed]; " {
				t.Fatalf("itself = %s", summary(list))
			}
			if list, _ := s.pull(t, "?pull=beside"); summary(list) != "HELDAA: issued [issued]; " {
				t.Fatalf("afterwards = %s", summary(list))
			}
		})
	})
}

// TestPullRefuses checks that an unknown or wrong parameter is named and consumes
// nothing.
func TestPullRefuses(t *testing.T) {
	s := surfaceOn(t, storetest.New(t), api.Limits{})
	s.book(t, "WRONGA", 1)
	for _, tt := range []struct{ query, names string }{
		{"?since=2026-01-01", "since"},
		{"?Days=7", "Days"},
		{"?pull=a&foo", "foo"},
		{"?fooBar=1", "fooBar"},
		{"?=1", "query"},
		{"?limit=5;days=7", "query"},
		{"?limit=0", "limit"},
		{"?limit=10001", "limit"},
		{"?limit=ten", "limit"},
		{"?limit=%2B5", "limit"},
		{"?limit=", "limit"},
		{"?limit=5&limit=5", "limit"},
		{"?pull=", "pull"},
		{"?pull=a&pull=a", "pull"},
		{"?pull=a%20b", "pull"},
		{"?pull=na%C3%AFve", "pull"},
		{"?pull=a%0A", "pull"},
		{"?pull=" + strings.Repeat("x", 65), "pull"},
		{"?after=1.b", "after"},
		{"?days=0", "days"},
		{"?days=91", "days"},
		{"?days=7&days=7", "days"},
		{"?days=7&limit=5", "limit"},
		{"?days=7&pull=a", "pull"},
		{"?days=7&from=2026-11-01", "from"},
		{"?from=2026-11-01", "to"},
		{"?to=2026-11-01", "from"},
		{"?from=2026-11-01&to=2026-11-02&limit=5", "limit"},
		{"?from=2026-11-01&to=2026-11-02&pull=a", "pull"},
		{"?from=2026-11-02&to=2026-10-31", "to"},
		{"?from=2026-11-31&to=2026-12-01", "from"},
		{"?from=2026-11-01&to=2026-12-01&after=b", "after"},
		{"/modified", "from"},
		{"/modified?from=", "from"},
		{"/modified?from=1764576000", "from"},
		{"/modified?from=2026-11-01%2008:00:00", "from"},
		{"/modified?from=2026-11-01&to=2026-11-02", "to"},
		{"/modified?from=2026-11-01&pull=a", "pull"},
		{"/pulls?limit=5", "limit"},
	} {
		res := s.do(t, "GET", "/bookings"+tt.query, nil)
		if res.status != 400 || len(res.problem.Errors[tt.names]) == 0 {
			t.Errorf("GET /bookings%s = %d %s; want 400 that names %s", tt.query, res.status, res.body, tt.names)
		}
	}
	if res := s.do(t, "GET", "/bookings?fooBar=1", nil); !strings.HasPrefix(strings.Join(res.problem.Errors["fooBar"],
		""), "There is no parameter fooBar here; there are pull, limit,") {
		t.Errorf("an unknown parameter = %s; want it named as it was sent", res.body)
	}
	for _, unknown := range []string{"pull_nobody", "pull_", "pull_0_", "pull_0_short"} {
		if res := s.do(t, "GET", "/bookings?pull="+unknown, nil); res.status != 404 {
			t.Errorf("the unknown pull %s = %d %s; want 404", unknown, res.status, res.body)
		}
	}
	if list, _ := s.pull(t, "?pull="+strings.Repeat("Aa0._~-", 9)+"x"); summary(list) !=
		"WRONGA: confirmed [confirmed]; " {
		t.Errorf("after all that a pull = %s; want the action, which nothing consumed", summary(list))
	}
}

func TestWindows(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := surfaceOn(t, db, api.Limits{PerMinute: 1000, Pull: 2})
		day := 24 * 60
		for i, minute := range []int{-40 * day, -8 * day, -2 * day, -2*day + 60, -30} {
			s.book(t, fmt.Sprintf("WIND%02d", i), minute)
		}
		s.move(t, "WIND01", gangway.Issue, -10)
		s.move(t, "WIND03", gangway.Cancel, -5)
		// list follows the Link headers from the first answer on.
		list := func(path string) (got string, answers int) {
			t.Helper()
			for path != "" {
				res := s.do(t, "GET", path, nil)
				var page []pulled
				if err := json.Unmarshal([]byte(res.body), &page); err != nil || res.status != 200 || len(page) > 2 {
					t.Fatalf("GET %s = %d %s", path, res.status, res.body)
				}
				got += summary(page)
				answers++
				target, more := strings.CutSuffix(res.header.Get("Link"), `>; rel="next"`)
				at, _, _ := strings.Cut(path, "?")
				if path = ""; more {
					path = at + strings.TrimPrefix(target, "<")
				}
			}
			return got, answers
		}
		const w0, w1, w2 = "WIND00: confirmed [confirmed]; ", "WIND01: issued [confirmed issued]; ",
			"WIND02: confirmed [confirmed]; "
		const w3, w4 = "WIND03: cancelled [confirmed cancelled]; ", "WIND04: confirmed [confirmed]; "
		for _, tt := range []struct {
			path, want string
			answers    int
		}{
			{"/bookings?days=1", w4, 1},
			{"/bookings?days=3", w2 + w3 + w4, 2},
			{"/bookings?days=90", w0 + w1 + w2 + w3 + w4, 3},
			{"/bookings?from=2026-10-25&to=2026-10-31", w1 + w2 + w3, 2}, // now is 2 November, 9:00
			{"/bookings?from=2026-10-31&to=2026-10-31", w2 + w3, 1},
			{"/bookings?from=2026-10-31T09:00&to=2026-10-31T10:00:00Z", w2, 1},
			{"/bookings?from=2026-10-31T11:00:00%2B02:00&to=2026-10-31T10:00:00.001", w2 + w3, 1},
			{"/bookings?from=2026-10-31T11:00:00+02:00&to=2026-11-01", w2 + w3, 1}, // the plus arrives as a blank
			{"/bookings?from=2026-11-03&to=2026-11-03", "", 1},
			{"/bookings?from=0001-01-01&to=9999-12-31", w0 + w1 + w2 + w3 + w4, 3},
			{"/bookings?from=0001-01-01T00:00:00%2B14:00&to=9999-12-31T23:59:59.999-12:00", w0 + w1 + w2 + w3 + w4, 3},
			{"/bookings/modified?from=0001-01-01", w0 + w2 + w4 + w1 + w3, 3},
			{"/bookings/modified?from=9999-12-31T23:59:59-12:00", "", 1},
			{"/bookings/modified?from=2026-09-01", w0 + w2 + w4 + w1 + w3, 3},
			{"/bookings/modified?from=2026-11-02T08:52", "WIND03: cancelled [cancelled]; ", 1},
			{"/bookings/modified?from=2026-11-02", w4 + "WIND01: issued [issued]; WIND03: cancelled [cancelled]; ", 2},
			{"/bookings/modified?from=2026-11-02T10:30:00+02:00",
				"WIND01: issued [issued]; WIND03: cancelled [cancelled]; ", 1},
		} {
			if got, answers := list(tt.path); got != tt.want || answers != tt.answers {
				t.Errorf("GET %s = %s in %d answers; want %s in %d", tt.path, got, answers, tt.want, tt.answers)
			}
		}
		if page, _ := s.pull(t, "?limit=10"); len(page) != 5 {
			t.Errorf("afterwards a pull brings %d bookings; want all 5", len(page))
		}

		// The last days are days of the account's clock, from the moment in which it was moved.
		to, err := s.in.AdvanceClock(t.Context(), storetest.Operator, 6*24*time.Hour, now)
		if err == nil {
			_, err = s.in.MoveClock(t.Context(), to)
		}
		must(t, err)
		s.book(t, "WIND05", 6*day)
		const w5 = "WIND05: confirmed [confirmed]; "
		for path, want := range map[string]string{"/bookings?days=1": w5, "/bookings?days=7": w4 + w5} {
			if got, _ := list(path); got != want {
				t.Errorf("with the clock moved by 6 days GET %s = %s; want %s", path, got, want)
			}
		}
	})
}

// TestCompressed checks that an answer is compressed if the caller accepts that, and always to the same bytes.
func TestCompressed(t *testing.T) {
	s := surfaceOn(t, storetest.New(t), api.Limits{})
	for i := range 450 { // three parts
		s.bookWith(t, fmt.Sprintf("ZIP%03d", i), i, strings.Repeat("a remark ", 20))
	}
	plain := s.do(t, "GET", "/bookings?pull=zip", nil, "Accept-Encoding", "identity")
	for _, tt := range []struct {
		accept string
		packed bool
	}{
		{"gzip", true}, {"br, GZIP;q=0.5, *;q=0", true}, {"*", true},
		{"identity", false}, {"br", false}, {"gzip;q=0, *", false}, {"gzip;q=0.000", false},
	} {
		first := s.do(t, "GET", "/bookings?pull=zip", nil, "Accept-Encoding", tt.accept)
		again := s.do(t, "GET", "/bookings?pull=zip", nil, "Accept-Encoding", tt.accept)
		body := first.body
		if tt.packed {
			z, err := gzip.NewReader(strings.NewReader(body))
			if err != nil {
				t.Fatalf("Accept-Encoding %s: %v", tt.accept, err)
			}
			unpacked, err := io.ReadAll(z)
			must(t, err)
			body = string(unpacked)
		}
		if (first.header.Get("Content-Encoding") == "gzip") != tt.packed || first.header.Get("Vary") !=
			"Accept-Encoding" || body != plain.body || again.body != first.body {
			t.Errorf("Accept-Encoding %s: %v, %d bytes, again %d; want %d when unpacked", tt.accept, first.header,
				len(first.body), len(again.body), len(plain.body))
		}
		if tt.packed && len(first.body) > len(plain.body)/8 {
			t.Errorf("%d bytes of %d", len(first.body), len(plain.body))
		}
	}
	if res := s.do(t, "GET", "/bookings/modified?from=2026-01-01", nil, "Accept-Encoding",
		"gzip"); res.header.Get("Content-Encoding") != "gzip" {
		t.Errorf("modified = %v", res.header)
	}
}
