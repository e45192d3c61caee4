package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// othersWait is how much longer the slowest of other customers' actions may be on their way because one customer
// has many that wait, or a system that hangs.
const othersWait = 1.5

// othersEvery is how often another customer's action is committed, and othersRounds how often the times without and
// with the trouble are measured in turns.
const (
	othersEvery  = 10 * time.Millisecond
	othersRounds = 4
	waitingOfOne = 10_000
)

// measureOthers measures how long actions of fifty customers take from their commit to the customer's system: alone,
// and while another customer has ten thousand that wait, and while one's system hangs that gets half of all actions.
func measureOthers(ctx context.Context, p place, s scale) ([]line, error) {
	backlog, err := measureBacklog(ctx, p, s.actions)
	if err != nil {
		return nil, err
	}
	hanging, err := measureHanging(ctx, p, s.actions)
	return append([]line{backlog}, hanging...), err
}

func measureBacklog(ctx context.Context, p place, n int) (line, error) {
	o, err := newOthers(ctx, p, n)
	if err != nil {
		return line{}, err
	}
	defer o.close()
	one, err := newSinks(1)
	if err != nil {
		return line{}, err
	}
	defer one.close()
	if err := o.addAccount(ctx, "Backlog", storetest.PushTo(one.addresses[0])); err != nil {
		return line{}, err
	}
	defer o.run(ctx)()
	var alone, beside []time.Duration
	var gone, took float64
	for range othersRounds {
		part, err := o.receipts(ctx, n/othersRounds/2)
		if err != nil {
			return line{}, err
		}
		alone = append(alone, part...)
		done := one.taken.Load() + waitingOfOne
		if err := o.wait(ctx, waitingOfOne); err != nil {
			return line{}, err
		}
		if err := o.recover(ctx); err != nil {
			return line{}, err
		}
		began, before := time.Now(), one.taken.Load()
		if part, err = o.receipts(ctx, n/othersRounds/2); err != nil {
			return line{}, err
		}
		gone, took = gone+float64(one.taken.Load()-before), took+time.Since(began).Seconds()
		beside = append(beside, part...)
		if err := one.await(ctx, done); err != nil {
			return line{}, err
		}
	}
	l := othersLine("commit to receipt, p99 beside 10,000 of one customer", alone, beside)
	l.spread += fmt.Sprintf("; of these %.0f a second meanwhile", gone/took)
	return l, nil
}

// measureHanging compares the waits beside a customer who gets half of all actions and whose system hangs with those
// without its actions, and with those while its system answers.
func measureHanging(ctx context.Context, p place, n int) ([]line, error) {
	o, err := newOthers(ctx, p, n)
	if err != nil {
		return nil, err
	}
	defer o.close()
	defer o.run(ctx)()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	var hangs atomic.Bool
	end := make(chan struct{})
	server := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if hangs.Load() {
			<-end
		}
	})}
	go server.Serve(listener)
	defer server.Close()
	defer close(end)
	if err := o.addAccount(ctx, "Hanging", storetest.PushTo("http://"+listener.Addr().String())); err != nil {
		return nil, err
	}
	alone, err := o.receipts(ctx, n/4)
	if err != nil {
		return nil, err
	}
	defer o.keepBusy(ctx)()
	answers, err := o.receipts(ctx, n/3)
	if err != nil {
		return nil, err
	}
	hangs.Store(true)
	beside, err := o.receipts(ctx, n/3)
	if err != nil {
		return nil, err
	}
	return []line{
		othersLine("commit to receipt, p99 beside one that hangs", alone, beside),
		othersLine("the same, against one that answers", answers, beside),
	}, nil
}

// keepBusy commits actions of the first account, as often as the others', until stop is called.
func (o *others) keepBusy(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	working.Go(func() {
		tick := time.NewTicker(othersEvery)
		defer tick.Stop()
		for i := 0; ctx.Err() == nil; i++ {
			<-tick.C
			b, err := prepareBooking(ctx, o.db.In(o.scope(0)), 1_000_000+i)
			if err == nil {
				_, _ = b.in.CreateBooking(ctx, b.ID, b.Booking, b.action)
			}
		}
	})
	return func() { cancel(); working.Wait() }
}

func othersLine(measure string, alone, beside []time.Duration) line {
	l := line{measure: measure, floor: quantile(alone, 0.99), ours: quantile(beside, 0.99), target: othersWait,
		atMost: true}
	l.ratio = float64(l.ours) / float64(l.floor)
	l.spread = fmt.Sprintf("medians %s, %s", short(median(alone)), short(median(beside)))
	return l
}

// others are fifty customers, with bookings that only have to be committed, and one more with its own system.
type others struct {
	*deliveries
	receiver *receiver
	bookings []prepared
}

func newOthers(ctx context.Context, p place, n int) (*others, error) {
	r, err := newReceiver()
	if err != nil {
		return nil, err
	}
	db, url, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	o := &others{deliveries: &deliveries{db: db, stop: func() {}}, receiver: r}
	if o.fill, err = newBareFill(ctx, url); err != nil {
		return nil, err
	}
	o.bookings, err = prepareBookings(ctx, db, r.address, n)
	return o, err
}

func (o *others) close() {
	o.deliveries.close()
	o.receiver.server.Close()
}

// receipts commits n bookings, one every othersEvery, and returns how long each took from there to its customer.
func (o *others) receipts(ctx context.Context, n int) ([]time.Duration, error) {
	tick := time.NewTicker(othersEvery)
	defer tick.Stop()
	var working sync.WaitGroup
	var mu sync.Mutex
	var times []time.Duration
	var failed error
	for _, b := range o.bookings[:n] {
		<-tick.C
		working.Go(func() {
			took, err := o.receipt(ctx, b)
			mu.Lock()
			defer mu.Unlock()
			if times = append(times, took); err != nil {
				failed = err
			}
		})
	}
	working.Wait()
	o.bookings = o.bookings[n:]
	return times, failed
}

func (o *others) receipt(ctx context.Context, b prepared) (time.Duration, error) {
	came := o.receiver.expect(b.ID)
	if _, err := b.in.CreateBooking(ctx, b.ID, b.Booking, b.action); err != nil {
		return 0, err
	}
	since := time.Now()
	select {
	case at := <-came:
		return max(0, at.Sub(since)), nil
	case <-time.After(20 * time.Second):
		return 0, fmt.Errorf("%s never came", b.ID)
	}
}

// growthMost is how much more one delivery may cost in an account with a long history than in one with a short.
const (
	growthMost   = 1.3
	shortHistory = 10_000
	growthWaits  = 2000 // actions that wait in each round
	growthRounds = 15
)

// measureGrowth compares the cost of a delivery in an account with a long history with that in one with a short.
func measureGrowth(ctx context.Context, p place, s scale) ([]line, error) {
	sink, err := newSinks(1)
	if err != nil {
		return nil, err
	}
	defer sink.close()
	var sides [2]*deliveries
	for i, n := range []int{shortHistory, s.history} {
		if sides[i], err = newHistory(ctx, p, sink, n); err != nil {
			return nil, fmt.Errorf("a history of %d: %w", n, err)
		}
		defer sides[i].close()
	}
	spent := [2]*spending{newSpending(sides[0].fill), newSpending(sides[1].fill)}
	var times, works [2][]time.Duration
	for i := range growthRounds + 1 {
		for turn := range sides {
			who := (turn + i) % 2
			if err := sides[who].waitPaused(ctx, growthWaits); err != nil {
				return nil, err
			}
			before, err := spent[who].spent(ctx)
			if err != nil {
				return nil, err
			}
			took, err := sides[who].drain(ctx, func(ctx context.Context) error { return sides[who].pause(ctx, false) })
			if err != nil {
				return nil, err
			}
			after, err := spent[who].spent(ctx)
			if err != nil {
				return nil, err
			}
			if i > 0 { // the first round warms up
				times[who] = append(times[who], took/growthWaits)
				works[who] = append(works[who], (after-before)/growthWaits)
			}
		}
	}
	measure := fmt.Sprintf("a delivery after %d, against after %d", s.history, shortHistory)
	lines := []line{speed(measure, growthMost, times[0], times[1]),
		speed(measure+": processor time", growthMost, works[0], works[1])}
	for i := range lines {
		lines[i].ratio, lines[i].atMost = 1/lines[i].ratio, true
	}
	return lines, nil
}

// waitPaused has n actions wait for an outlet that is paused. They are due, so that resuming it changes none of them.
func (d *deliveries) waitPaused(ctx context.Context, n int) error {
	if err := d.pause(ctx, true); err != nil {
		return err
	}
	if err := d.wait(ctx, n); err != nil {
		return err
	}
	return d.fill.run(ctx, []string{fmt.Sprintf(`UPDATE lane SET due = %d WHERE pending > 0`, time.Now().UnixMilli())})
}

// pause pauses the outlet of the first account, or resumes it.
func (d *deliveries) pause(ctx context.Context, paused bool) error {
	steer := d.db.In(d.scope(0)).ResumeOutlet
	if paused {
		steer = d.db.In(d.scope(0)).PauseOutlet
	}
	return steer(ctx, operator, gangway.DefaultOutlet, time.Now())
}

// newHistory returns an account with n actions that were delivered.
func newHistory(ctx context.Context, p place, sink *sinks, n int) (*deliveries, error) {
	db, url, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	d := &deliveries{db: db, stop: func() {}}
	if d.fill, err = newBareFill(ctx, url); err != nil {
		return nil, err
	}
	if err := d.addAccount(ctx, "Halcyon Tankers", storetest.PushTo(sink.addresses[0])); err != nil {
		return nil, err
	}
	if err := d.fill.history(ctx, d.accounts[0], d.outlets[0], n); err != nil {
		return nil, err
	}
	d.stop = d.run(ctx)
	return d, nil
}

// history writes n delivered actions of as many bookings, each with its delivery, its queue and its attempt. Their
// identifiers are in the order in which they were made, and before new ones, as book.NewID makes them. Their
// snapshots are empty: those of others are never read for a delivery, and rows are stored in the order in which they
// come, so that what is searched (the indexes) is as large as with whole ones. On SQLite one takes 1.3 kB even so.
func (f bareFill) history(ctx context.Context, account, outlet string, n int) error {
	const atOnce = 500_000
	again, err := f.withoutIndexes(ctx, "action", "delivery", "lane", "attempt")
	if err != nil {
		return err
	}
	for from := 0; from < n; from += atOnce {
		numbers := `WITH RECURSIVE n (i) AS (SELECT CAST($3 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $4)`
		id := `printf('%026d', i)`
		if f.conn != nil {
			id = `lpad(CAST(i AS TEXT), 26, '0')`
		}
		for _, into := range []string{`
			INSERT INTO action (account, booking, seq, name, at, by_whom, note, snapshot)
			SELECT $1, ` + id + `, 1, 'confirmed', 1700000000000 + i, 'ana@example.com', '', '{}' FROM n WHERE $2 <> ''`, `
			INSERT INTO delivery (account, outlet, booking, seq, id, state, made_at, done_at, attempts)
			SELECT $1, $2, ` + id + `, 1, 'msg_' || i, 'done', 1700000000000 + i, 1700000000010 + i, 1 FROM n`, `
			INSERT INTO lane (account, outlet, booking, pending, due, tries, first_at, lease, holder)
			SELECT $1, $2, ` + id + `, 0, 1700000000000 + i, 0, 0, 0, '' FROM n`, `
			INSERT INTO attempt (account, outlet, booking, seq, at, took_ms, status, answer)
			SELECT $1, $2, ` + id + `, 1, 1700000000000 + i, 10, 204, '' FROM n`,
		} {
			if _, err := f.db.ExecContext(ctx, numbers+into, account, outlet, from, min(from+atOnce, n)); err != nil {
				return err
			}
		}
	}
	return again()
}
