package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// databaseKinds are the kinds of database, in the order of the table.
var databaseKinds = []string{"sqlite", "postgres"}

// databases returns the kinds to measure on: the chosen one, or both.
func databases(chosen string) []string {
	return slices.DeleteFunc(slices.Clone(databaseKinds), func(kind string) bool {
		if kind == "postgres" && os.Getenv("GANGWAY_TEST_POSTGRES") == "" {
			fmt.Fprintln(os.Stderr, "GANGWAY_TEST_POSTGRES is not set: PostgreSQL is left out")
			return true
		}
		return chosen != "" && kind != chosen
	})
}

// A place is a kind of database to measure on, with everything that measurements share there.
type place struct {
	kind, folder, path string // path is of the program
	closers            []func() error
	urls               []string // of the databases on PostgreSQL

	bare   *bareTables // of the floors
	served *served     // a program that serves
	outlet *outlet     // an account with an outlet, in this process
	report *bareReport // the rows of the report; made by the first measurement that needs it
}

// open makes what measurements share.
func (p *place) open(ctx context.Context) (err error) {
	if p.bare, err = newBareTables(ctx, p); err != nil {
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

// fresh makes an empty database and returns its address.
func (p *place) fresh(ctx context.Context) (url string, err error) {
	name := "gangway_bench_" + strings.ToLower(rand.Text())
	if p.kind == "sqlite" { // which goes with its folder
		return "sqlite:" + filepath.Join(p.folder, name+".db"), nil
	}
	server := os.Getenv("GANGWAY_TEST_POSTGRES")
	config, err := pgx.ParseConfig(server)
	if err != nil {
		return "", err
	}
	p.later(func() error { // also after Ctrl-C, which ends ctx
		return execute(context.WithoutCancel(ctx), server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	})
	url = strings.Replace(server, "/"+config.Database, "/"+name, 1)
	p.urls = append(p.urls, url)
	return url, execute(ctx, server, "CREATE DATABASE "+name)
}

// vacuum has PostgreSQL learn what is in its databases, as it does by itself after a minute.
func (p *place) vacuum(ctx context.Context) (err error) {
	for _, url := range p.urls {
		err = errors.Join(err, execute(ctx, url, "VACUUM ANALYZE"))
	}
	return err
}

// execute runs a statement on PostgreSQL, on a connection of its own.
func execute(ctx context.Context, url, statement string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}
