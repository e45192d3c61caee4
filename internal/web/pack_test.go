package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gangway/internal/calltest"
)

// TestPagesArePacked holds which pages go out compressed: those that a reader opens, and neither answers to forms nor
// what another site asks for, whose length could tell something.
func TestPagesArePacked(t *testing.T) {
	page := strings.Repeat("<p>flight</p>", 1000)
	for _, tt := range []struct {
		name, method, accepts, from string
		packed                      bool
	}{
		{"a page", http.MethodGet, "gzip, br", "same-origin", true},
		{"a page, opened by its address", http.MethodGet, "gzip", "none", true},
		{"a page for a client without gzip", http.MethodGet, "", "", false},
		{"a page that another site leads to", http.MethodGet, "gzip", "cross-site", false},
		{"an answer to a form", http.MethodPost, "gzip", "same-origin", false},
	} {
		r := httptest.NewRequest(tt.method, "/", nil)
		r.Header.Set("Accept-Encoding", tt.accepts)
		r.Header.Set("Sec-Fetch-Site", tt.from)
		w := httptest.NewRecorder()
		err := PackPage(w, r, http.StatusConflict, func(out io.Writer) error {
			_, err := io.WriteString(out, page)
			return err
		})
		got, size := io.Reader(w.Body), w.Body.Len()
		if err == nil && tt.packed {
			got, err = gzip.NewReader(w.Body)
		}
		calltest.Done(t, err)
		body, err := io.ReadAll(got)
		if err != nil || string(body) != page || (size < len(page)/5) != tt.packed || w.Code != http.StatusConflict ||
			(w.Header().Get("Content-Encoding") == "gzip") != tt.packed || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %d bytes with %v, %v; want it packed: %v", tt.name, size, w.Header(), err, tt.packed)
		}
	}
}
