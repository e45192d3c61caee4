//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"gangway/internal/need"
)

// TestTrialDeliveryDatabase restarts PostgreSQL under load, and fills the disk of either database, while a server
// delivers and others write actions.
func TestTrialDeliveryDatabase(t *testing.T) {
	need.Trial(t)
	t.Parallel() // it waits for what is away
	t.Run("PostgreSQL is restarted", func(t *testing.T) {
		t.Parallel()
		c := startCluster(t, shortFolder(t))
		d := newDeliveryTrial(t, c.url())
		d.underLoad(func() {
			for range faults() {
				eventually(t, "fifty more actions", d.more(50))
				c.stop()
				c.start()
				eventually(t, "fifty more actions", d.more(50))
			}
			t.Logf("PostgreSQL was restarted %d times", faults())
		})
	})
	t.Run("the disk is full", func(t *testing.T) {
		t.Parallel()
		folder := smallDisk(t, "size=192m")
		d := newDeliveryTrial(t, "sqlite:"+filepath.Join(folder, "gangway.db"))
		d.underLoad(func() { d.fills(folder, func() {}) })
	})
	t.Run("the disk of PostgreSQL is full", func(t *testing.T) {
		t.Parallel()
		home := smallDisk(t, "size=400m")
		c := startCluster(t, home)
		d := newDeliveryTrial(t, c.url())
		d.underLoad(func() { d.fills(home, c.revive) })
	})
}

// fills fills the disk of a database until actions are refused, has room again, and revives the database where that
// needs it.
func (d *deliveryTrial) fills(folder string, revive func()) {
	for range faults() {
		eventually(d.t, "fifty more actions", d.more(50))
		var fillers []string
		refused := d.refused.Load()
		eventually(d.t, "actions are refused", func() bool {
			filler := filepath.Join(folder, fmt.Sprint("filler", len(fillers)))
			fill(d.t, filler) // and what a database gives back meanwhile
			fillers = append(fillers, filler)
			return d.refused.Load() > refused+10
		})
		for _, filler := range fillers {
			os.Remove(filler)
		}
		revive()
		eventually(d.t, "fifty more actions", d.more(50))
	}
	d.t.Logf("the disk was full %d times", faults())
}

// underLoad has actions written while a server delivers and things happen, and checks what came of it.
func (d *deliveryTrial) underLoad(happen func()) {
	ctx, stop := context.WithCancel(d.t.Context())
	d.serve()
	var writing sync.WaitGroup
	writing.Go(func() { d.write(ctx, 150, 1_000_000) })
	defer writing.Wait()
	defer stop()
	happen()
	stop()
	writing.Wait()
	d.check()
}
