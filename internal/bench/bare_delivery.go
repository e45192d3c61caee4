package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/wire"
)

// A bareDelivery writes a row for each document and delivers it, with nothing around it.
type bareDelivery struct {
	fill bareFill // sees what the database spends
	log  *bareLog
	to   []bareWay
	done int
}

// A bareWay delivers a document.
type bareWay func(ctx context.Context, name string, document []byte) error

// bareAtOnce is how many documents are on their way to one place at a time, and in all: as many as ours.
const (
	bareAtOnce = 16
	bareInAll  = 512
)

func newBareDelivery(ctx context.Context, p place, to []bareWay) (*bareDelivery, error) {
	url, err := p.fresh(ctx)
	if err != nil {
		return nil, err
	}
	b := &bareDelivery{to: to}
	if b.fill, err = newBareFill(ctx, url); err != nil {
		return nil, err
	}
	b.log, err = newBareLog(ctx, url)
	return b, err
}

func (b *bareDelivery) close() {
	b.log.close()
	b.fill.close()
}

// deliver returns how long it takes to write and deliver n documents.
func (b *bareDelivery) deliver(ctx context.Context, n int) (time.Duration, error) {
	documents := make([][]byte, n)
	for i := range documents {
		booking := benchBooking(i)
		action, err := booking.Move(gangway.Book, booking.CreatedBy, booking.CreatedAt)
		if err != nil {
			return 0, err
		}
		if documents[i], err = wire.Booking(booking, []gangway.Action{action}); err != nil {
			return 0, err
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var working sync.WaitGroup
	began := time.Now()
	var next atomic.Int64
	for w := range min(bareAtOnce*len(b.to), bareInAll) {
		to := b.to[w%len(b.to)]
		working.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && ctx.Err() == nil; i = next.Add(1) - 1 {
				name := fmt.Sprintf("%d-%d", b.done, i)
				err := b.log.keep(ctx, name, documents[i])
				if err == nil {
					err = to(ctx, name, documents[i])
				}
				if err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	working.Wait()
	b.done++
	return time.Since(began), context.Cause(ctx)
}

// posting posts documents to addresses.
func posting(addresses []string) (to []bareWay) {
	client := http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: bareAtOnce, MaxIdleConns: 1024}}
	for _, address := range addresses {
		to = append(to, func(ctx context.Context, _ string, document []byte) error {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(document))
			if err != nil {
				return err
			}
			res, err := client.Do(req)
			if err != nil {
				return err
			}
			return res.Body.Close()
		})
	}
	return to
}

// leaving leaves documents as files in a folder, whole and on the disk when they have their names.
func leaving(folder string) bareWay {
	return func(_ context.Context, name string, document []byte) error {
		path := filepath.Join(folder, "bare-"+name+".json")
		file, err := os.Create(path + ".part")
		if err != nil {
			return err
		}
		_, err = file.Write(document)
		if err = cmp.Or(err, file.Sync(), file.Close()); err != nil {
			return err
		}
		if err := os.Rename(path+".part", path); err != nil {
			return err
		}
		dir, err := os.Open(folder)
		if err != nil {
			return err
		}
		return cmp.Or(dir.Sync(), dir.Close())
	}
}
