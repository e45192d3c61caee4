package duffel

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gangway/internal/background"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"

	"golang.org/x/sync/errgroup"
)

// fareTypeMarine is Duffel's name for fares for people who work on or for a vessel.
const fareTypeMarine = "marine"

// A searchQuestion is one search at Duffel. It leaves out the parts of an ask that are checked
// on the answer, so that one answer serves many asks.
type searchQuestion struct {
	slices string // "MNL-AMS 2026-12-02", and so on
	cabin  gangway.Cabin
	marine bool
}

// A searchAnswer is the result of a question.
type searchAnswer struct {
	offers []flight.Offer
	until  time.Time
}

// atOnce is how many questions of one search are asked at the same time.
const atOnce = 4

// Search asks Duffel for every pair of airports, the most promising first, until all are asked
// or the search has used its number of searches. Answers are passed on as they arrive.
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
				return nil // the caller has stopped waiting, and each question costs money
			}
			var offers []flight.Offer
			err := background.Guard(s.Log, "ask Duffel", func() error {
				all, err := s.answer(ctx, q)
				offers = slices.DeleteFunc(slices.Clone(all), func(o flight.Offer) bool { return !fitsAsk(ask, o) })
				return err
			})
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

// answer returns the answer to a question: a recent one, the one that another caller is
// waiting for, or a new one. Each search costs money, and for a crew the same question is
// asked six times at once. A caller that stops waiting leaves the search to the others.
func (s *Seller) answer(ctx context.Context, q searchQuestion) ([]flight.Offer, error) {
	answered := s.asking.DoChan(q.slot(), func() (any, error) {
		if offers, ok := s.cached(q); ok {
			return offers, nil // answered since the caller looked
		}
		var offers []flight.Offer
		err := background.Guard(s.Log, "search at Duffel", func() (err error) {
			offers, err = s.fetch(context.WithoutCancel(ctx), q)
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

// cached returns an answer to the same question that can still be used.
func (s *Seller) cached(q searchQuestion) (offers []flight.Offer, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.kept[q.slot()]
	return a.offers, ok && s.now().Before(a.until)
}

// fetch asks Duffel and keeps the answer.
func (s *Seller) fetch(ctx context.Context, q searchQuestion) ([]flight.Offer, error) {
	list, err := s.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	now := s.now()
	a := searchAnswer{until: now.Add(s.KeepFor)}
	for _, w := range list {
		o, err := s.read(w)
		if err != nil {
			s.Log.WarnContext(ctx, "a Duffel offer is left out", "offer", w.ID, "error", err)
			continue
		}
		if left := o.Expires.Add(-s.KeepFor); left.Before(a.until) { // leave time to book what is shown
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

// slot is the key under which an answer is kept.
func (q searchQuestion) slot() string { return fmt.Sprintf("%s %s %t", q.slices, q.cabin, q.marine) }

// forget drops the answers that contain an offer: after one of their offers is booked, the
// others cannot be booked.
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
	// the most connections that Duffel supports
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
