package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A deliveryTrial writes actions of bookings while something goes wrong, and holds what the customer got
// against them.
type deliveryTrial struct {
	t        *testing.T
	url      string
	in       store.Scoped
	operator *sql.DB
	systems  [3]*receiver // of the customer, each with an outlet
	chance   *rand.Rand
	refused  atomic.Int64 // how often the database took no action

	mu   sync.Mutex
	made map[string][]gangway.State // the actions of each booking
	all  int
}

// newDeliveryTrial makes a customer with three outlets on the database at url.
func newDeliveryTrial(t *testing.T, url string) *deliveryTrial {
	t.Helper()
	db := openStore(t, url)
	d := &deliveryTrial{t: t, url: url, operator: openSQL(t, url), in: db.In(storetest.Account(t, db).Scope()),
		made: map[string][]gangway.State{}, chance: rand.New(rand.NewPCG(12, 2))}
	for i := range d.systems {
		d.systems[i] = newReceiver(t, func() { <-time.After(3 * time.Millisecond) })
		must(t, did(d.in.SetOutlet(t.Context(), storetest.Operator, fmt.Sprintf("system-%d", i),
			storetest.PushTo(d.systems[i].URL), []string{deliver.NewSecret()}, time.Now())))
	}
	return d
}

// serve starts a server that delivers.
func (d *deliveryTrial) serve() *program {
	d.t.Helper()
	p, _, _ := serve(d.t, d.url, "--allow-network", "127.0.0.0/8")
	return p
}

// write writes bookings of up to three actions each, so many actions a second, until ctx ends or most are
// written. One that the database refuses is tried again.
func (d *deliveryTrial) write(ctx context.Context, aSecond, most int) {
	tick := time.NewTicker(time.Second / time.Duration(aSecond))
	defer tick.Stop()
	var open []string
	for n := 0; n < most && ctx.Err() == nil; n++ {
		<-tick.C
		if len(open) > 0 && d.chance.IntN(3) > 0 {
			i := d.chance.IntN(len(open))
			if d.move(ctx, open[i]) {
				open = slices.Delete(open, i, i+1)
			}
			continue
		}
		id := fmt.Sprintf("bkg_%06d", n)
		d.book(ctx, id)
		open = append(open, id)
	}
}

// until repeats do while the database is away.
func (d *deliveryTrial) until(ctx context.Context, do func(ctx context.Context) error) (done bool) {
	ctx = context.WithoutCancel(ctx)
	for {
		err := do(ctx)
		switch gangway.KindOf(err) {
		case gangway.Unavailable:
			d.refused.Add(1)
			<-time.After(50 * time.Millisecond)
			continue
		case gangway.Conflict, gangway.NotFound: // it was done, and the answer was lost
			return true
		}
		if err != nil {
			d.t.Errorf("an action could not be written: %v", err)
			return false
		}
		return true
	}
}

func (d *deliveryTrial) book(ctx context.Context, id string) {
	now := time.Now()
	b := gangway.Booking{ID: id, Locator: id[4:], CreatedAt: now, CreatedBy: "ana@example.com"}
	b.Price = gangway.Price{Total: gangway.Money{Minor: 48200, Currency: "USD"}}
	action, err := b.Move(gangway.Book, "ana@example.com", now)
	if err != nil {
		d.t.Error(err)
		return
	}
	if d.until(ctx, func(ctx context.Context) error {
		return d.in.BeginBooking(ctx, store.Intent{ID: id, Booking: id, Kind: "book", Doc: []byte("{}"), CreatedAt: now,
			Lease: now.Add(time.Hour)}, store.Hold{Search: id})
	}) && d.until(ctx, func(ctx context.Context) error {
		_, err := d.in.CreateBooking(ctx, id, b, action)
		return err
	}) {
		d.note(id, gangway.Confirmed)
	}
}

// move issues or cancels a booking; over reports that it was the last action.
func (d *deliveryTrial) move(ctx context.Context, id string) (over bool) {
	event, state := gangway.Issue, gangway.Issued
	if d.chance.IntN(2) == 0 || len(d.made[id]) > 1 {
		event, state = gangway.Cancel, gangway.Cancelled
	}
	d.until(ctx, func(ctx context.Context) error {
		_, err := d.in.UpdateBooking(ctx, id, "", func(b *gangway.Booking) (gangway.Action, error) {
			return b.Move(event, "ana@example.com", time.Now())
		})
		return err
	})
	d.note(id, state)
	return event == gangway.Cancel
}

func (d *deliveryTrial) note(id string, state gangway.State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.made[id] = append(d.made[id], state)
	d.all++
}

func (d *deliveryTrial) written() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.all
}

// check waits until everything was delivered: nothing lost, nothing doubled, nothing out of order within a
// booking, and what came again has its own identifier.
func (d *deliveryTrial) check() {
	d.t.Helper()
	came := 0
	defer func() {
		if d.t.Failed() {
			d.t.Logf("%d of 3 × %d deliveries came; the oldest waits for %s", came, d.written(), d.oldest())
		}
	}()
	eventually(d.t, "every action is delivered", func() bool {
		came = 0
		for _, system := range d.systems {
			for _, action := range system.first() {
				came += len(action)
			}
		}
		return came >= len(d.systems)*d.written()
	})
	eventually(d.t, "every delivery is recorded", func() bool { return d.oldest() == 0 })
	again := 0
	for id, want := range d.made {
		for i, system := range d.systems {
			got, repeated := system.received(d.t, id)
			again += repeated
			if !slices.Equal(got, want) {
				d.t.Errorf("booking %s at outlet %d: delivered %v; want %v", id, i, got, want)
			}
		}
	}
	d.t.Logf("%d actions of %d bookings to 3 outlets: 0 lost, 0 doubled, 0 out of order; %d came again", d.all,
		len(d.made), again)
}

// first returns the actions of each booking, each where it came first.
func (c *receiver) first() map[string][]gangway.State {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen, actions := map[string]bool{}, map[string][]gangway.State{}
	for _, p := range c.pushes {
		if !seen[p.id] {
			seen[p.id], actions[p.booking] = true, append(actions[p.booking], p.action)
		}
	}
	return actions
}

// TestTrialDeliveryKilled kills the program while it delivers, again and again.
func TestTrialDeliveryKilled(t *testing.T) {
	need.Trial(t)
	storetest.EachURL(t, func(t *testing.T, url string) {
		d := newDeliveryTrial(t, url)
		p := d.serve()
		var writing sync.WaitGroup
		when := rand.New(rand.NewPCG(12, 3))
		kills := 2 * faults()
		writing.Go(func() { d.write(t.Context(), 200, 50*kills) })
		for range kills {
			<-time.After(time.Duration(when.IntN(250)) * time.Millisecond)
			p.kill()
			p = d.serve()
		}
		writing.Wait()
		d.check()
		t.Logf("%d kills", kills)
	})
}

// TestTrialDeliveryReplicas has three replicas deliver, of which one is killed and one paused for longer than its
// leases last. The third delivers what they were delivering; the paused one sends nothing of it when it goes on.
func TestTrialDeliveryReplicas(t *testing.T) {
	need.Trial(t)
	t.Parallel() // it waits for leases of whoever was killed
	url := storetest.PostgresURL(t)
	d := newDeliveryTrial(t, url)
	replicas := []*program{d.serve(), d.serve(), d.serve()}
	ctx, stop := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	writing.Go(func() { d.write(ctx, 150, 1_000_000) })
	defer writing.Wait()
	defer stop()
	for range faults() {
		eventually(t, "a hundred more actions", d.more(100))
		replicas[0].kill()
		replicas[1].cmd.Process.Signal(syscall.SIGSTOP)
		given := rowsOf(t, d.operator, `SELECT id FROM delivery WHERE state = 'due'`)
		eventually(t, "the third delivers what the two were delivering", func() bool {
			return !slices.ContainsFunc(rowsOf(t, d.operator, `SELECT id FROM delivery WHERE state = 'due'`),
				func(id string) bool { return slices.Contains(given, id) })
		})
		replicas[1].cmd.Process.Signal(syscall.SIGCONT)
		replicas = []*program{replicas[2], d.serve(), replicas[1]}
		eventually(t, "a hundred more actions", d.more(100))
	}
	stop()
	writing.Wait()
	d.check()
	t.Logf("%d replicas killed, as many paused", faults())
}

// more reports whether n more actions were written since it was made.
func (d *deliveryTrial) more(n int) func() bool {
	from := d.written()
	return func() bool { return d.written() >= from+n }
}

// oldest returns for how long the oldest delivery has waited.
func (d *deliveryTrial) oldest() time.Duration {
	d.t.Helper()
	var at int64
	if err := d.operator.QueryRowContext(d.t.Context(),
		`SELECT coalesce(min(made_at), 0) FROM delivery WHERE state = 'due'`).Scan(&at); err != nil {
		d.t.Fatal(err)
	}
	if at == 0 {
		return 0
	}
	return time.Since(time.UnixMilli(at))
}
