package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/samplecustomer"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
	"gangway/internal/web"
	"gangway/internal/web/access"

	"golang.org/x/sync/errgroup"
)

type demoCommand struct {
	Listen       string `default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Where Gangway listens; the next free port when it is taken (${default})."`
	SampleListen string `default:"127.0.0.1:8081" placeholder:"ADDRESS" help:"Where the sample customer's own system listens; the next free port when it is taken (${default})."`
	Dir          string `placeholder:"FOLDER" help:"Keep the database in this folder. Without it, it is gone when the demo ends."`
	Verbose      bool   `help:"Show what Gangway logs."`
}

func (c *demoCommand) check() error {
	for _, at := range []struct{ flag, address string }{{"--listen", c.Listen}, {"--sample-listen", c.SampleListen}} {
		if _, _, err := splitListen(at.flag, at.address); err != nil {
			return err
		}
	}
	return nil
}

// Run makes a customer on a fresh database, and serves Gangway and the
// customer's own system until the program is told to stop.
func (c *demoCommand) Run(t *terminal) error {
	folder, err := c.folder()
	if err != nil {
		return err
	}
	if c.Dir == "" {
		defer os.RemoveAll(folder)
	}
	db, err := storeFlags{Database: "sqlite:" + filepath.Join(folder, "gangway.db")}.openWithKeys(t,
		store.Options{Serve: true})
	if err != nil {
		return err
	}
	defer db.Close()
	ours, err := listenNear(t.ctx, c.Listen)
	if err != nil {
		return err
	}
	theirs, err := listenNear(t.ctx, c.SampleListen)
	if err != nil {
		return err
	}
	d, err := setUpDemo(t, db, "http://"+theirs.Addr().String())
	if err != nil {
		return err
	}
	at, err := addressesAt(ours.Addr().String(), "", "", "")
	if err != nil {
		return err
	}
	log := slog.New(slog.DiscardHandler)
	if c.Verbose {
		log = slog.New(web.LogRequestIDs(slog.NewTextHandler(t.err, nil)))
	}
	h, err := buildServer(serverParts{db: db, at: at, begin: gangway.Development, allow: loopback, push: loopback,
		now: t.now, log: log})
	if err != nil {
		return err
	}
	system := samplecustomer.New(samplecustomer.Config{
		BaseURL: at.base.String(), AppURL: at.app.String(), APIKey: d.key, Secret: d.secret, Now: t.now, Log: log,
	})
	d.tell(t.out, at)
	running, ctx := errgroup.WithContext(t.ctx)
	running.Go(func() error { return h.serve(ctx, ours) })
	running.Go(func() error { return serveSampleCustomer(ctx, theirs, system) })
	return running.Wait()
}

// folder returns where the database goes. An existing one is never overwritten, because
// somebody may want it.
func (c *demoCommand) folder() (string, error) {
	if c.Dir == "" {
		return os.MkdirTemp("", "gangway-demo-")
	}
	file := filepath.Join(c.Dir, "gangway.db")
	if _, err := os.Stat(file); err == nil {
		return "", gangway.Errorf(gangway.Conflict, "%s is there already; the demo begins with a fresh database, so "+
			"name another folder", file)
	}
	return c.Dir, os.MkdirAll(c.Dir, 0o700)
}

// listenNear listens on address or, when that is taken, on one of the next
// twenty ports.
func listenNear(ctx context.Context, address string) (net.Listener, error) {
	host, port, err := splitListen("--listen", address)
	if err != nil {
		return nil, err
	}
	first, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	for n := range 20 {
		l, err := listen(ctx, net.JoinHostPort(host, strconv.Itoa(first+n)))
		if !errors.Is(err, syscall.EADDRINUSE) {
			return l, err
		}
	}
	return nil, gangway.Errorf(gangway.Unavailable, "the ports %d to %d are all taken", first, first+19)
}

// A demo is what its visitor has to know.
type demo struct {
	people            []gangway.User
	password          string
	key, live, secret string
	theirs            string
	approval          string
}

// setUpDemo makes a customer whose development account is in use: nothing in
// the demo is real, and the pages say so.
func setUpDemo(t *terminal, db *store.DB, theirs string) (demo, error) {
	made, err := createCustomer(t.ctx, t.actor(), db, "Corvina Shipping", t.now())
	if err != nil {
		return demo{}, err
	}
	d := demo{key: made.Development.APIKey, live: made.Production.APIKey, password: access.NewPassword(),
		theirs: theirs}
	hash := access.HashPassword(d.password)
	for _, u := range []gangway.User{
		{Email: "mara.lindqvist@corvina.example", Name: "Mara Lindqvist", Role: gangway.Booker},
		{Email: "tomas.okafor@corvina.example", Name: "Tomas Okafor", Role: gangway.Approver},
		{Email: "helen.abreu@corvina.example", Name: "Helen Abreu", Role: gangway.Admin},
	} {
		u.ID, u.Customer = store.NewID("usr"), made.Customer
		if err := db.CreateUser(t.ctx, t.actor(), u, hash, t.now()); err != nil {
			return demo{}, err
		}
		d.people = append(d.people, u)
	}
	development := db.In(made.dev.Scope())
	policy, err := gangway.ParseApprovalPolicy("above 800.00 USD")
	if err != nil {
		return demo{}, err
	}
	d.approval = policy.String()
	if _, err := development.UpdateSettings(t.ctx, t.actor(), t.now(), func(s *gangway.Settings) error {
		s.Approval, s.Fares = policy, gangway.FareRule{Bag: true}
		return nil
	}); err != nil {
		return demo{}, err
	}
	setter := deliver.Setter{Kinds: kinds.Outlets, Options: transport.Options{Allow: loopback}, Now: t.now}
	o, err := setter.Set(t.ctx, development, t.actor(), gangway.DefaultOutlet,
		deliver.PostTo(theirs+"/api/sync_flights"))
	if err != nil {
		return demo{}, err
	}
	d.secret = o.Secrets[0]
	return d, nil
}

// tell prints where to look and what to try.
func (d demo) tell(out io.Writer, at addresses) {
	fmt.Fprintf(out, `
Gangway            %s
The report         %s/v2/odata   for Excel, Power BI and programs; Report › Connect says how
The customer       %s   Corvina Shipping's own crewing system; it has sent its crew and its plans

Sign in as`, at.app, at.reporting, d.theirs)
	for _, u := range d.people {
		fmt.Fprintf(out, "\n  %-9s        %s", u.Role, u.Email)
	}
	fmt.Fprintf(out, `
  password         %s

Try first: Crew changes, Corvina Leviathan, Find flights (40).

Bookings %s wait for the approver. Each action is pushed to the customer's system, whose page shows it.

API keys           %s (development, in use here)
                   %s (production)

Three things to try:
  curl -sS %[5]s/passenger -H 'X-Api-Key: %[3]s' -H 'Content-Type: application/json' -d '[{"id":"X-1","last_name":"Okonjo","first_name":"Ada","dob":"1990-04-30","nationality":"NG","gender":"F","doc_country":"NG","doc_number":"A1234567","doc_expire":"2031-01-01","home_airport":"LOS"}]'
  curl -sS %[5]s/bookings -H 'X-Api-Key: %[3]s'
  curl -sS '%[5]s/bookings/modified?from=2026-01-01T00:00:00Z' -H 'X-Api-Key: %[3]s'

Ctrl-C ends the demo.
`, d.password, d.approval, d.key, d.live, at.base)
}
