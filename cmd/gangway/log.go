package main

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	"gangway/internal/web"
)

// logFlags say what a server logs, and how.
type logFlags struct {
	LogFormat   string        `default:"text" enum:"text,json" placeholder:"text|json" help:"How lines of the log are written (${default})."`
	LogLevel    slog.Level    `default:"info" placeholder:"debug|info|warn|error" help:"The least important lines that are logged (${default})."`
	LogSlow     time.Duration `default:"0s" placeholder:"DURATION" help:"Log statements that take the database at least as long, without their arguments, as in 500ms; 0s: none (${default})."`
	LogRequests bool          `help:"Log a line for each request: method, pattern of the address, status, time, bytes, account and Request-Id."`
}

// open returns the log, and the meters that count its lines and, if asked for, log requests.
func (f logFlags) open(out io.Writer) (*slog.Logger, *meters) {
	options := &slog.HandlerOptions{Level: f.LogLevel}
	var to slog.Handler = slog.NewTextHandler(out, options)
	if f.LogFormat == "json" {
		options.ReplaceAttr = func(_ []string, a slog.Attr) slog.Attr {
			if words, ok := a.Value.Any().(fmt.Stringer); ok && a.Value.Kind() != slog.KindTime { // as text has it
				a.Value = slog.StringValue(words.String())
			}
			return a
		}
		to = slog.NewJSONHandler(out, options)
	}
	m := newMeters(nil)
	log := slog.New(web.LogRequestIDs(to, func(l slog.Level) { m.lines.WithLabelValues(l.String()).Inc() }))
	if f.LogRequests {
		m.log = log
	}
	return log, m
}
