// Package describetest holds what is really sent and answered against what the interface is said to be, by a validator
// that is not ours.
//
// Whatever is accepted must be allowed by the description, and what is refused for a field must not be.
package describetest

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

// The library takes 30 February for a date.
func init() {
	openapi3.DefineStringFormatValidator("date", openapi3.NewCallbackValidator(func(date string) error {
		_, err := time.Parse(time.DateOnly, date)
		return err
	}))
}

// A Description is the OpenAPI document of a surface.
type Description struct {
	Doc *openapi3.T

	// Bare says that bookings in answers are as bare as some tests make them, and are not held.
	Bare bool

	router routers.Router
	seen   sync.Map // what was held already
}

var descriptions sync.Map // by text, because most surfaces of tests describe themselves alike

// Of reads how a surface describes itself. Its paths are relative to base_url.
func Of(t testing.TB, surface http.Handler) *Description {
	t.Helper()
	w := httptest.NewRecorder()
	surface.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	return Read(t, w.Body.Bytes())
}

// Read reads a document.
func Read(t testing.TB, text []byte) *Description {
	t.Helper()
	if known, ok := descriptions.Load(string(text)); ok {
		return &Description{Doc: known.(*Description).Doc, router: known.(*Description).router}
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err == nil {
		err = doc.Validate(context.Background())
	}
	if err != nil {
		t.Fatalf("the description is no OpenAPI document: %v", err)
	}
	doc.Servers = openapi3.Servers{{URL: "/"}}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	d := &Description{Doc: doc, router: router}
	descriptions.Store(string(text), d)
	return d
}

// Held passes requests on to a surface, and holds each with its answer.
func (d *Description) Held(t testing.TB, surface http.Handler) http.Handler {
	return noting(surface, func(r *http.Request, sent *beginning, a *heard) {
		if sent.more || a.body.more || r.Method == http.MethodHead {
			return
		}
		d.Hold(t, r, sent.Bytes(), a.status, a.Header(), a.body.Bytes())
	})
}

// Hold holds a request, whose path is relative to base_url, and its answer.
func (d *Description) Hold(t testing.TB, r *http.Request, sent []byte, status int, header http.Header, answer []byte) {
	t.Helper()
	same := fmt.Sprint(r.Method, r.URL, status, header.Get("Content-Type"), string(sent), string(answer))
	if _, again := d.seen.LoadOrStore(sha256.Sum256([]byte(same)), true); again {
		return
	}
	asked := requestOf(r, sent)
	route, names, err := d.router.FindRoute(asked)
	if err != nil {
		return // an address, or a method, that there is not
	}
	options := optionsOf()
	options.ExcludeResponseBody = d.Bare && strings.HasPrefix(r.URL.Path, "/bookings") && status == http.StatusOK
	in := &openapi3filter.RequestValidationInput{Request: asked, PathParams: names, Route: route, Options: options}
	if r.Header.Get("Content-Encoding") == "" && strings.HasSuffix(asked.Header.Get("Content-Type"), "/json") {
		wrong := openapi3filter.ValidateRequest(context.Background(), in)
		switch {
		case status < 300 && wrong != nil:
			t.Errorf("%s %s was accepted, and the description has it otherwise: %.600s\n%.300s", r.Method, r.URL, wrong,
				sent)
		case wrong == nil && refusesFields(status, answer):
			t.Errorf("%s %s was refused, and the description allows it\n%.300s\n%.300s", r.Method, r.URL, answer, sent)
		}
	}
	if header.Get("Content-Encoding") == "" { // or it is the same, packed
		holdAnswer(t, in, status, header, answer)
	}
}

// Customer passes requests on to a customer's system, and holds those that we make of it (B1 to B5, at their usual
// paths) with their answers. called is told of each.
func (d *Description) Customer(t testing.TB, system http.Handler, called func(webhook string)) http.Handler {
	webhooks := map[string]string{"/api/suggest_traveller": "suggestTravellers",
		"/api/travel_request": "listTravelRequests", "/api/crew_change": "listCrewChanges",
		"/api/sync_flights": "syncFlights"}
	return noting(system, func(r *http.Request, sent *beginning, a *heard) {
		name := webhooks[r.URL.Path]
		if name == "" {
			return
		}
		item := d.Doc.Webhooks[name]
		asked := requestOf(r, sent.Bytes())
		in := &openapi3filter.RequestValidationInput{Request: asked, Options: optionsOf(),
			Route: &routers.Route{Spec: d.Doc, Server: d.Doc.Servers[0], Path: r.URL.Path, PathItem: item,
				Method: r.Method, Operation: item.GetOperation(r.Method)}}
		if err := openapi3filter.ValidateRequest(context.Background(), in); err != nil {
			t.Errorf("%s %s was sent, and the description has it otherwise: %.600s\n%.600s", r.Method, r.URL, err,
				sent.Bytes())
		}
		if a.status < 300 && name != "syncFlights" {
			holdAnswer(t, in, a.status, a.Header(), a.body.Bytes())
		}
		called(name)
	})
}

// requestOf returns a request to be read again, as its sender should have written it: with its type, with codes in
// capitals, and without what marks the order of bytes.
func requestOf(r *http.Request, sent []byte) *http.Request {
	sent = lowerCode.ReplaceAllFunc(bytes.TrimPrefix(sent, []byte("\ufeff")), bytes.ToUpper)
	asked, _ := http.NewRequest(r.Method, "http://surface"+r.URL.RequestURI(), bytes.NewReader(sent))
	asked.Header = r.Header.Clone()
	if asked.Header.Get("Content-Type") == "" {
		asked.Header.Set("Content-Type", "application/json")
	}
	return asked
}

var lowerCode = regexp.MustCompile(`:"[a-z]{2,3}"`)

func optionsOf() *openapi3filter.Options {
	return &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true,
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}
}

func holdAnswer(t testing.TB, in *openapi3filter.RequestValidationInput, status int, header http.Header,
	answer []byte) {
	t.Helper()
	if err := openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: status, Header: header.Clone(),
		Body: io.NopCloser(bytes.NewReader(answer)), Options: in.Options}); err != nil {
		t.Errorf("%s %s was answered with %d, and the description has it otherwise: %.600s\n%.600s", in.Request.Method,
			in.Request.URL, status, err, answer)
	}
}

// unsaid are the rules that no schema can say: each is in words where it holds.
var unsaid = regexp.MustCompile(`must not be in the future|must be after CheckIn|under two names|occurs twice|` +
	`cannot be read as JSON|is the same as|is required, or|must have at most \d+ bytes`)

// refusesFields reports whether an upload was refused for a field that a schema can say something about.
func refusesFields(status int, answer []byte) bool {
	var problem struct{ Errors map[string][]string }
	if status != http.StatusBadRequest || json.Unmarshal(answer, &problem) != nil {
		return false
	}
	for path, sentences := range problem.Errors {
		if strings.HasPrefix(path, "[") && !unsaid.MatchString(sentences[0]) {
			return true
		}
	}
	return false
}

// noting passes requests on, and calls done with what was sent and answered.
func noting(next http.Handler, done func(*http.Request, *beginning, *heard)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := &beginning{}
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.TeeReader(r.Body, sent), r.Body}
		answered := &heard{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(answered, r)
		done(r, sent, answered)
	})
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

// WriteHeader notes the status.
func (h *heard) WriteHeader(status int) {
	if status >= 200 {
		h.status = status
	}
	h.ResponseWriter.WriteHeader(status)
}

// Write notes the body.
func (h *heard) Write(p []byte) (int, error) {
	h.body.Write(p)
	return h.ResponseWriter.Write(p)
}

// Unwrap lets streams flush.
func (h *heard) Unwrap() http.ResponseWriter { return h.ResponseWriter }
