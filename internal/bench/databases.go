package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gangway/internal/store"

	"github.com/jackc/pgx/v5"
)

// A place is a kind of database to measure on.
type place struct {
	name string
	// folder in which the addresses of kept databases are noted; empty: none is kept
	keep  string
	fresh func(context.Context) (url string, err error) // a database that nobody else uses
	made  *scratch
}

// open makes a fresh database, with all its tables.
func (p place) open(ctx context.Context) (db *store.DB, url string, err error) {
	if url, err = p.fresh(ctx); err != nil {
		return nil, "", err
	}
	db, err = store.Open(ctx, url)
	return db, url, err
}

// kept returns the database that was kept under name, or a fresh one with the
// function to call once it is filled.
func (p place) kept(ctx context.Context, name string) (url string, filled func() error, err error) {
	note := filepath.Join(p.keep, p.name+"-"+name+".url")
	if p.keep != "" {
		if text, err := os.ReadFile(note); err == nil {
			return string(text), nil, nil
		}
	}
	url, err = p.fresh(ctx)
	return url, func() error {
		if p.keep == "" {
			return nil
		}
		if err := os.WriteFile(note, []byte(url), 0o600); err != nil {
			return err
		}
		p.made.spare(url)
		return nil
	}, err
}

// places returns the kinds of databases to measure on, with what drops the
// databases that were made there and not kept.
func places(s scale, folder string) (list []place, made *scratch) {
	made = &scratch{folder: folder, drops: map[string]func(context.Context) error{}}
	if s.keep != "" {
		made.folder = s.keep
	}
	list = []place{{"sqlite", s.keep, made.sqlite, made}}
	if server := os.Getenv("GANGWAY_TEST_POSTGRES"); server != "" {
		list = append(list, place{"postgres", s.keep, func(ctx context.Context) (string, error) {
			return made.postgres(ctx, server)
		}, made})
	} else {
		fmt.Println("GANGWAY_TEST_POSTGRES is not set: PostgreSQL is left out")
	}
	return slices.DeleteFunc(list, func(p place) bool { return s.only != "" && p.name != s.only }), made
}

// A scratch makes databases and drops them when the run ends: the server may
// be one that stays, and a run fills gigabytes.
type scratch struct {
	folder string                                 // for the files of SQLite
	drops  map[string]func(context.Context) error // for each database that is not kept, by its address
}

func (s *scratch) sqlite(context.Context) (url string, err error) {
	file := filepath.Join(s.folder, rand.Text()+".db")
	url = "sqlite:" + file
	s.drops[url] = func(context.Context) (err error) {
		for _, end := range []string{"", "-wal", "-shm", ".next", ".migrating"} {
			if wrong := os.Remove(file + end); !errors.Is(wrong, fs.ErrNotExist) {
				err = errors.Join(err, wrong)
			}
		}
		return err
	}
	return url, nil
}

func (s *scratch) postgres(ctx context.Context, server string) (url string, err error) {
	config, err := pgx.ParseConfig(server)
	if err != nil {
		return "", err
	}
	name := "gangway_bench_" + strings.ToLower(rand.Text())
	url = strings.Replace(server, "/"+config.Database, "/"+name, 1)
	// Noted first: a call that is cut off may have made it all the same.
	s.drops[url] = func(ctx context.Context) error {
		return execute(ctx, config, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	}
	return url, execute(ctx, config, "CREATE DATABASE "+name)
}

// spare leaves the database at url when the run ends.
func (s *scratch) spare(url string) { delete(s.drops, url) }

// drop removes what was made and not spared, also where connections are open.
func (s *scratch) drop(ctx context.Context) (err error) {
	for url, drop := range s.drops {
		if wrong := drop(ctx); wrong != nil {
			err = errors.Join(err, fmt.Errorf("drop %s: %w", url, wrong))
		}
	}
	return err
}

// execute runs one statement on a server, on a connection of its own.
func execute(ctx context.Context, config *pgx.ConnConfig, statement string) error {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}
