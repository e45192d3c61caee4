package duffeltest

import (
	"errors"
	"net/http"
	"time"
)

// An apiError is an error in Duffel's form.
type apiError struct {
	status         int
	kind, code     string
	title, message string
	field          string // only of validation errors
}

func (e *apiError) Error() string { return e.code + ": " + e.message }

var errNotFound = &apiError{404, "invalid_request_error", "not_found", "Not found",
	"The resource you are trying to access does not exist", ""}

// invalid is a validation error of one field.
func invalid(field, code, message string) error {
	return &apiError{422, "validation_error", code, "Invalid " + field, message, field}
}

// state is an error for what is impossible in the current state.
func state(code, message string) error {
	return &apiError{422, "invalid_state_error", code, "Invalid state", message, ""}
}

// airline is an error from the airline.
func airline(code, message string) error {
	return &apiError{422, "airline_error", code, "Airline error", message, ""}
}

// errorAnswer returns the status and the body of an error.
func errorAnswer(err error, requestID string) (int, []byte) {
	var e *apiError
	if !errors.As(err, &e) {
		e = &apiError{500, "api_error", "internal_server_error", "Internal server error", err.Error(), ""}
	}
	type source struct {
		Field   string `json:"field"`
		Pointer string `json:"pointer"`
	}
	one := struct {
		Type    string  `json:"type"`
		Title   string  `json:"title"`
		Code    string  `json:"code"`
		Message string  `json:"message"`
		URL     string  `json:"documentation_url"`
		Source  *source `json:"source,omitempty"`
	}{Type: e.kind, Title: e.title, Code: e.code, Message: e.message,
		URL: "https://duffel.com/docs/api/overview/errors"}
	if e.field != "" {
		one.Source = &source{Field: e.field, Pointer: "/" + e.field}
	}
	return e.status, mustJSON(map[string]any{
		"errors": []any{one},
		"meta":   map[string]any{"status": e.status, "request_id": requestID},
	})
}

// A Fault is what goes wrong with one call.
type Fault struct {
	Status     int    // of the error that is answered; 0: none
	Type, Code string // of the error
	Before     bool   // nothing is done
	After      bool   // it is done nevertheless
	Cut        bool   // the connection is cut instead of an answer
	Wait       bool   // there is no answer until the caller has gone
	Pending    Outcome
}

// An Outcome is what happens to an order that was accepted but not made at once.
type Outcome int

const (
	Made   Outcome = iota + 1 // it is made in the end
	Failed                    // it is never made
)

// Ways in which calls go wrong.
var (
	// the request never arrives
	LostBefore = Fault{Before: true, Cut: true}
	// it is done, and the answer is lost
	LostAfter = Fault{After: true, Cut: true}
	// it is done, and the answer comes too late
	Slow = Fault{After: true, Wait: true}
	// it is done, and answered with an error
	Broken = Fault{After: true, Status: http.StatusInternalServerError, Type: "api_error",
		Code: "internal_server_error"}
	BrokenFirst = Fault{Before: true, Status: http.StatusInternalServerError, Type: "api_error",
		Code: "internal_server_error"}
	NotCreated  = Fault{Before: true, Status: http.StatusBadGateway, Type: "api_error", Code: "order_not_created"}
	BadGateway  = Fault{After: true, Status: http.StatusBadGateway, Type: "api_error", Code: "bad_gateway"}
	Unavailable = Fault{Before: true, Status: http.StatusServiceUnavailable, Type: "api_error",
		Code: "service_unavailable"}
	TimedOut = Fault{After: true, Status: http.StatusGatewayTimeout, Type: "api_error", Code: "gateway_timeout"}
	NoTime   = Fault{Before: true, Status: http.StatusGatewayTimeout, Type: "api_error", Code: "gateway_timeout"}
	TooMany  = Fault{Before: true, Status: http.StatusTooManyRequests, Type: "rate_limit_error",
		Code: "rate_limit_exceeded"}
	PendingMade = Fault{Pending: Made}   // of orders: accepted, and made by Settle
	PendingLost = Fault{Pending: Failed} // of orders: accepted, and dropped by Settle
)

// Refusal is a fault: Duffel refuses the call with an error.
func Refusal(status int, kind, code string) Fault {
	return Fault{Before: true, Status: status, Type: kind, Code: code}
}

func (f Fault) err() error {
	return &apiError{f.Status, f.Type, f.Code, "Something went wrong", "This went wrong because a test wanted it: " +
		f.Code, ""}
}

// The calls that tests can make fail, or count.
const (
	Search              = "POST /air/offer_requests"
	GetOffer            = "GET /air/offers/{id}"
	CreateOrder         = "POST /air/orders"
	ListOrders          = "GET /air/orders"
	GetOrder            = "GET /air/orders/{id}"
	Pay                 = "POST /air/payments"
	QuoteCancellation   = "POST /air/order_cancellations"
	ConfirmCancellation = "POST /air/order_cancellations/{id}/actions/confirm"
	AskChange           = "POST /air/order_change_requests"
	GetChangeOffer      = "GET /air/order_change_offers/{id}"
	CreateChange        = "POST /air/order_changes"
	ConfirmChange       = "POST /air/order_changes/{id}/actions/confirm"
	AcceptNotice        = "POST /air/airline_initiated_changes/{id}/actions/accept"
)

// Fail makes the next call of a kind go wrong; several faults apply to as many calls in turn.
func (d *Duffel) Fail(call string, faults ...Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.faults[call] = append(d.faults[call], faults...)
}

// fault takes the next fault of a call.
func (d *Duffel) fault(call string) Fault {
	next := d.faults[call]
	if len(next) == 0 {
		return Fault{}
	}
	d.faults[call] = next[1:]
	return next[0]
}

// Before runs happens while the next call of a kind is under way.
func (d *Duffel) Before(call string, happens func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.before[call] = happens
}

// Calls returns how often a call was made.
func (d *Duffel) Calls(call string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.calls[call]
}

// Limit allows at most n requests in a minute; 0 removes the limit.
func (d *Duffel) Limit(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limit, d.used, d.window = n, 0, time.Time{}
}
