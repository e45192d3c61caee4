// Package duffeltest is a working model of Duffel's flights API, version 2, in memory. It
// does what the API documents, including the special routes of its test airline, its errors,
// and the ways in which an answer can be lost.
//
// It is only for tests and shares no code with the adapter that it tests. Its answers are
// checked with Duffel's own JavaScript client and its types.
package duffeltest

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The tokens that the model accepts.
const (
	Token     = "duffel_test_gangway"
	LiveToken = "duffel_live_gangway"
)

// A Duffel is the model: an http.Handler to be put behind a server.
type Duffel struct {
	now      func() time.Time
	handler  http.Handler
	delivery *http.Client

	mu            sync.Mutex
	ids           int
	offers        map[string]*offer
	orders        []*order
	payments      []*payment
	cancellations []*cancellation
	changeOffers  map[string]*changeOffer
	changes       map[string]*orderChange
	notices       []*airlineChange
	webhooks      []webhook
	due           []*event // events to be delivered after the call
	markup        money    // on everything found from now on
	charging      Charging // for changes
	operating     *carrier // who operates the flights found from now on; nil: the model's own airline
	faults        map[string][]Fault
	calls         map[string]int
	before        map[string]func()
	pending       []pendingOrder
	limit, used   int // requests in a window of a minute; 0: no limit
	window        time.Time
}

// New returns a Duffel without orders. now is its clock.
func New(now func() time.Time) *Duffel {
	d := &Duffel{
		now: now, delivery: &http.Client{Timeout: 10 * time.Second},
		offers: map[string]*offer{}, changeOffers: map[string]*changeOffer{}, changes: map[string]*orderChange{},
		faults: map[string][]Fault{}, calls: map[string]int{}, before: map[string]func(){},
	}
	mux := http.NewServeMux()
	for pattern, do := range map[string]func(*Duffel, *call) (any, error){
		"POST /air/offer_requests":          (*Duffel).createOfferRequest,
		"GET /air/offers/{id}":              (*Duffel).getOffer,
		"POST /air/orders":                  (*Duffel).createOrder,
		"GET /air/orders":                   (*Duffel).listOrders,
		"GET /air/orders/{id}":              (*Duffel).getOrder,
		"POST /air/payments":                (*Duffel).createPayment,
		"GET /air/payments":                 (*Duffel).listPayments,
		"POST /air/order_cancellations":     (*Duffel).createCancellation,
		"GET /air/order_cancellations/{id}": (*Duffel).getCancellation,
		ConfirmCancellation:                 (*Duffel).confirmCancellation,
		"POST /air/order_change_requests":   (*Duffel).createChangeRequest,
		"GET /air/order_change_offers/{id}": (*Duffel).getChangeOffer,
		"POST /air/order_changes":           (*Duffel).createChange,
		"GET /air/order_changes/{id}":       (*Duffel).getChange,
		ConfirmChange:                       (*Duffel).confirmChange,
		AcceptNotice:                        (*Duffel).acceptNotice,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { d.serve(w, r, pattern, do) })
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		d.serve(w, r, "", func(*Duffel, *call) (any, error) { return nil, errNotFound })
	})
	d.handler = mux
	return d
}

// A call is one request while it is being served.
type call struct {
	r      *http.Request
	body   []byte
	now    time.Time
	live   bool
	status int   // 200 unless the call says otherwise
	meta   *meta // only of lists
	fault  Fault
}

// ServeHTTP answers a request as Duffel would.
func (d *Duffel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if path := strings.TrimRight(r.URL.Path, "/"); path != r.URL.Path {
		r.URL.Path = path // Duffel's JavaScript client ends some paths with a slash
	}
	d.handler.ServeHTTP(w, r)
}

// serve makes a call under the lock, and delivers its events before it answers.
func (d *Duffel) serve(w http.ResponseWriter, r *http.Request, pattern string, do func(*Duffel, *call) (any, error)) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return
	}
	d.mu.Lock()
	c := &call{r: r, body: body, now: d.now().UTC(), status: http.StatusOK, fault: d.fault(pattern)}
	d.calls[pattern]++
	if happens := d.before[pattern]; happens != nil {
		delete(d.before, pattern)
		happens()
	}
	requestID := d.id("req")
	err = d.admit(w, c)
	var data any
	if err == nil && (c.fault.Before) {
		err = c.fault.err()
	} else if err == nil {
		data, err = do(d, c)
		if err == nil && c.fault.After {
			err = c.fault.err()
		}
	}
	var answer []byte
	if err == nil {
		answer = mustJSON(map[string]any{"data": data})
		if c.meta != nil {
			answer = mustJSON(map[string]any{"data": data, "meta": c.meta})
		}
	}
	due := d.due
	d.due = nil
	d.mu.Unlock()

	d.deliver(due)
	switch {
	case c.fault.Cut:
		panic(http.ErrAbortHandler)
	case c.fault.Wait:
		<-r.Context().Done()
		return
	}
	w.Header().Set("x-request-id", requestID)
	if err != nil {
		c.status, answer = errorAnswer(err, requestID)
	}
	write(w, r, c.status, answer)
}

// admit checks what every request must have.
func (d *Duffel) admit(w http.ResponseWriter, c *call) error {
	if err := d.limited(w.Header(), c.now); err != nil {
		return err
	}
	h := c.r.Header
	scheme, token, _ := strings.Cut(h.Get("Authorization"), " ")
	switch {
	case h.Get("Authorization") == "":
		return &apiError{401, "authentication_error", "missing_authorization_header", "Missing authorization header",
			"The 'Authorization' header needs to be set and contain a valid API token", ""}
	case scheme != "Bearer" || token == "":
		return &apiError{401, "authentication_error", "invalid_authorization_header", "Invalid authorization header",
			"The 'Authorization' header has to be a bearer token", ""}
	case token != Token && token != LiveToken:
		return &apiError{401, "authentication_error", "access_token_not_found", "Access token not found",
			"The access token used is not recognised by our system", ""}
	case h.Get("Duffel-Version") == "":
		return &apiError{400, "invalid_request_error", "missing_version", "Missing version",
			"The 'Duffel-Version' header needs to be set", ""}
	case h.Get("Duffel-Version") != "v2":
		return &apiError{400, "invalid_request_error", "unsupported_version", "Unsupported version",
			"The version set in the 'Duffel-Version' header is not supported", ""}
	case !strings.Contains(h.Get("Accept"), "application/json"):
		return &apiError{406, "invalid_request_error", "unsupported_format", "Not acceptable",
			"The 'Accept' header has to be application/json", ""}
	case len(c.body) > 0 && !strings.HasPrefix(h.Get("Content-Type"), "application/json"):
		return &apiError{400, "invalid_request_error", "invalid_content_type_header", "Invalid content type",
			"The 'Content-Type' header has to be application/json", ""}
	}
	c.live = token == LiveToken
	return nil
}

// limited counts a request against the rate limit and sets its headers.
func (d *Duffel) limited(h http.Header, now time.Time) error {
	if d.limit == 0 {
		return nil
	}
	if !now.Before(d.window) {
		d.window, d.used = now.Add(time.Minute), 0
	}
	d.used++
	h.Set("ratelimit-limit", strconv.Itoa(d.limit))
	h.Set("ratelimit-remaining", strconv.Itoa(max(0, d.limit-d.used)))
	h.Set("ratelimit-reset", d.window.Format(time.RFC1123))
	if d.used > d.limit {
		return &apiError{429, "rate_limit_error", "rate_limit_exceeded", "Rate limit exceeded",
			"Too many requests hit the API too quickly", ""}
	}
	return nil
}

// read decodes the data of a body into v. Unknown fields are refused, so that a misspelt one
// is noticed.
func (c *call) read(v any) error {
	var envelope struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(c.body, &envelope); err != nil {
		return &apiError{400, "invalid_request_error", "bad_request", "Bad request", "The body is not JSON", ""}
	}
	if len(envelope.Data) == 0 {
		return &apiError{400, "invalid_request_error", "missing_data_param", "Missing data param",
			"The data has to be nested in the 'data' key", ""}
	}
	in := json.NewDecoder(strings.NewReader(string(envelope.Data)))
	in.DisallowUnknownFields()
	if err := in.Decode(v); err != nil {
		return &apiError{400, "invalid_request_error", "invalid_data_param", "Invalid data param", err.Error(), ""}
	}
	return nil
}

// id returns a new id.
func (d *Duffel) id(prefix string) string {
	d.ids++
	return fmt.Sprintf("%s_0000B%017s", prefix, strconv.FormatInt(int64(d.ids), 36))
}

func write(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	if len(body) == 0 {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if len(body) < 1024 || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.WriteHeader(status)
		w.Write(body)
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.WriteHeader(status)
	zip := gzip.NewWriter(w)
	zip.Write(body)
	zip.Close()
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
