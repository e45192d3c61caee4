// Package samplebookings makes up bookings, so that a report has something to tell: three years of a shipping
// company whose ships change their crews all over the world.
//
// It invents ships and people. What they fly, and what that costs, the simulated network says, at the prices of the
// day of booking; what happens to a booking then, the moves of lifecycle.go by the rules of the desk, with a clock
// that goes from one move to the next. It writes nothing: the store does.
package samplebookings

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/invented"
	"gangway/internal/store"
)

// Years is over how many years bookings are made.
const Years = 3

// A Plan says which bookings are to be made up. The same plan always makes the same ones.
type Plan struct {
	Account gangway.Account // for which; no other has the same bookings
	Seed    int64
	Count   int
	Until   gangway.Date // nothing happens on that day or later
}

// A Maker makes up the bookings of a plan. It is for one goroutine.
type Maker struct {
	plan    Plan
	end     time.Time // nothing happens then or later
	days    []int     // the sum of all days' weights up to each
	fleet   []vessel
	network *sim.Network
	desk    book.Rehearsal
	clock   time.Time
}

// New returns a maker for a plan.
func New(p Plan) (*Maker, error) {
	m := &Maker{plan: p, end: p.Until.In(time.UTC)}
	var err error
	if m.network, err = sim.New(sim.Config{Now: m.now}); err != nil {
		return nil, err
	}
	m.desk = book.Rehearse(m.now)
	m.fleet = fleet(m.random(0, 0), min(max(p.Count/400, 8), 240))
	m.days = busyDays(m.end)
	return m, nil
}

func (m *Maker) now() time.Time { return m.clock }

// random returns the numbers for a part of the plan.
func (m *Maker) random(part, n uint64) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(m.plan.Seed)^part<<56, n<<32^uint64(m.plan.Count)))
}

// busyDays returns for each day before end the sum of the weights of all days up to it: more is booked in spring and
// before Christmas, less on weekends, and every year a tenth more than the year before.
func busyDays(end time.Time) []int {
	months := [12]int{90, 95, 110, 115, 115, 105, 90, 85, 100, 105, 115, 75}
	var sums []int
	sum := 0
	first := end.AddDate(-Years, 0, 0)
	for day := first; day.Before(end); day = day.AddDate(0, 0, 1) {
		weight := months[day.Month()-1] * (3650 + len(sums)) / 365
		if w := day.Weekday(); w == time.Saturday || w == time.Sunday {
			weight /= 4
		}
		sum += weight
		sums = append(sums, sum)
	}
	return sums
}

// A party is travellers from one place who join or leave a vessel on the same day, and are booked together.
type party struct {
	number, first, size int
	late                bool // booked in the last days, so that most still wait for something
	story               story
	chance              *rand.Rand
}

// mostTogether is how many travellers a party has at most.
const mostTogether = 6

// lateCount is how many bookings are late: enough that there are some in every state.
func (m *Maker) lateCount() int {
	return max(m.plan.Count/100, min(3*len(lateStories), m.plan.Count/3))
}

// parties lists the parties of the plan.
func (m *Maker) parties() iter.Seq[party] {
	return func(yield func(party) bool) {
		number := 0
		for first := 0; first < m.plan.Count; number++ {
			p := party{number: number, first: first, chance: m.random(1, uint64(number))}
			p.size = min(1+p.chance.IntN(mostTogether), m.plan.Count-first)
			if p.late = first >= m.plan.Count-m.lateCount(); p.late {
				p.size, p.story = 1, lateStories[number%len(lateStories)]
			}
			if !yield(p) {
				return
			}
			first += p.size
		}
	}
}

// ids are the identifiers of a party's bookings.
func (m *Maker) ids(p party) []string {
	ids := make([]string, p.size)
	for i := range ids {
		ids[i] = m.id(p.first + i)
	}
	return ids
}

// id is the identifier of a booking. It looks like those of real bookings.
func (m *Maker) id(n int) string {
	sum := sha256.Sum256(fmt.Append(nil, "sample ", m.plan.Account.ID, " ", m.plan.Seed, " ", m.plan.Count, " ",
		m.plan.Until, " ", n))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:26])
}

// Batches yields the bookings of the plan, about atOnce at a time, but for those that are there already. there
// returns those of the given identifiers that are.
func (m *Maker) Batches(ctx context.Context, atOnce int,
	there func(ids []string) (map[string]bool, error)) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		var parties []party
		var ids []string
		give := func() bool {
			b, err := m.batch(ctx, parties, ids, there)
			parties, ids = nil, nil
			return yield(b, err) && err == nil
		}
		for p := range m.parties() {
			parties, ids = append(parties, p), append(ids, m.ids(p)...)
			if len(ids) >= atOnce && !give() {
				return
			}
		}
		if len(ids) > 0 {
			give()
		}
	}
}

// A Batch is some bookings of a plan.
type Batch struct {
	New   []store.SampleBooking
	There int // how many were there already
}

func (m *Maker) batch(ctx context.Context, parties []party, ids []string,
	there func(ids []string) (map[string]bool, error)) (b Batch, err error) {
	known, err := there(ids)
	if err != nil {
		return b, err
	}
	for _, p := range parties {
		mine := m.ids(p)
		missing := slices.ContainsFunc(mine, func(id string) bool { return !known[id] })
		if !missing {
			b.There += len(mine)
			continue
		}
		made, err := m.make(ctx, p)
		if err != nil {
			return b, fmt.Errorf("make up bookings: %w", err)
		}
		for _, one := range made {
			if known[one.ID] {
				b.There++
			} else {
				b.New = append(b.New, one)
			}
		}
	}
	return b, nil
}

// tries is how often another journey is drawn for a party that the network sells nothing.
const tries = 20

// errNoFlights says that the network sells nothing for a journey.
var errNoFlights = errors.New("no flights are sold")

// make makes up the bookings of a party.
func (m *Maker) make(ctx context.Context, p party) ([]store.SampleBooking, error) {
	for range tries {
		made, err := m.tryMake(ctx, p)
		if !errors.Is(err, errNoFlights) {
			return made, err
		}
	}
	return nil, fmt.Errorf("party %d: %w", p.number, errNoFlights)
}

func (m *Maker) tryMake(ctx context.Context, p party) ([]store.SampleBooking, error) {
	j := m.draw(p)
	supplier := m.network.For(newLedger(), m.plan.Seed|1)
	m.clock = j.booked
	offers, err := search(ctx, supplier, j)
	if err != nil {
		return nil, err
	}
	var made []store.SampleBooking
	for i := range p.size {
		l := life{Maker: m, party: p, journey: j, supplier: supplier, story: p.story}
		if !p.late {
			l.story = pick(p.chance, stories)
		}
		m.clock = j.booked.Add(time.Duration(i) * between(p.chance, 2*time.Minute, 5*time.Minute))
		if err := l.live(ctx, p.first+i, offers); err != nil {
			return nil, err
		}
		made = append(made, l.made)
	}
	return made, nil
}

// A journey is what a party is booked for.
type journey struct {
	vessel *vessel
	side   gangway.Side
	home   gangway.Airport
	from   gangway.Country
	port   gangway.Place
	date   gangway.Date // of the change of crew
	booked time.Time
	booker gangway.User
	ask    flight.Ask
}

// leads is how many days ahead journeys are booked, from the first number up to the second.
var leads = []weighted[[2]int]{
	{[2]int{1, 3}, 8}, {[2]int{3, 7}, 14}, {[2]int{7, 14}, 28}, {[2]int{14, 30}, 30}, {[2]int{30, 60}, 15},
	{[2]int{60, 110}, 5},
}

// cabins are how often which cabin is asked for. Searching another than economy takes ten times as long.
var cabins = []weighted[gangway.Cabin]{{"", 97}, {gangway.Business, 3}}

// draw makes up what a party is booked for.
func (m *Maker) draw(p party) journey {
	c := p.chance
	j := journey{side: gangway.OnSigner}
	if c.IntN(2) == 0 {
		j.side = gangway.OffSigner
	}
	// Some vessels have more crew than others.
	j.vessel = &m.fleet[min(c.IntN(len(m.fleet)), c.IntN(len(m.fleet)))]
	j.from = j.vessel.crew[min(c.IntN(len(j.vessel.crew)), c.IntN(len(j.vessel.crew)))]
	j.home = home(c, j.from)
	j.booker = bookers[c.IntN(len(bookers))]
	j.booked = m.bookedAt(p)
	span := pick(c, leads)
	lead := span[0] + c.IntN(span[1]-span[0])
	if p.late {
		lead += 6
	}
	today := int(j.booked.Unix() / 86400)
	day, port := j.vessel.change(today + lead)
	if lead < 5 || p.late && day < today+6 || day <= today+1 || c.IntN(8) == 0 { // somebody is relieved at short notice
		day = today + lead + 1
	}
	j.port, j.date = port, gangway.DateOf(time.Unix(int64(day)*86400, 0).UTC())
	j.ask = flight.Ask{Vessel: j.vessel.name, Flag: j.vessel.flag, MaxStops: -1, Currency: j.vessel.currency,
		Cabin: pick(c, cabins)}
	if j.ask.Cabin != "" {
		j.ask.MaxStops = 1
	}
	if c.IntN(6) == 0 { // an agent's office books, and pays in its own currency
		j.ask.Currency = invented.Pick(c, offices)
	}
	return j
}

// bookedAt returns when a party is booked: the parties of the plan one after another, on busy days more than on
// others, during office hours.
func (m *Maker) bookedAt(p party) time.Time {
	c := p.chance
	if p.late {
		hours := p.story.hours
		return m.end.Add(-between(c, time.Duration(hours[0])*time.Hour, time.Duration(hours[1])*time.Hour))
	}
	place := (float64(p.first) + c.Float64()*float64(p.size)) / float64(m.plan.Count)
	want := int(place * float64(m.days[len(m.days)-1]))
	day, _ := slices.BinarySearch(m.days, want+1)
	day = min(day, len(m.days)-1)
	at := m.end.AddDate(-Years, 0, day).Add(6*time.Hour + between(c, 0, 11*time.Hour))
	return at.Truncate(time.Second)
}

// leg is the journey's only leg.
func (j journey) leg() gangway.Leg {
	if j.side == gangway.OnSigner {
		return gangway.Leg{Origin: gangway.Place(j.home), Destination: j.port, ArriveOn: j.date}
	}
	return gangway.Leg{Origin: j.port, Destination: gangway.Place(j.home), Date: j.date}
}

// search returns what the network sells for a journey.
func search(ctx context.Context, s flight.Supplier, j journey) ([]flight.Offer, error) {
	legs, err := flight.LegsOf([]gangway.Leg{j.leg()})
	if err != nil {
		return nil, err
	}
	j.ask.Legs = legs
	var offers []flight.Offer
	err = s.Search(ctx, j.ask, func(some []flight.Offer) { offers = append(offers, some...) })
	if refused(err) || err == nil && len(offers) == 0 { // who lives at the port needs no flight
		err = errNoFlights
	}
	return offers, err
}
