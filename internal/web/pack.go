package web

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// Packers compress at the fastest level: a page becomes a fifth, and the slower levels save little more.
var Packers = sync.Pool{New: func() any {
	z, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil { // only for levels that there are not
		panic(err)
	}
	return z
}}

// PackPage compresses the body of a page if the client takes that, and calls write with where the body goes. The status
// is 0 for 200. Answers to forms may show a secret beside what was sent, and another site's requests may come with the
// reader's cookie: both stay as they are, so that nobody learns a page's content from its length.
//
// Decided: docs/choices.md, "Are pages compressed?".
func PackPage(w http.ResponseWriter, r *http.Request, status int, write func(io.Writer) error) error {
	head := w.Header()
	head.Add("Vary", "Accept-Encoding")
	packs := r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Site") != "cross-site" &&
		strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
	if packs {
		head.Set("Content-Encoding", "gzip")
	}
	if status != 0 {
		w.WriteHeader(status)
	}
	if !packs {
		return write(w)
	}
	z := Packers.Get().(*gzip.Writer)
	defer Packers.Put(z)
	z.Reset(w)
	if err := write(z); err != nil {
		return err
	}
	return z.Close()
}

// TakesGzip reports whether a client accepts gzip (RFC 9110, 12.5.3).
func TakesGzip(r *http.Request) bool {
	takes := false
	for coding := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, parameter, _ := strings.Cut(coding, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != "gzip" && name != "*" {
			continue
		}
		_, weight, weighed := strings.Cut(parameter, "=")
		q, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
		takes = !weighed || err == nil && q > 0
		if name == "gzip" {
			break
		}
	}
	return takes
}
