package main

import (
	"context"
	"errors"
	"slices"

	"gangway/internal/program"
)

// A place is a kind of database to measure on, with everything that measurements share there.
type place struct {
	kind, folder, path string // path is of the program
	closers            []func() error
	urls               []string // of the databases on PostgreSQL

	yardstick *yardstick
	served    *served     // a program that serves
	outlet    *outlet     // an account with an outlet, in this process
	report    []reportRow // all of the report; made by the first measurement that needs it
}

// open makes what measurements share.
func (p *place) open(ctx context.Context) (err error) {
	if p.yardstick, err = newYardstick(ctx, p); err != nil {
		return err
	}
	if p.served, err = newServed(ctx, p); err != nil {
		return err
	}
	p.outlet, err = newOutlet(ctx, p)
	return err
}

// later has do called when the place is closed. What was made last is closed first.
func (p *place) later(do func() error) { p.closers = append(p.closers, do) }

func (p *place) close() (err error) {
	for _, do := range slices.Backward(p.closers) {
		err = errors.Join(err, do())
	}
	return err
}

// program returns the program on an empty database.
func (p *place) program(ctx context.Context) (program.Program, error) {
	url, drop, err := program.NewDatabase(ctx, p.kind, p.folder)
	p.later(drop)
	if p.kind == "postgres" {
		p.urls = append(p.urls, url)
	}
	return program.Program{Path: p.path, Database: url}, err
}

// vacuum has PostgreSQL learn what is in its databases, as it does by itself after a minute.
func (p *place) vacuum(ctx context.Context) (err error) {
	for _, url := range p.urls {
		err = errors.Join(err, program.Execute(ctx, url, "VACUUM ANALYZE"))
	}
	return err
}
