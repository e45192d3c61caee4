package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// A Refusal is an error that only makes sense on the web: it has a status and
// perhaps a header that tells the caller how to do better.
type Refusal struct {
	Status int
	Msg    string
	Header http.Header

	TravelRequestIDs []string // of the crew changes that the request may mean; empty for one that was sent without
}

// Error returns the message, which the caller may read.
func (r *Refusal) Error() string { return r.Msg }

// Unauthorized says that the caller is not known. challenge is for WWW-Authenticate: how to
// authenticate.
func Unauthorized(challenge, msg string) error {
	return &Refusal{Status: http.StatusUnauthorized, Msg: msg, Header: http.Header{"Www-Authenticate": {challenge}}}
}

// Limited reports whether err says that a limit was reached.
func Limited(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && (r.Status == http.StatusTooManyRequests || r.Status == http.StatusServiceUnavailable)
}

// MethodNotAllowed says which methods the address does answer.
func MethodNotAllowed(allow ...string) error {
	list := strings.Join(allow, ", ")
	return &Refusal{Status: http.StatusMethodNotAllowed, Msg: "this address answers " + list,
		Header: http.Header{"Allow": {list}}}
}

// TooLarge says that the body is larger than what is accepted, msg says what that is.
func TooLarge(msg string) error {
	return &Refusal{Status: http.StatusRequestEntityTooLarge, Msg: msg}
}

// UnsupportedMedia says which form of body is accepted.
func UnsupportedMedia(msg string) error {
	return &Refusal{Status: http.StatusUnsupportedMediaType, Msg: msg}
}

// Unprocessable says why a well-formed request cannot be carried out.
func Unprocessable(msg string) error {
	return &Refusal{Status: http.StatusUnprocessableEntity, Msg: msg}
}

// TooManyRequests says when to come back.
func TooManyRequests(after time.Duration, msg string) error {
	return retryLater(http.StatusTooManyRequests, after, msg)
}

// Overloaded says that there is more to do than can be done at once, and when to come back.
func Overloaded(after time.Duration, msg string) error {
	return retryLater(http.StatusServiceUnavailable, after, msg)
}

// StillRunning says that the same request is being worked on, and when to ask again.
func StillRunning(after time.Duration, msg string) error {
	return retryLater(http.StatusConflict, after, msg)
}

func retryLater(status int, after time.Duration, msg string) error {
	return &Refusal{Status: status, Msg: msg, Header: http.Header{"Retry-After": {Seconds(after)}}}
}

// Seconds returns how long to wait, as Retry-After has it.
func Seconds(wait time.Duration) string { return strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))) }

// StartTakes is when to ask a server again that is starting: a start takes a second or two, unless it waits for its
// database.
const StartTakes = time.Second

// Starting says that the server is starting, and when to ask again.
func Starting(msg string) error { return retryLater(http.StatusServiceUnavailable, StartTakes, msg) }

// RetryAfter is when to ask a system again that is not answering now.
const RetryAfter = "5"

// Status returns the HTTP status that answers err.
func Status(err error) int {
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		return refusal.Status
	case errors.As(err, new(*http.MaxBytesError)):
		return http.StatusRequestEntityTooLarge
	}
	switch gangway.KindOf(err) {
	case gangway.Invalid:
		return http.StatusBadRequest
	case gangway.NotFound:
		return http.StatusNotFound
	case gangway.Conflict:
		return http.StatusConflict
	case gangway.Denied:
		return http.StatusForbidden
	case gangway.Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// A problem is a problem details object.
//
// Spec: Errors; RFC 9457.
type problem struct {
	Type      string              `json:"type"`
	Title     string              `json:"title"`
	Status    int                 `json:"status"`
	Detail    string              `json:"detail,omitempty"`
	Errors    map[string][]string `json:"errors,omitempty"`
	Truncated bool                `json:"truncated,omitempty"` // more fields are wrong than are listed in errors

	TravelRequestIDs []string `json:"travel_request_ids,omitempty"` // of a Refusal
}

// sections says where RFC 9110 describes a status; statuses that it does not have are
// described where they were defined.
var sections = map[int]string{
	http.StatusBadRequest:            "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.1",
	http.StatusUnauthorized:          "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2",
	http.StatusForbidden:             "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.4",
	http.StatusNotFound:              "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5",
	http.StatusMethodNotAllowed:      "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.6",
	http.StatusConflict:              "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.10",
	http.StatusRequestEntityTooLarge: "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.14",
	http.StatusUnsupportedMediaType:  "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16",
	http.StatusUnprocessableEntity:   "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.21",
	http.StatusTooManyRequests:       "https://www.rfc-editor.org/rfc/rfc6585#section-4",
	http.StatusInternalServerError:   "https://www.rfc-editor.org/rfc/rfc9110#section-15.6.1",
	http.StatusServiceUnavailable:    "https://www.rfc-editor.org/rfc/rfc9110#section-15.6.4",
}

// Answer sets the headers that go with err and returns the status that answers it.
func Answer(header http.Header, err error) (status int) {
	status = Status(err)
	if refusal, is := errors.AsType[*Refusal](err); is {
		maps.Copy(header, refusal.Header)
	}
	if status == http.StatusServiceUnavailable && header.Get("Retry-After") == "" {
		header.Set("Retry-After", RetryAfter)
	}
	return status
}

// Message returns what the caller is told about err: without the context that was added
// for our log, and without any detail if the fault is ours.
func Message(err error) string {
	var refusal *Refusal
	var ours *gangway.Error
	switch status := Status(err); {
	case errors.As(err, &refusal):
		return refusal.Msg
	case status == http.StatusRequestEntityTooLarge:
		return "the body is larger than what is accepted"
	case status == http.StatusInternalServerError:
		return "something went wrong on our side; it was noted"
	case errors.As(err, &ours):
		return ours.Msg
	}
	return ""
}

// Problem answers a request with err as problem details.
//
// Decided: docs/choices.md, "Errors everywhere else".
func Problem(w http.ResponseWriter, r *http.Request, err error) {
	header := w.Header()
	status, body := ProblemOf(header, err)
	header.Set("Content-Type", "application/problem+json")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body)
	}
}

// ProblemOf sets the headers that go with err, and returns the problem details by which it is answered.
func ProblemOf(header http.Header, err error) (status int, body []byte) {
	status = Answer(header, err)
	p := problem{Type: sections[status], Title: http.StatusText(status), Status: status, Detail: Message(err)}
	p.Type = cmp.Or(p.Type, "about:blank")
	if fields, is := errors.AsType[*gangway.ProblemsError](err); is {
		p.Title, p.Errors, p.Truncated = "One or more validation errors occurred.", fields.Fields, fields.Truncated
	}
	if refusal := (*Refusal)(nil); errors.As(err, &refusal) {
		p.TravelRequestIDs = refusal.TravelRequestIDs
	}
	body, err = json.Marshal(p)
	if err != nil {
		return http.StatusInternalServerError, []byte(`{"title":"Internal Server Error","status":500}`)
	}
	return status, body
}
