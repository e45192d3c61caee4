//go:build linux

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestDeliveryDatabase restarts PostgreSQL under load, and fills the disk of a SQLite file, while a server
// delivers and others write actions.
func TestDeliveryDatabase(t *testing.T) {
	t.Run("PostgreSQL is restarted", func(t *testing.T) {
		c := startCluster(t, shortFolder(t))
		d := newDeliveryTrial(t, c.url())
		d.underLoad(func(*program) {
			for range *faults {
				eventually(t, time.Minute, "fifty more actions", d.more(50))
				c.stop()
				c.start()
				eventually(t, time.Minute, "fifty more actions", d.more(50))
			}
		})
	})
	t.Run("the disk is full", func(t *testing.T) {
		folder := smallDisk(t, "size=192m")
		d := newDeliveryTrial(t, "sqlite:"+filepath.Join(folder, "gangway.db"))
		filler := filepath.Join(folder, "filler")
		d.underLoad(func(p *program) {
			for n := range *faults {
				eventually(t, time.Minute, "fifty more actions", d.more(50))
				fill(t, filler)
				eventually(t, time.Minute, "the server notices", func() bool {
					return strings.Count(p.said.String(), `msg="the database is away"`) > n
				})
				os.Remove(filler)
				eventually(t, time.Minute, "fifty more actions", d.more(50))
				eventually(t, time.Minute, "the server is well again", func() bool {
					return strings.Count(p.said.String(), `msg="the database is back"`) > n
				})
			}
		})
	})
}

// underLoad has actions written while a server delivers and things happen, and checks what came of it.
func (d *deliveryTrial) underLoad(happen func(*program)) {
	ctx, stop := context.WithCancel(d.t.Context())
	defer stop()
	p := d.serve()
	var writing sync.WaitGroup
	writing.Go(func() { d.write(ctx, 150, 1_000_000) })
	defer writing.Wait()
	happen(p)
	stop()
	writing.Wait()
	d.check()
}
