// Package api is the integration surface: uploads A1, A2 and A4, the deletion
// A3 and the pull A5, for customers' programs.
//
// It reads requests and writes answers. What a record must contain, packages
// wire and gangway know; what becomes of it, accept; who is asking, access.
package api

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/access"
)

// Limits bound what one key may ask of the service.
type Limits struct {
	Body      int64 // bytes of a body, after decompression
	Records   int   // of one upload
	PerMinute int   // requests of one key
}

// DefaultLimits are the limits unless the operator sets others.
//
// Decided: docs/choices.md, "Uploads".
var DefaultLimits = Limits{Body: 32 << 20, Records: 50_000, PerMinute: 6000}

// Config is what the surface needs.
type Config struct {
	DB     *store.DB
	Now    func() time.Time
	Log    *slog.Logger
	Limits Limits // DefaultLimits where zero
}

// API answers the integration surface. Endpoints are its methods.
type API struct {
	db     *store.DB
	now    func() time.Time
	log    *slog.Logger
	limits Limits
	rate   *rate
	byKey  func(*http.Request) (gangway.Scope, error)
}

// New returns the surface. Paths of requests are relative to base_url.
func New(c Config) http.Handler {
	a := &API{db: c.DB, now: c.Now, log: c.Log, limits: c.Limits, byKey: access.ByKey(c.DB, c.Now)}
	if a.limits == (Limits{}) {
		a.limits = DefaultLimits
	}
	a.rate = newRate(a.limits.PerMinute, c.Now)
	mux := http.NewServeMux()
	for path, methods := range map[string]map[string]web.Handler{
		"/passenger":          {"POST": a.uploadTravellers},
		"/travelers-requests": {"POST": a.uploadTravelRequests, "DELETE": a.deleteTravelRequest},
		"/travel-requests":    {"POST": a.uploadCrewChanges},
		"/bookings":           {"GET": a.pullBookings},
		"/bookings/modified":  {"GET": a.modifiedBookings},
	} {
		mux.Handle(path, a.endpoint(methods))
	}
	mux.Handle("/", a.gate(func(*http.Request) (gangway.Scope, error) { return gangway.Scope{}, nil }, noSuchAddress))
	return mux
}

// endpoint answers one address: a key is asked for first, then the methods are
// told apart.
func (a *API) endpoint(methods map[string]web.Handler) http.Handler {
	var allow []string
	for m := range methods {
		allow = append(allow, m)
	}
	slices.Sort(allow)
	return a.gate(a.byKey, func(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
		if err := a.rate.admit(w.Header(), r.Header.Get("X-Api-Key")); err != nil {
			return err
		}
		h, ok := methods[r.Method]
		if !ok {
			return web.MethodNotAllowed(allow...)
		}
		return h(w, r, in)
	})
}

func (a *API) gate(auth func(*http.Request) (gangway.Scope, error), h web.Handler) http.Handler {
	return web.Gate(a.db, a.log, auth, web.Problem, h)
}

func noSuchAddress(http.ResponseWriter, *http.Request, store.Scoped) error {
	return gangway.Errorf(gangway.NotFound, "there is nothing at this address")
}

// deleteTravelRequest takes a travel request back; bookings made from it stay.
//
// Spec: A3 Delete travel request.
func (a *API) deleteTravelRequest(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	query := r.URL.Query()
	requestID := strings.TrimSpace(query.Get("requestId"))
	if requestID == "" {
		var p gangway.Problems
		p.Add("RequestId", "The requestId parameter is required.")
		return p.Err()
	}
	var sub *string
	if query.Has("subRequestId") {
		s := strings.TrimSpace(query.Get("subRequestId"))
		sub = &s
	}
	n, err := in.DeleteTravelRequests(r.Context(), requestID, sub)
	if err != nil {
		return err
	}
	if n == 0 {
		return gangway.Errorf(gangway.NotFound, "there is no such travel request")
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// write answers with a JSON body.
func write(w http.ResponseWriter, body []byte) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, err := w.Write(body)
	return err
}
