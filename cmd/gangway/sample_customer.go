package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	receive "gangway/examples/receivers/go/receiver"
	"gangway/internal/gangway"
	"gangway/internal/samplecustomer"
)

// sampleCustomerCommand runs a customer's crewing system to try Gangway with.
// gangway demo runs the same in its own process.
type sampleCustomerCommand struct {
	Listen        string `default:"127.0.0.1:8090" placeholder:"ADDRESS" help:"Where its page is, and where it receives pushes (${default})."`
	BaseURL       string `name:"base-url" required:"" placeholder:"URL" help:"Gangway's integration surface, such as http://127.0.0.1:8080/api."`
	AppURL        string `name:"app-url" required:"" placeholder:"URL" help:"Gangway's web application, such as http://127.0.0.1:8080."`
	APIKey        string `name:"api-key" required:"" placeholder:"KEY" help:"The key that Gangway gave this customer."`
	WebhookSecret string `placeholder:"SECRET" help:"What pushes are signed with, as outlet set printed it. Without it signatures are not checked."`
	Pushes        string `placeholder:"FILE" help:"Where pushes are stored; only in memory when it is not given."`
}

func (c *sampleCustomerCommand) check() error {
	_, _, err := splitListen("--listen", c.Listen)
	return err
}

// Run serves the system until the program is told to stop.
func (c *sampleCustomerCommand) Run(t *terminal) error {
	var inbox *receive.Inbox
	if c.Pushes != "" {
		var err error
		if inbox, err = receive.Open(c.Pushes); err != nil {
			return gangway.Errorf(gangway.Invalid, "--pushes: %v", err)
		}
		defer inbox.Close()
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("listen at %s: %w", c.Listen, err)
	}
	fmt.Fprintf(t.out, "The sample customer's page:  http://%s/\nIts outlet's address:        "+
		"http://%s/api/sync_flights\n", listener.Addr(), listener.Addr())
	return serveSampleCustomer(t.ctx, listener, samplecustomer.New(samplecustomer.Config{
		BaseURL: c.BaseURL, AppURL: c.AppURL, APIKey: c.APIKey, Secret: c.WebhookSecret,
		Inbox: inbox, Now: t.now, Log: slog.New(slog.NewTextHandler(t.err, nil)),
	}))
}

// serveSampleCustomer serves s at listener until ctx ends.
func serveSampleCustomer(ctx context.Context, listener net.Listener, s *samplecustomer.System) error {
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	stopped := make(chan error, 1)
	go func() { stopped <- server.Serve(listener) }()
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { ended <- s.Run(ctx) }()
	select {
	case err := <-stopped:
		return fmt.Errorf("serve the sample customer: %w", err)
	case err := <-ended:
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return errors.Join(err, server.Shutdown(grace))
	}
}
