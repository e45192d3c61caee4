package web_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
)

// A log that cannot write keeps no more than a few megabytes, and says afterwards how many requests it has not kept.
func TestRequestLogIsNoBurden(t *testing.T) {
	db := storetest.New(t)
	in := db.In(storetest.Account(t, db).Scope())
	log := web.NewRequestLog(db, slog.New(slog.DiscardHandler), func() time.Time { return storetest.Began })
	const sent = 1000
	for range sent {
		log.Note(in.Scope().Account, gangway.LoggedRequest{ID: store.NewRequestID(storetest.Began),
			At: storetest.Began, Method: "POST", Path: "/passenger", Status: 200,
			Body: make([]byte, gangway.LoggedBody)})
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	if err := log.Settle(left); err == nil {
		t.Fatal("what was given up is taken to be written")
	}
	calltest.Done(t, log.Settle(t.Context()))
	list, err := in.LoggedRequests(t.Context(), false, 2*sent)
	if err != nil || len(list) < 50 || len(list) > 8<<20/gangway.LoggedBody {
		t.Errorf("the log has %d requests, %v; want as many as 8 MiB hold", len(list), err)
	}
	if n, _, err := in.MissingRequests(t.Context(), storetest.Began); err != nil || n != sent-len(list) {
		t.Errorf("%d requests are missing, %v; want the other %d", n, err, sent-len(list))
	}
}

// A server writes what was answered by itself, and the last of it when it stops.
func TestRequestLogWritesAsItStops(t *testing.T) {
	db := storetest.New(t)
	in := db.In(storetest.Account(t, db).Scope())
	log := web.NewRequestLog(db, slog.New(slog.DiscardHandler), func() time.Time { return storetest.Began })
	running, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { log.Run(running); close(ended) }()
	id := store.NewRequestID(storetest.Began)
	log.Note(in.Scope().Account, gangway.LoggedRequest{ID: id, At: storetest.Began, Status: 400,
		Details: gangway.RequestDetails{Detail: strings.Repeat("x", 10_000)}})
	stop()
	<-ended
	if r, err := in.LoggedRequest(t.Context(), id); err != nil || len(r.Details.Detail) > 400 {
		t.Errorf("the log has %.500v, %v; want the request, and the beginning of why it was refused", r, err)
	}
}
