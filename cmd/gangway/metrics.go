package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"gangway/internal/store"
)

const (
	// scrapePatience is how long a scrape waits for the database.
	scrapePatience = 5 * time.Second

	// figuresMost is of how many feeds, and of how many outlets, there are figures; gangway_figures_cut tells of more.
	figuresMost = 10_000

	// deliveriesCounted is how many deliveries of an outlet are counted.
	deliveriesCounted = 100_000
)

// figures collects figures in Prometheus' text format: those of a name stand together, after what it means.
type figures struct {
	names []string // in order
	lines map[string]*bytes.Buffer
}

// set adds a figure. labels are names and values in turn.
func (f *figures) set(name, help string, value float64, labels ...string) {
	of := f.lines[name]
	if of == nil {
		of = &bytes.Buffer{}
		fmt.Fprintf(of, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
		f.names, f.lines[name] = append(f.names, name), of
	}
	of.WriteString(name)
	for i := 0; i < len(labels); i += 2 {
		open := ","
		if i == 0 {
			open = "{"
		}
		fmt.Fprintf(of, "%s%s=\"%s\"", open, labels[i], labelEscapes.Replace(labels[i+1]))
	}
	if len(labels) > 0 {
		of.WriteByte('}')
	}
	fmt.Fprintf(of, " %s\n", strconv.FormatFloat(value, 'f', -1, 64))
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func (f *figures) text() []byte {
	var all bytes.Buffer
	for _, name := range f.names {
		all.Write(f.lines[name].Bytes())
	}
	return all.Bytes()
}

// readFigures reads what an operator's monitoring is to know. All replicas give the same figures. Where the database
// does not answer, that is all they say.
//
// Decided: docs/choices.md, "Figures for monitoring".
func readFigures(ctx context.Context, db *store.DB) ([]byte, error) {
	f := &figures{lines: map[string]*bytes.Buffer{}}
	f.set("gangway_database_up", "Whether the database answers and can be written to.", truth(db.Ready(ctx) == nil))
	feeds, err := db.FeedFigures(ctx, figuresMost)
	if err != nil {
		return f.text(), err
	}
	outlets, err := db.OutletFigures(ctx, figuresMost, deliveriesCounted, time.Now())
	if err != nil {
		return f.text(), err
	}
	f.set("gangway_figures_cut", "Whether there are more feeds or outlets than have figures.",
		truth(len(feeds) == figuresMost || len(outlets) == figuresMost))
	for _, o := range feeds {
		if o.Off {
			continue
		}
		labels := []string{"customer", o.Customer, "environment", o.Environment, "feed", o.Feed}
		f.set("gangway_feed_failing", "Whether the feed's last run or answer failed.", truth(!o.Failing.IsZero()),
			labels...)
		f.set("gangway_feed_last_good_timestamp_seconds", "When the feed last went well; 0: never yet.",
			seconds(o.GoodAt), labels...)
		f.set("gangway_feed_next_run_timestamp_seconds", "When the feed is fetched next; 0: not by itself.",
			seconds(o.Due), labels...)
	}
	for _, o := range outlets {
		labels := []string{"customer", o.Customer, "environment", o.Environment, "outlet", o.Outlet}
		f.set("gangway_outlet_off", "Whether the outlet is switched off.", truth(o.Off), labels...)
		f.set("gangway_outlet_failing", "Whether the outlet is failing, and not switched off.",
			truth(o.Failing), labels...)
		f.set("gangway_outlet_deliveries_waiting", "Deliveries that were not accepted yet, up to 100000.",
			float64(o.Waiting), labels...)
		f.set("gangway_outlet_oldest_waiting_timestamp_seconds",
			"When the oldest delivery that waits was made; 0: none waits.", seconds(o.Oldest), labels...)
		f.set("gangway_outlet_deliveries_parked", "Deliveries that wait for a replay, up to 100000.",
			float64(o.Parked), labels...)
	}
	return f.text(), nil
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

// serveFigures answers /metrics on a listener of its own until that is closed.
func serveFigures(l net.Listener, db *store.DB, log *slog.Logger) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), scrapePatience)
		defer cancel()
		text, err := readFigures(ctx, db)
		if err != nil && r.Context().Err() == nil && !errors.Is(err, store.ErrAway) {
			log.Error("figures could not be read", "error", err)
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = w.Write(text)
	})
	s := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: time.Minute, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	if err := s.Serve(l); err != nil && !errors.Is(err, net.ErrClosed) {
		log.Error("figures are no longer served", "error", err)
	}
}
