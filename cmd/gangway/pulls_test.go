package main

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"testing"
	"time"

	"gangway/internal/gangway"
)

// pulls are what a customer's program got by pulling.
type pulls struct {
	mu      sync.Mutex
	actions map[string][]gangway.State // by booking
	content map[string]string          // by Pull-Id
	got     int
}

// pullBoth pulls from both replicas at the same time, over and over, until ctx ends.
func pullBoth(ctx context.Context, t *testing.T, key string, at []addresses) *pulls {
	p := &pulls{actions: map[string][]gangway.State{}, content: map[string]string{}}
	var pullers sync.WaitGroup
	for _, a := range at {
		pullers.Go(func() {
			tick := time.NewTicker(20 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
				res, doc, err := call(http.MethodGet, a.base.String()+"/bookings", key, nil)
				if err != nil {
					t.Error(err)
					return
				}
				if string(doc) != "[]" {
					p.add(t, res.Header.Get("Pull-Id"), doc)
				}
			}
		})
	}
	t.Cleanup(pullers.Wait)
	return p
}

func (p *pulls) add(t *testing.T, id string, doc []byte) {
	list, err := readBookings(doc)
	if err != nil {
		t.Error(err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.content[id] = string(doc)
	for _, b := range list {
		p.actions[b.ID] = append(p.actions[b.ID], b.actions()...)
		p.got += len(b.Actions)
	}
}

// contents returns what each pull brought, by its Pull-Id.
func (p *pulls) contents() map[string]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.content)
}

func (p *pulls) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.got
}

func (p *pulls) of(booking string) []gangway.State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.actions[booking]
}
