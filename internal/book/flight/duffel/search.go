package duffel

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gangway"
	"gangway/internal/background"
	"gangway/internal/book/flight"

	"golang.org/x/sync/errgroup"
)

// fareTypeMarine is what Duffel calls the fares for people who work on or for a vessel.
const fareTypeMarine = "marine"

// A searchQuestion is one search at Duffel. What it leaves out of an ask is looked at
// when the answer is there, so that one answer serves many asks.
type searchQuestion struct {
	slices string // "MNL-AMS 2026-12-02", and so on
	cabin  gangway.Cabin
	marine bool
}

// A searchAnswer is what a question brought.
type searchAnswer struct {
	offers []flight.Offer
	until  time.Time
}

// atOnce is how many questions are under way for one search.
const atOnce = 4

// Search asks Duffel for every pair of airports, the most promising first,
// until all are asked or the search has used what it may. Answers are handed on
// as they come.
func (s *Seller) Search(ctx context.Context, ask flight.Ask, found func([]flight.Offer)) error {
	sailor := ask.Vessel != "" && ask.Flag != ""
	if ask.FareType == gangway.Marine && !sailor {
		return gangway.Errorf(gangway.Invalid, "marine fares need the vessel and its flag")
	}
	if len(ask.Legs) == 0 {
		return gangway.Errorf(gangway.Invalid, "a search needs a leg")
	}
	ask.Cabin = cmp.Or(ask.Cabin, gangway.Economy)
	var (
		mu     sync.Mutex
		g      errgroup.Group
		failed error
	)
	g.SetLimit(atOnce)
	for _, route := range s.routes(ask) {
		q := searchQuestion{slices: route, cabin: ask.Cabin, marine: sailor && ask.FareType != gangway.Public}
		g.Go(func() error {
			if ctx.Err() != nil {
				return nil // nobody waits for it any more, and each question costs money
			}
			var offers []flight.Offer
			err := background.Guard(s.Log, "ask Duffel", func() (err error) {
				offers, err = s.answer(ctx, q)
				return err
			})
			offers = slices.DeleteFunc(slices.Clone(offers), func(o flight.Offer) bool { return !fitsAsk(ask, o) })
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = err
			} else if len(offers) > 0 && ctx.Err() == nil {
				found(offers)
			}
			return nil
		})
	}
	g.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return failed
}

// searchAnswer returns what can be had, asked a moment ago, being asked by somebody
// else, or asked now: each search costs money, and a crew asks the same six times
// at once. Whoever stops waiting leaves the search to the others.
func (s *Seller) answer(ctx context.Context, q searchQuestion) ([]flight.Offer, error) {
	answered := s.asking.DoChan(q.slot(), func() (any, error) {
		if offers, ok := s.keptFor(q); ok {
			return offers, nil // answered between the caller's look and its turn
		}
		var offers []flight.Offer
		err := background.Guard(s.Log, "search at Duffel", func() (err error) {
			offers, err = s.inquire(context.WithoutCancel(ctx), q)
			return err
		})
		return offers, err
	})
	select {
	case a := <-answered:
		offers, _ := a.Val.([]flight.Offer)
		return offers, a.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// keptFor returns the answer to a like question that still serves.
func (s *Seller) keptFor(q searchQuestion) ([]flight.Offer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.kept[q.slot()]
	return a.offers, ok && s.now().Before(a.until)
}

// inquire asks Duffel and keeps the answer.
func (s *Seller) inquire(ctx context.Context, q searchQuestion) (offers []flight.Offer, err error) {
	defer func() {
		if cause := recover(); cause != nil { // it runs beside its callers, where nobody else catches it
			s.Log.ErrorContext(ctx, "a search at duffel ended in a panic", "cause", cause, "stack",
				string(debug.Stack()))
			err = gangway.Errorf(gangway.Internal, "search at duffel: %v", cause)
		}
	}()
	list, err := s.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	now := s.now()
	a := searchAnswer{until: now.Add(s.KeepFor)}
	for _, w := range list {
		o, err := s.read(w)
		if err != nil {
			s.Log.WarnContext(ctx, "an offer of duffel's is left out", "offer", w.ID, "error", err)
			continue
		}
		if left := o.Expires.Add(-s.KeepFor); left.Before(a.until) { // whoever sees it must have time to book it
			a.until = left
		}
		a.offers = append(a.offers, o)
	}
	slices.SortStableFunc(a.offers, func(x, y flight.Offer) int {
		return cmp.Compare(x.Price.Total.Minor, y.Price.Total.Minor)
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	for slot, old := range s.kept {
		if !now.Before(old.until) {
			delete(s.kept, slot)
		}
	}
	s.kept[q.slot()] = a
	return a.offers, nil
}

// slot is where an answer is kept.
func (q searchQuestion) slot() string { return fmt.Sprintf("%s %s %t", q.slices, q.cabin, q.marine) }

// forget drops the answers that an offer was in: what was booked of them
// cannot be booked again.
func (d *Duffel) forget(offer string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for slot, a := range d.kept {
		if slices.ContainsFunc(a.offers, func(o flight.Offer) bool { return o.ID == offer }) {
			delete(d.kept, slot)
		}
	}
}

type sliceAsk struct {
	Origin      string    `json:"origin"`
	Destination string    `json:"destination"`
	Date        string    `json:"departure_date"`
	Departure   *struct{} `json:"departure_time"`
	Arrival     *struct{} `json:"arrival_time"`
}

type passengerAsk struct {
	Type     string `json:"type,omitempty"`
	FareType string `json:"fare_type,omitempty"`
}

type searchAsk struct {
	Slices         []sliceAsk     `json:"slices"`
	Passengers     []passengerAsk `json:"passengers"`
	Cabin          gangway.Cabin  `json:"cabin_class"`
	MaxConnections int            `json:"max_connections"`
}

// ask makes a search at Duffel, if the account has one left today.
func (s *Seller) ask(ctx context.Context, q searchQuestion) ([]wireOffer, error) {
	if err := s.spend(ctx); err != nil {
		return nil, err
	}
	// the most that Duffel takes
	body := searchAsk{Passengers: []passengerAsk{{Type: "adult"}}, Cabin: q.cabin, MaxConnections: 2}
	if q.marine {
		body.Passengers = []passengerAsk{{FareType: fareTypeMarine}}
	}
	for _, part := range strings.Split(q.slices, ",") {
		pair, date, _ := strings.Cut(part, " ")
		from, to, _ := strings.Cut(pair, "-")
		body.Slices = append(body.Slices, sliceAsk{Origin: from, Destination: to, Date: date})
	}
	var found struct {
		Offers []wireOffer `json:"offers"`
	}
	_, err := s.call(ctx, request{
		method: http.MethodPost, path: "/air/offer_requests", data: body, patience: s.AirlineTime + overhead,
		query: url.Values{"return_offers": {"true"},
			"supplier_timeout": {strconv.FormatInt(s.AirlineTime.Milliseconds(), 10)}},
	}, &found)
	if err != nil {
		return nil, explainError(err)
	}
	return slices.DeleteFunc(found.Offers, func(w wireOffer) bool { return w.Partial }), nil
}
