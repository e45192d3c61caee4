package main

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway/internal/web"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// meters are the figures of this process: what it serves, whom it asks, what it logs. Their labels have few values:
// patterns of addresses, suppliers and calls, never a customer, a path or an identifier.
type meters struct {
	registry    *prometheus.Registry
	inFlight    prometheus.Gauge
	requests    *prometheus.CounterVec
	seconds     *prometheus.HistogramVec
	calls       *prometheus.CounterVec
	callSeconds *prometheus.HistogramVec
	lines       *prometheus.CounterVec
	log         *slog.Logger // of requests; nil: none is logged
}

// Bounds of the histograms, in seconds.
var (
	requestBuckets = []float64{.01, .05, .1, .25, .5, 1, 5, 30}
	callBuckets    = []float64{.1, .5, 1, 2.5, 5, 10, 30, 130}
)

// newMeters returns meters; requests are logged to log unless it is nil.
func newMeters(log *slog.Logger) *meters {
	registry := prometheus.NewRegistry()
	with := promauto.With(registry)
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return with.NewCounterVec(prometheus.CounterOpts{Name: "gangway_" + name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		opts := prometheus.HistogramOpts{Name: "gangway_" + name, Help: help, Buckets: buckets}
		return with.NewHistogramVec(opts, labels)
	}
	m := &meters{registry: registry, log: log,
		inFlight: with.NewGauge(prometheus.GaugeOpts{Name: "gangway_http_requests_in_flight",
			Help: "Requests that are being answered."}),
		requests: counter("http_requests_total", "Requests that were answered, by the pattern of the address.",
			"surface", "route", "method", "status"),
		seconds: histogram("http_request_seconds", "How long answers took, but for streams.", requestBuckets, "surface",
			"route"),
		calls:       counter("supplier_calls_total", "Calls of suppliers.", "supplier", "call", "outcome"),
		callSeconds: histogram("supplier_call_seconds", "How long suppliers took.", callBuckets, "supplier", "call"),
		lines:       counter("log_lines_total", "Lines of the log.", "level"),
	}
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		m.lines.WithLabelValues(level.String()) // so that the first of them is an increase
	}
	registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	v, _ := thisVersion() // which says at least the schema
	with.NewGauge(prometheus.GaugeOpts{Name: "gangway_build_info", Help: "Which program this is.",
		ConstLabels: prometheus.Labels{"version": v.Version, "revision": v.Revision, "go": v.Go,
			"schema": strconv.FormatInt(v.Schema, 10)}}).Set(1)
	return m
}

// Began is part of web.Observer.
func (m *meters) Began() { m.inFlight.Inc() }

// methods are the methods that figures tell apart.
var methods = []string{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"}

// Ended is part of web.Observer.
func (m *meters) Ended(ctx context.Context, s web.Served) {
	m.inFlight.Dec()
	status, method := strconv.Itoa(s.Status/100)+"xx", s.Method
	if s.Cut {
		status = "cut"
	}
	if !slices.Contains(methods, method) {
		method = "other"
	}
	if s.Route == "" {
		s.Route = "none"
	}
	m.requests.WithLabelValues(s.Surface, s.Route, method, status).Inc()
	if !s.Stream {
		m.seconds.WithLabelValues(s.Surface, s.Route).Observe(s.Took.Seconds())
	}
	if m.log != nil && s.Surface != "health" {
		m.log.InfoContext(ctx, "request", "method", method, "surface", s.Surface, "route", s.Route, "status", s.Status,
			"cut", s.Cut, "ms", s.Took.Milliseconds(), "bytes", s.Bytes, "account", s.Account)
	}
}

// supplierCalled tells of a call of a supplier: its path, and the status of its answer, 0 if there was none.
func (m *meters) supplierCalled(supplier, method, path string, status int, took time.Duration) {
	if m == nil {
		return // of a command, which tells no figures
	}
	parts, outcome := strings.Split(strings.Trim(path, "/"), "/"), "ok"
	call := method + " " + strings.Join(parts[:min(2, len(parts))], "/") // what follows are identifiers
	switch {
	case status == 0, status >= http.StatusInternalServerError:
		outcome = "failed"
	case status >= http.StatusBadRequest:
		outcome = "refused"
	}
	m.calls.WithLabelValues(supplier, call, outcome).Inc()
	m.callSeconds.WithLabelValues(supplier, call).Observe(took.Seconds())
}
