package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gangway/internal/store"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const (
	// scrapePatience is how long a scrape waits for the database.
	scrapePatience = 5 * time.Second

	// figuresMost is of how many feeds, and of how many outlets, there are figures; gangway_figures_cut tells of more.
	figuresMost = 10_000

	// deliveriesCounted is how many deliveries of an outlet are counted.
	deliveriesCounted = 100_000
)

// figures are what the database knows, read for one scrape. All replicas give the same, but for the pools and disks,
// which are a process's own.
//
// Decided: docs/choices.md, "Figures for monitoring".
type figures struct {
	ctx      context.Context
	db       *store.DB
	database string // its address
	log      *slog.Logger
	descs    map[string]*prometheus.Desc
	to       chan<- prometheus.Metric
	cut      bool // there are more feeds or outlets
}

// Describe is part of prometheus.Collector. Which figures there are depends on the database.
func (f *figures) Describe(chan<- *prometheus.Desc) {}

// Collect is part of prometheus.Collector. Where the database does not answer, it tells only that.
func (f *figures) Collect(to chan<- prometheus.Metric) {
	f.to, f.descs = to, map[string]*prometheus.Desc{}
	f.process()
	f.set("database_up", "Whether the database answers and can be written to.", truth(f.db.Ready(f.ctx) == nil))
	for _, read := range []func() error{f.feeds, f.outlets, f.work} {
		if err := read(); err != nil {
			if !errors.Is(err, store.ErrAway) && !errors.Is(f.ctx.Err(), context.Canceled) {
				f.log.Error("figures could not be read", "error", err)
			}
			return
		}
	}
}

// set tells a figure. labels are names and values in turn. One whose name ends in _total is a counter.
func (f *figures) set(name, help string, value float64, labels ...string) {
	var names, values []string
	for i := 0; i < len(labels); i += 2 {
		names, values = append(names, labels[i]), append(values, strings.ToValidUTF8(labels[i+1], "?"))
	}
	if f.descs[name] == nil {
		f.descs[name] = prometheus.NewDesc("gangway_"+name, help, names, nil)
	}
	kind := prometheus.GaugeValue
	if strings.HasSuffix(name, "_total") {
		kind = prometheus.CounterValue
	}
	f.to <- prometheus.MustNewConstMetric(f.descs[name], kind, value, values...)
}

// process tells what this process has of the database and of the machine.
func (f *figures) process() {
	for pool, s := range f.db.PoolStats() {
		f.set("database_connections_in_use", "Connections that are used.", float64(s.InUse), "pool", pool)
		f.set("database_connections_limit", "How many may be open.", float64(s.MaxOpenConnections), "pool", pool)
		f.set("database_wait_seconds_total", "How long somebody waited.", s.WaitDuration.Seconds(), "pool", pool)
	}
	for _, d := range disksOf(f.database) {
		f.set("disk_free_bytes", "Room for this user.", float64(d.free), "folder", d.of)
		f.set("disk_size_bytes", "How large the disk is.", float64(d.size), "folder", d.of)
	}
}

// A disk is one on which there has to be room.
type disk struct {
	of         string // what it is for
	free, size uint64
}

// disksOf returns the disks of temporary files and of a database, as far as the system tells.
func disksOf(database string) (list []disk) {
	list = []disk{{of: "temporary"}}
	folders := []string{os.TempDir()}
	if file, ok := strings.CutPrefix(database, "sqlite:"); ok {
		list, folders = append(list, disk{of: "database"}), append(folders, filepath.Dir(file))
	}
	for i := range list {
		list[i].free, list[i].size = diskSpace(folders[i])
	}
	return slices.DeleteFunc(list, func(d disk) bool { return d.size == 0 })
}

func (f *figures) feeds() error {
	feeds, err := f.db.FeedFigures(f.ctx, figuresMost)
	if err != nil {
		return err
	}
	f.cut = f.cut || len(feeds) == figuresMost
	for _, o := range feeds {
		if o.Off {
			continue
		}
		of := []string{"customer", o.Customer, "environment", o.Environment, "feed", o.Feed}
		f.set("feed_failing", "Whether the feed's last run or answer failed.", truth(!o.Failing.IsZero()), of...)
		f.set("feed_last_good_timestamp_seconds", "When it last went well; 0: never yet.", seconds(o.GoodAt), of...)
		f.set("feed_next_run_timestamp_seconds", "When it is fetched next; 0: not by itself.", seconds(o.Due), of...)
	}
	return nil
}

func (f *figures) outlets() error {
	outlets, err := f.db.OutletFigures(f.ctx, figuresMost, deliveriesCounted, time.Now())
	if err != nil {
		return err
	}
	f.cut = f.cut || len(outlets) == figuresMost
	for _, o := range outlets {
		of := []string{"customer", o.Customer, "environment", o.Environment, "outlet", o.Outlet}
		f.set("outlet_off", "Whether the outlet is switched off.", truth(o.Off), of...)
		f.set("outlet_failing", "Whether it is failing, and not switched off.", truth(o.Failing), of...)
		f.set("outlet_deliveries_waiting", "Deliveries not accepted yet, up to 100000.", float64(o.Waiting), of...)
		f.set("outlet_oldest_waiting_timestamp_seconds", "When the oldest was made; 0: none waits.", seconds(o.Oldest),
			of...)
		f.set("outlet_deliveries_parked", "Deliveries that wait for a replay, up to 100000.", float64(o.Parked), of...)
	}
	return nil
}

// work tells what was begun and has not ended, the replicas, and when the last backup was made.
func (f *figures) work() error {
	w, err := f.db.OpenWork(f.ctx, figuresMost, time.Now())
	if err != nil {
		return err
	}
	f.set("figures_cut", "Whether there are more feeds or outlets than have figures.", truth(f.cut))
	f.set("database_bytes", "How large the database is.", float64(w.Bytes))
	f.set("intents_open", "Requests to suppliers without an outcome.", float64(w.Intents))
	f.set("intent_oldest_timestamp_seconds", "When the oldest was begun; 0: none is open.", seconds(w.OldestIntent))
	f.set("batches_open", "Batches that are worked on, or wait for it.", float64(w.Batches))
	f.set("batch_oldest_timestamp_seconds", "When the oldest was begun; 0: none is open.", seconds(w.OldestBatch))
	f.set("replicas", "Servers that run on the database.", float64(w.Replicas))
	f.set("last_backup_timestamp_seconds", "When the last backup was made; 0: never yet.", seconds(w.Backup))
	f.set("restored_unconfirmed", "Whether the database was restored, and is only read until that is confirmed.",
		truth(w.Unconfirmed))
	return nil
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// seconds is an instant as Prometheus has them; 0 is never.
func seconds(at time.Time) float64 {
	if at.IsZero() {
		return 0
	}
	return float64(at.UnixMilli()) / 1000
}

// serve answers /metrics on a listener of its own until that is closed.
func (m *meters) serve(l net.Listener, db *store.DB, database string, log *slog.Logger) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), scrapePatience)
		defer cancel()
		ofDatabase := prometheus.NewRegistry()
		ofDatabase.MustRegister(&figures{ctx: ctx, db: db, database: database, log: log})
		promhttp.HandlerFor(prometheus.Gatherers{m.registry, ofDatabase},
			promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError}).ServeHTTP(w, r)
	})
	serveBeside(l, mux, "figures are no longer served", log)
}

// serveBeside answers on a listener that is not for customers until that is closed.
func serveBeside(l net.Listener, h http.Handler, ended string, log *slog.Logger) {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 2 * time.Minute, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	if err := s.Serve(l); err != nil && !errors.Is(err, net.ErrClosed) {
		log.Error(ended, "error", err)
	}
}
