package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"time"

	"gangway/internal/accept"
	"gangway/internal/gangway"
	"gangway/internal/store"

	"github.com/go-json-experiment/json"
)

// mostForDocument is how much memory a document may take while it is processed, however long it
// is, in MB above what the process had before.
const mostForDocument = 64

// measureDocument measures the processing of a long document, each of its records by itself:
// new ones, and then the same again. Each time it is a new process, whose caches are filled
// first.
func measureDocument(ctx context.Context, p place, s scale) ([]line, error) {
	db, url, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	var lines []line
	for _, what := range []string{"a document of %d", "the same document again"} {
		if what[0] == 'a' {
			what = fmt.Sprintf(what, s.document)
		}
		took, kb, err := takeInDocument(ctx, url, s.document)
		if err != nil {
			return nil, err
		}
		mb := (kb + 1023) / 1024
		lines = append(lines, line{measure: what, ours: took, got: fmt.Sprintf("+%d MB", mb),
			want: fmt.Sprintf("≤ +%d MB", mostForDocument), ok: mb <= mostForDocument})
	}
	return lines, nil
}

const (
	documentTask    = "document"
	documentRecords = "GANGWAY_BENCH_RECORDS"
)

// takeInDocument has a new process read a document, and returns how long that took and how much
// memory, in KB above rest.
func takeInDocument(ctx context.Context, url string, records int) (took time.Duration, kb int, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, 0, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), childTask+"="+documentTask, childDatabase+"="+url,
		fmt.Sprint(documentRecords, "=", records))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, 0, err
	}
	_, err = fmt.Sscan(string(out), (*int64)(&took), &kb)
	return took, kb, err
}

// answerDocument is what the process of takeInDocument does. It returns memory to the system as
// the program does.
func answerDocument(ctx context.Context) error {
	debug.SetGCPercent(50)
	var records int
	if _, err := fmt.Sscan(os.Getenv(documentRecords), &records); err != nil {
		return err
	}
	db, err := store.Open(ctx, os.Getenv(childDatabase))
	if err != nil {
		return err
	}
	defer db.Close()
	for _, customer := range []struct {
		name    string
		records int
	}{{"Others", 50_000}, {"Halcyon Tankers", records}} {
		in, err := accountOf(ctx, db, customer.name)
		if err != nil {
			return err
		}
		if err := fillCaches(ctx, in); err != nil {
			return err
		}
		debug.FreeOSMemory()
		rest, err := privateMemory(os.Getpid())
		if err != nil {
			return err
		}
		began, most := time.Now(), watchMemory(os.Getpid())
		report, err := accept.Travellers.EachForItself(ctx, in, &crewList{records: customer.records},
			accept.Limits{Records: customer.records, Depth: 64},
			gangway.Origin{Source: gangway.FeedSource("bench"), Generation: db.Generation(), SeenAt: time.Now()})
		took := time.Since(began)
		peak, watched := most()
		if err := errors.Join(err, watched); err != nil {
			return err
		}
		if report.Received != customer.records || report.Refused > 0 {
			return fmt.Errorf("of %d records it says %+v, %d refused", customer.records, report.Counts, report.Refused)
		}
		if customer.records == records {
			fmt.Println(int64(took), peak-rest)
		}
	}
	return nil
}

// accountOf returns the account of the customer with a name, which it creates if necessary.
func accountOf(ctx context.Context, db *store.DB, name string) (store.Scoped, error) {
	customers, err := db.Customers(ctx)
	if err != nil {
		return store.Scoped{}, err
	}
	for _, c := range customers {
		if c.Name == name {
			account, _, err := db.Accounts(ctx, c.ID)
			return db.In(account.Scope()), err
		}
	}
	account, _, err := db.CreateCustomer(ctx, operator, name, time.Now())
	return db.In(account.Scope()), err
}

// fillCaches looks up as many travellers as databases keep in their caches.
func fillCaches(ctx context.Context, in store.Scoped) error {
	for _, start := range nameStarts {
		if _, err := in.SuggestTravellers(ctx, gangway.Fold(start), nil, 1000); err != nil {
			return err
		}
	}
	return nil
}

// A crewList is a long JSON array of travellers that is generated while it is read.
type crewList struct {
	records, written int
	buf              bytes.Buffer
}

func (c *crewList) Read(p []byte) (int, error) {
	for c.buf.Len() < len(p) && c.written <= c.records {
		switch {
		case c.written == c.records:
			c.buf.WriteByte(']')
			c.written++
			continue
		case c.written == 0:
			c.buf.WriteByte('[')
		default:
			c.buf.WriteByte(',')
		}
		if err := json.MarshalWrite(&c.buf, recordOf(crewMember(c.written))); err != nil {
			return 0, err
		}
		c.written++
	}
	if c.buf.Len() == 0 {
		return 0, io.EOF
	}
	return c.buf.Read(p)
}
