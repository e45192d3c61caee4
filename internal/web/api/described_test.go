package api_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// A description is the surface's OpenAPI document, as a library reads it that is not ours.
type description struct {
	doc    *openapi3.T
	router routers.Router
	seen   sync.Map // what was held against it already
}

var descriptions sync.Map // by text, because most surfaces of tests describe themselves alike

// The library takes 30 February for a date.
func init() {
	openapi3.DefineStringFormatValidator("date", openapi3.NewCallbackValidator(func(date string) error {
		_, err := time.Parse(time.DateOnly, date)
		return err
	}))
}

// describedBy reads how a surface describes itself.
func describedBy(t testing.TB, surface http.Handler) *description {
	t.Helper()
	w := httptest.NewRecorder()
	surface.ServeHTTP(w, httptest.NewRequest("GET", "/openapi.json", nil))
	text := w.Body.String()
	if known, ok := descriptions.Load(text); ok {
		return known.(*description)
	}
	doc, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err == nil {
		err = doc.Validate(context.Background())
	}
	if err != nil {
		t.Fatalf("the description is no OpenAPI document: %v", err)
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	d := &description{doc: doc, router: router}
	descriptions.Store(text, d)
	return d
}

// held passes requests on to a surface, and holds each answer, and each request that was accepted, against how the
// surface describes itself.
func held(t testing.TB, surface http.Handler) http.Handler {
	d := describedBy(t, surface)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := &beginning{}
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.TeeReader(r.Body, sent), r.Body}
		answered := &heard{ResponseWriter: w, status: 200}
		surface.ServeHTTP(answered, r)
		d.hold(t, r, sent, answered)
	})
}

// hold holds a request and its answer against the description.
func (d *description) hold(t testing.TB, r *http.Request, sent *beginning, a *heard) {
	asked, _ := http.NewRequest(r.Method, "http://surface"+r.URL.RequestURI(),
		bytes.NewReader(lowerCode.ReplaceAllFunc(bytes.TrimPrefix(sent.Bytes(), []byte("\ufeff")), bytes.ToUpper)))
	asked.Header = r.Header.Clone()
	if asked.Header.Get("Content-Type") == "" {
		asked.Header.Set("Content-Type", "application/json")
	}
	route, names, err := d.router.FindRoute(asked)
	if err != nil || r.Method == http.MethodHead || sent.more || a.body.more {
		return
	}
	same := fmt.Sprint(r.Method, r.URL, a.status, a.Header().Get("Content-Type"), sent.String(), a.body.String())
	if _, again := d.seen.LoadOrStore(sha256.Sum256([]byte(same)), true); again {
		return
	}
	options := &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true,
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}
	// The bookings of these tests are bare; those of the program are held in cmd/gangway.
	options.ExcludeResponseBody = strings.HasPrefix(r.URL.Path, "/bookings") && a.status == http.StatusOK
	in := &openapi3filter.RequestValidationInput{Request: asked, PathParams: names, Route: route, Options: options}
	if r.Header.Get("Content-Encoding") == "" && strings.HasSuffix(asked.Header.Get("Content-Type"), "/json") {
		wrong := openapi3filter.ValidateRequest(context.Background(), in)
		switch refused := a.refusesFields(); {
		case a.status < 300 && wrong != nil:
			t.Errorf("%s %s was accepted, and the description has it otherwise: %.600s\n%.300s", r.Method, r.URL,
				wrong, sent.Bytes())
		case refused && wrong == nil:
			t.Errorf("%s %s was refused, and the description allows "+
				"it\n%.300s\n%.300s", r.Method, r.URL, a.body.Bytes(),
				sent.Bytes())
		}
	}
	if a.Header().Get("Content-Encoding") != "" {
		return // the same, packed
	}
	if err := openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: a.status, Header: a.Header().Clone(),
		Body: io.NopCloser(bytes.NewReader(a.body.Bytes())), Options: options}); err != nil {
		t.Errorf("%s %s was answered with %d, and the description has it otherwise: %.600s\n%.300s", r.Method, r.URL,
			a.status, err, a.body.Bytes())
	}
}

// lowerCode finds codes in lower case, which are taken though the description has them in capitals.
var lowerCode = regexp.MustCompile(`:"[a-z]{2,3}"`)

// unsaid are the rules that no schema can say: each is in words where it holds.
var unsaid = regexp.MustCompile(`must not be in the future|must be after CheckIn|under two names|occurs twice|` +
	`cannot be read as JSON|is the same as|is required, or|must have at most \d+ bytes`)

// refusesFields reports whether an upload was refused for a field that a schema can say something about.
func (h *heard) refusesFields() bool {
	var problem struct{ Errors map[string][]string }
	if h.status != 400 || json.Unmarshal(h.body.Bytes(), &problem) != nil {
		return false
	}
	for path, sentences := range problem.Errors {
		if strings.HasPrefix(path, "[") && !unsaid.MatchString(sentences[0]) {
			return true
		}
	}
	return false
}

// A beginning keeps what is written to it, unless that is long.
type beginning struct {
	bytes.Buffer
	more bool
}

func (b *beginning) Write(p []byte) (int, error) {
	if b.more = b.more || b.Len()+len(p) > 64<<10; b.more {
		return len(p), nil
	}
	return b.Buffer.Write(p)
}

// A heard notes an answer.
type heard struct {
	http.ResponseWriter
	status int
	body   beginning
}

func (h *heard) WriteHeader(status int) {
	if status >= 200 {
		h.status = status
	}
	h.ResponseWriter.WriteHeader(status)
}

func (h *heard) Write(p []byte) (int, error) {
	h.body.Write(p)
	return h.ResponseWriter.Write(p)
}

func (h *heard) Unwrap() http.ResponseWriter { return h.ResponseWriter }
