package shell_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/app"
	"gangway/internal/web/app/apptest"
)

// TestErrorPagesSayWhatToDo holds that each error has a page of ours, with a
// heading in plain words, a sentence that says what happened, another that says
// what to do, and not the name of the HTTP status.
func TestErrorPagesSayWhatToDo(t *testing.T) {
	a := apptest.Must(app.New(app.Config{DB: storetest.New(t), Now: time.Now, Log: slog.New(slog.DiscardHandler)}))(t)
	refuse := func(err error) func(*http.Request) *httptest.ResponseRecorder {
		return func(r *http.Request) *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			a.Refuse(w, r, err)
			return w
		}
	}
	serve := func(r *http.Request) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		a.ServeHTTP(w, r)
		return w
	}
	request := func(method, path, body string, header ...string) *http.Request {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		return r
	}
	plain := func() *http.Request { return request(http.MethodGet, "/bookings", "") }
	long := strings.Repeat("x", 2<<20)
	for _, tt := range []struct {
		name                string
		status              int
		answer              func(*http.Request) *httptest.ResponseRecorder
		to                  *http.Request
		heading, says, then string
	}{
		{"400", 400, serve, request("POST", "/sign-in", "a=%zz"), "That cannot be done as it was asked",
			"What was sent cannot be read as a form.", "look at what was typed"},
		{"400, a page", 400, refuse(gangway.Errorf(gangway.Invalid, "there is no such set")), plain(),
			"That cannot be shown as it was asked", "There is no such set.", "Go back, or begin at one"},
		{"403", 403, refuse(gangway.Errorf(gangway.Denied, "only an approver approves")), plain(), "Not for your role",
			"Only an approver approves.", "ask an admin"},
		{"403, another site", 403, serve, request("POST", "/searches", "", "Sec-Fetch-Site", "cross-site"),
			"That came from another site", "so nothing was done.", "Use the pages of Gangway itself"},
		{"404", 404, serve, request("GET", "/no-such", ""), "Not found", "There is no page at this address.",
			"Begin at one of the pages below."},
		{"405", 405, serve, request("DELETE", "/sign-in", ""), "Not in this way",
			"This address answers GET, HEAD, POST.", "use its form there"},
		{"409", 409, refuse(gangway.Errorf(gangway.Conflict, "the booking is cancelled")), plain(),
			"That is no longer possible", "The booking is cancelled.", "Open the page again"},
		{"413", 413, serve, request("POST", "/sign-in", "a="+long), "That is too large",
			"The body is larger than what is accepted.", "send less text"},
		{"415", 415, serve, request("POST", "/sign-in", "x", "Content-Type", "multipart/form-data; boundary=x"),
			"That cannot be read here", "not in the form that the pages of Gangway send", "Open the page again"},
		{"422", 422, serve, request("POST", "/sign-in", "email="+long[:4000]), "Something in the form is not right",
			"The field email has at most", "correct it and send it again"},
		{"422, a page", 422, serve, request("GET", "/sign-in?back="+long[:9000], ""), "That cannot be looked for",
			"The field back has at most", "ask for something else"},
		{"429", 429, refuse(web.TooManyRequests(150*time.Second, "too many tries")), plain(), "Too much at once",
			"Too many tries.", "Try again in 3 minutes."},
		{"500", 500, refuse(errors.New("disk on fire")), plain(), "Something went wrong on our side",
			"It has been written down", "trying again is safe"},
		{"503, a limit", 503, refuse(web.Full()), plain(), "No answer just now", "As much is being received",
			"Nothing was changed by this. Try again in 5 seconds."},
		{"503, somebody does not answer", 503,
			refuse(gangway.Errorf(gangway.Unavailable, "the airline does not answer")),
			request("POST", "/bookings", ""), "No answer just now", "The airline does not answer.",
			"check before you send it again"},
		{"503, a page", 503, refuse(gangway.Errorf(gangway.Unavailable, "the airline does not answer")), plain(),
			"No answer just now", "The airline does not answer.", "Open the page again in a moment."},
		{"a status that none of ours has", 418, refuse(&web.Refusal{Status: 418, Msg: "no tea"}), plain(),
			"That could not be done", "No tea.", "Book a flight"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := tt.answer(tt.to)
			body := w.Body.String()
			if w.Code != tt.status || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") ||
				w.Header().Get("Content-Security-Policy") == "" {
				t.Fatalf("answered %d, %v; want %d and a page", w.Code, w.Header(), tt.status)
			}
			for _, want := range []string{"<title>" + tt.heading, tt.says, tt.then, `href="/bookings"`, "<h1"} {
				if !strings.Contains(body, want) {
					t.Errorf("the page lacks %q:\n%s", want, body)
				}
			}
			if strings.Contains(body, "disk on fire") || tt.status != 404 &&
				strings.Contains(body, ">"+http.StatusText(tt.status)+"<") {
				t.Errorf("the page has what it must not:\n%s", body)
			}
		})
	}
}
