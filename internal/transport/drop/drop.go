// Package drop leaves documents as files in a folder that a customer's system reads: each is
// written under a name that nobody reads yet, and gets its own when it is whole. What a folder
// is, and how a server is asked for it, is up to the transport.
//
// Decided: docs/choices.md, "Files that leave".
package drop

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"gangway/internal/transport"
)

// A Folder is an open connection to the folder that files are left in. It is used by one caller
// at a time, and its errors are sentences without secrets.
type Folder interface {
	// Write makes a file, or replaces it. It returns no error only if all of it is there.
	Write(ctx context.Context, name string, content []byte) error
	// Replace gives a file another name, and takes that name away from a file that has it.
	Replace(ctx context.Context, from, to string) error
	// Remove removes a file.
	Remove(ctx context.Context, name string) error
	Close() error
}

const (
	// Unfinished is how the name of a file ends that is still being written. It is the same on
	// every try, so that what a server has left of one is replaced by the next.
	Unfinished = ".part"

	// within is how long a file may take, with signing in: as long as a push.
	within = 15 * time.Second

	// OfServer and OfMachine are how many connections a place gets: many servers let a user in only so often, and a
	// disk takes as many files as are made at a time for one place.
	OfServer  = 4
	OfMachine = 16
)

// A Dropper is a transport.Sender of files.
type Dropper struct {
	dial   func(context.Context) (Folder, error)
	places chan struct{} // one for each connection in use
	idle   transport.Rest[Folder]
}

// Settings say in which folder at a server files are left.
var Settings = []transport.Setting{
	{Name: "path", Type: transport.Text, About: "the folder, which must be there; left out: where the user arrives",
		Example: `"/incoming/bookings"`},
}

// New returns a dropper for the folder that dial connects to, atOnce times at most.
func New[F Folder](atOnce int, dial func(context.Context) (F, error)) *Dropper {
	return &Dropper{dial: func(ctx context.Context) (Folder, error) { return dial(ctx) },
		places: make(chan struct{}, atOnce)}
}

// Send implements transport.Sender. A file that is there already is replaced. A connection that
// rested may have been ended by the server, so that what fails over it is tried over a new one.
func (d *Dropper) Send(ctx context.Context, doc transport.Outgoing) (transport.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	select {
	case d.places <- struct{}{}:
		defer func() { <-d.places }()
	case <-ctx.Done():
		return transport.Answer{}, errors.New("other files took all the time that there was")
	}
	there := transport.Answer{Status: http.StatusOK, Body: []byte("The file is there as " + doc.Name + ".")}
	if f, ok := d.idle.Take(); ok && d.leave(ctx, f, doc) == nil {
		return there, nil
	}
	f, err := d.dial(ctx)
	if err == nil {
		err = d.leave(ctx, f, doc)
	}
	if err != nil {
		return transport.Answer{}, err
	}
	return there, nil
}

// leave writes a file over a connection, which rests afterwards, or is closed after an error.
func (d *Dropper) leave(ctx context.Context, f Folder, doc transport.Outgoing) error {
	unfinished := doc.Name + Unfinished
	err := f.Write(ctx, unfinished, doc.Body)
	if err == nil && !transport.Held(ctx)() {
		err = transport.ErrNotHeld
	}
	if err == nil {
		err = f.Replace(ctx, unfinished, doc.Name)
	}
	if err != nil {
		_ = f.Remove(ctx, unfinished) // if the server still listens
		f.Close()
		return fmt.Errorf("the file %q cannot be written: %w", doc.Name, err)
	}
	d.idle.Keep(f, cap(d.places))
	return nil
}

// Close closes what rests. Whoever needs a connection then makes a new one.
func (d *Dropper) Close() error { return d.idle.Close() }
