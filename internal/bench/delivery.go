package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gangway/internal/book"
	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/seal"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport/kinds"
)

// deliveryShare is how much of the floor's throughput deliveries have at least.
const deliveryShare = 0.75

// deliveryRounds is how often floor and ours take turns.
const deliveryRounds = 5

// measureDelivery compares how fast waiting actions are delivered with the bare work: a document is put on disk,
// and then posted, or left as a file; as many at a time, and those that come at once are written at once.
func measureDelivery(ctx context.Context, p place, s scale) ([]line, error) {
	var lines []line
	for _, receivers := range []int{1, 50} {
		l, err := deliveryByPush(ctx, p, receivers, s.deliveries, s.profile)
		if err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	l, err := deliveryByFile(ctx, p, s.deliveries)
	if err != nil {
		return nil, err
	}
	lines = append(lines, l)
	for _, w := range ways {
		l, err := deliveryWay(ctx, p, w, s.deliveries)
		if err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// ways are other ways out than a plain push.
var ways = []way{
	{"by a mapping", func(address, _ string) store.OutletChange {
		return func(old store.StoredOutlet) (gangway.Outlet, error) {
			o, err := storetest.PushTo(address)(old)
			o.Mapping = `{ref: .locator, state: .state, total: .price.total}`
			return o, err
		}
	}},
	{"with authentication", func(address, _ string) store.OutletChange {
		return func(old store.StoredOutlet) (gangway.Outlet, error) {
			o, err := storetest.PushTo(address)(old)
			o.Transport.Settings = fmt.Appendf(nil, `{"url": %q, "auth": {"kind": "bearer", "token": null}}`, address)
			o.Transport.Secrets = gangway.SecretSettings(`{"auth": {"token": "tide-tables"}}`)
			return o, err
		}
	}},
	{"into a folder", func(_, folder string) store.OutletChange { return intoFolder(folder) }},
}

// intoFolder makes an outlet leave files in a folder.
func intoFolder(path string) store.OutletChange {
	return func(old store.StoredOutlet) (gangway.Outlet, error) {
		o, settings := old.Outlet, map[string]string{"path": path}
		doc, err := json.Marshal(settings)
		o.Transport, o.Format = gangway.Transport{Kind: "folder", Settings: doc}, gangway.JSONFormat
		return o, err
	}
}

// A way is how an outlet differs from a plain push to an address.
type way struct {
	name   string
	outlet func(address, folder string) store.OutletChange
}

// deliveryWay compares how fast waiting actions leave another way with how fast they are pushed plainly.
func deliveryWay(ctx context.Context, p place, w way, n int) (line, error) {
	sinks, err := newSinks(1)
	if err != nil {
		return line{}, err
	}
	defer sinks.close()
	folder, err := os.MkdirTemp("", "gangway-bench.")
	if err != nil {
		return line{}, err
	}
	defer os.RemoveAll(folder)
	var sides [2]*deliveries
	to := sinks.addresses[0]
	for i, outlet := range []store.OutletChange{storetest.PushTo(to), w.outlet(to, folder)} {
		if sides[i], err = newDeliveries(ctx, p, outlet); err != nil {
			return line{}, err
		}
		defer sides[i].close()
	}
	var times [2][]time.Duration
	for i := range deliveryRounds + 1 {
		for turn := range sides {
			who := (turn + i) % 2
			took, err := sides[who].deliver(ctx, n/deliveryRounds)
			if err != nil {
				return line{}, err
			}
			if i > 0 { // the first round makes the connections
				times[who] = append(times[who], took)
			}
		}
	}
	return speed("waiting actions "+w.name+", against plainly", deliveryShare, times[0], times[1]), nil
}

// deliveryByPush measures how fast waiting actions are pushed to so many receivers.
func deliveryByPush(ctx context.Context, p place, receivers, n int, profile string) (line, error) {
	sinks, err := newSinks(receivers)
	if err != nil {
		return line{}, err
	}
	defer sinks.close()
	var outlets []store.OutletChange
	for _, address := range sinks.addresses {
		outlets = append(outlets, storetest.PushTo(address))
	}
	return deliveryThroughput(ctx, p, "to "+count(receivers, "receiver"), outlets, posting(sinks.addresses), n, profile)
}

// deliveryByFile measures how fast waiting actions are left in a folder.
func deliveryByFile(ctx context.Context, p place, n int) (line, error) {
	folder, err := os.MkdirTemp("", "gangway-bench.")
	if err != nil {
		return line{}, err
	}
	defer os.RemoveAll(folder)
	return deliveryThroughput(ctx, p, "into a folder", []store.OutletChange{intoFolder(folder)},
		[]bareWay{leaving(folder)}, n, "")
}

// deliveryThroughput compares how fast waiting actions leave by outlets, where, with the bare work.
func deliveryThroughput(ctx context.Context, p place, where string, outlets []store.OutletChange, bare []bareWay, n int,
	profile string) (line, error) {
	ours, err := newDeliveries(ctx, p, outlets...)
	if err != nil {
		return line{}, err
	}
	defer ours.close()
	floor, err := newBareDelivery(ctx, p, bare)
	if err != nil {
		return line{}, err
	}
	defer floor.close()
	run := [2]func() (time.Duration, error){
		func() (time.Duration, error) { return floor.deliver(ctx, n/deliveryRounds) },
		func() (time.Duration, error) {
			name := fmt.Sprintf("%s delivery %s", p.name, where)
			return profiled(profile, name, func() (time.Duration, error) { return ours.drain(ctx, ours.recover) })
		},
	}
	spent := [2]*spending{newSpending(floor.fill), newSpending(ours.fill)}
	var times, works [2][]time.Duration
	for i := range deliveryRounds + 1 {
		if err := ours.wait(ctx, n/deliveryRounds); err != nil {
			return line{}, err
		}
		for turn := range run {
			who := (turn + i) % 2
			before, err := spent[who].spent(ctx)
			if err != nil {
				return line{}, err
			}
			took, err := run[who]()
			if err != nil {
				return line{}, err
			}
			after, err := spent[who].spent(ctx)
			if err != nil {
				return line{}, err
			}
			if i > 0 { // the first round makes the connections
				times[who] = append(times[who], took)
				works[who] = append(works[who], (after-before)/time.Duration(n/deliveryRounds))
			}
		}
	}
	l := speed(fmt.Sprintf("%d waiting actions %s", n/deliveryRounds, where), deliveryShare,
		times[0], times[1])
	each := float64(n / deliveryRounds)
	l.spread = fmt.Sprintf("%.0f and %.0f a second, %s and %s of processor each; ", each/median(times[0]).Seconds(),
		each/median(times[1]).Seconds(), short(median(works[0])), short(median(works[1]))) + l.spread
	return l, nil
}

// count writes a number of things.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// sinks are customers' systems that take everything and count it.
type sinks struct {
	addresses []string
	servers   []*http.Server
	taken     atomic.Int64
	came      chan struct{} // holds a value after something has come
}

func newSinks(n int) (*sinks, error) {
	s := &sinks{came: make(chan struct{}, 1)}
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		server := &http.Server{Handler: s}
		go server.Serve(listener)
		s.servers, s.addresses = append(s.servers, server), append(s.addresses, "http://"+listener.Addr().String())
	}
	return s, nil
}

// ServeHTTP takes a document.
func (s *sinks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	w.WriteHeader(http.StatusNoContent)
	s.taken.Add(1)
	select {
	case s.came <- struct{}{}:
	default:
	}
}

// await waits until so many documents have been taken in all.
func (s *sinks) await(ctx context.Context, n int64) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	for s.taken.Load() < n {
		select {
		case <-s.came:
		case <-ctx.Done():
			return fmt.Errorf("%d of %d documents came: %w", s.taken.Load(), n, ctx.Err())
		}
	}
	return nil
}

func (s *sinks) close() {
	for _, server := range s.servers {
		server.Close()
	}
}

// deliveries are accounts with an outlet each, for which actions wait.
type deliveries struct {
	db       *store.DB
	fill     bareFill
	accounts []string
	outlets  []string
	stop     func()
}

func newDeliveries(ctx context.Context, p place, outlets ...store.OutletChange) (*deliveries, error) {
	db, url, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	d := &deliveries{db: db}
	sealer, err := seal.New([]byte("a key for bench; it is no secret"))
	if err != nil {
		return nil, err
	}
	db.SealWith(sealer)
	if d.fill, err = newBareFill(ctx, url); err != nil {
		return nil, err
	}
	for i, outlet := range outlets {
		if err := d.addAccount(ctx, fmt.Sprintf("Customer %d", i), outlet); err != nil {
			return nil, err
		}
	}
	d.stop = d.run(ctx)
	return d, nil
}

func (d *deliveries) addAccount(ctx context.Context, name string, to store.OutletChange) error {
	_, account, err := d.db.CreateCustomer(ctx, operator, name, time.Now())
	if err != nil {
		return err
	}
	outlet, err := d.db.In(account.Scope()).SetOutlet(ctx, operator, gangway.DefaultOutlet, to,
		[]string{deliver.NewSecret()}, time.Now())
	d.accounts, d.outlets = append(d.accounts, account.ID), append(d.outlets, outlet.ID)
	return err
}

func (d *deliveries) close() {
	d.stop()
	d.fill.close()
	d.db.Close()
}

// wait has n actions of as many bookings wait for systems that are down, shared out among the accounts, with the
// same result as recording them one by one.
func (d *deliveries) wait(ctx context.Context, n int) error {
	now := time.Now()
	var actions, list, lanes [][]any
	for i := range n {
		b := benchBooking(i)
		b.ID, b.State, b.Version = book.NewID(), gangway.Confirmed, 1
		snapshot, err := json.Marshal(b)
		if err != nil {
			return err
		}
		a, o := d.accounts[i%len(d.accounts)], d.outlets[i%len(d.accounts)]
		at, due := now.UnixMilli(), now.Add(time.Hour).UnixMilli()
		actions = append(actions, []any{a, b.ID, 1, string(b.State), at, b.CreatedBy, "", string(snapshot)})
		list = append(list, []any{a, o, b.ID, 1, "msg_" + b.ID, "due", at, 0, 0})
		lanes = append(lanes, []any{a, o, b.ID, 1, due, 0, 0, 0, ""})
	}
	for _, t := range []struct {
		name, columns string
		rows          [][]any
	}{
		{"action", "account booking seq name at by_whom note snapshot", actions},
		{"delivery", "account outlet booking seq id state made_at done_at attempts", list},
		{"lane", "account outlet booking pending due tries first_at lease holder", lanes},
	} {
		if err := d.fill.insert(ctx, t.name, strings.Fields(t.columns), t.rows); err != nil {
			return err
		}
	}
	return nil
}

// deliver has n actions wait, and returns how long it takes until they are delivered and that is recorded.
func (d *deliveries) deliver(ctx context.Context, n int) (time.Duration, error) {
	if err := d.wait(ctx, n); err != nil {
		return 0, err
	}
	return d.drain(ctx, d.recover)
}

// drain returns how long it takes from begin until everything that waits is delivered and that is recorded.
func (d *deliveries) drain(ctx context.Context, begin func(context.Context) error) (time.Duration, error) {
	began := time.Now()
	if err := begin(ctx); err != nil {
		return 0, err
	}
	for waits := true; waits; time.Sleep(time.Millisecond) { // rather than keep the database busy
		err := d.fill.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM lane WHERE pending > 0)`).Scan(&waits)
		if err != nil {
			return 0, err
		}
	}
	return time.Since(began), nil
}

// recover has everything that waits delivered, as once the customers' systems are back.
func (d *deliveries) recover(ctx context.Context) error {
	for i := range d.accounts {
		if err := d.db.In(d.scope(i)).OutletAnswers(ctx, d.outlets[i], time.Now(), true); err != nil {
			return err
		}
	}
	return nil
}

func (d *deliveries) scope(account int) gangway.Scope {
	return gangway.Scope{Account: d.accounts[account]}
}

// run begins to deliver.
func (d *deliveries) run(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		deliver.New(deliver.Config{DB: d.db, Kinds: kinds.Outlets, Options: loopback, Now: time.Now,
			Log: slog.New(slog.DiscardHandler)}).Run(ctx)
	})
	return sync.OnceFunc(func() { cancel(); running.Wait() })
}
