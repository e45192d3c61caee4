package shell_test

import (
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"

	"gangway/internal/gangway"
)

func TestFormBounds(t *testing.T) {
	s := apptest.NewSite(t)
	long := func(n int) string { return strings.Repeat("x", n) }

	t.Run("a field that is too long is refused by its name", func(t *testing.T) {
		c := s.SignedIn(t, gangway.Admin)
		for _, tt := range []struct {
			path, field, value, says string
		}{
			{"/sign-in", "email", long(243) + "@example.com", "the field email has at most 254 bytes; here it has 255"},
			{"/sign-in", "password", long(1025), "the field password has at most 1024 bytes"},
			{"/sign-in", "to", "/" + long(8<<10), "the field to has at most 8192 bytes"},
			{"/hotels/handled", "note", long(2001), "the field note has at most 2000 bytes"},
			{"/bookings/b1/decline", "reason", long(2001), "the field reason has at most 2000 bytes"},
			{"/searches", long(256), "", "the name of a field has at most 255 bytes"},
		} {
			a := c.Post(tt.path, url.Values{tt.field: {tt.value}})
			if a.Status != http.StatusUnprocessableEntity && a.Status != http.StatusBadRequest {
				t.Errorf("%s with a long %.20s: status = %d; want a refusal", tt.path, tt.field, a.Status)
			}
			a.Has(strings.ToUpper(tt.says[:1]) + tt.says[1:])
			a.Lacks(long(1000))
		}
		c.Get("/bookings?find=" + long(2001)).Has("The field find has at most 2000 bytes")
	})

	t.Run("an address of 254 bytes may try to sign in", func(t *testing.T) {
		s.Client(t).Post("/sign-in", url.Values{"email": {long(242) + "@example.com"}, "password": {long(1024)}}).
			Is(http.StatusUnprocessableEntity, "do not belong together")
	})

	t.Run("nothing is kept of tries to sign in with an address of a megabyte", func(t *testing.T) {
		try := func() {
			s.Client(t).Post("/sign-in", url.Values{"email": {long(1000_000)}, "password": {"x"}})
		}
		try()
		before := liveHeap()
		for range 40 {
			try()
		}
		if kept := liveHeap() - before; kept > 10<<20 {
			t.Errorf("%d bytes were kept of 40 tries; want as good as none", kept)
		}
	})

}

// liveHeap returns how many bytes of the heap are in use, without garbage.
func liveHeap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
