// Package limit keeps what a customer's server does within bounds: how long it takes, how
// much it sends, and what of its words reaches a sentence for people. Servers hang, send a
// byte a second, claim two gigabytes or never end a list; each ends in time and in bounded
// memory.
package limit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// Patience is how long a server has for one command, and to begin a document.
const Patience = 30 * time.Second

// slowest is the speed, in bytes a second, below which a document is given up once the
// server's patience is used up: a megabyte takes 17 minutes with it.
const slowest = 1 << 10

// A SlowError says that a server took too long.
type SlowError struct{ After time.Duration }

func (e *SlowError) Error() string {
	return fmt.Sprintf("the server did not answer within %s", e.After)
}

// ErrSlow ends a document that comes too slowly.
var ErrSlow = errors.New("the server sent the document too slowly, with less than 1 KiB a second")

// ErrTooMuch ends a connection whose server sends more than anybody asked for.
var ErrTooMuch = errors.New("the server sent far more than was asked for")

// Do calls what with a server, for which it has so long. If it takes longer, or ctx ends,
// the connection is cut, which must end what. A panic in it, in somebody else's protocol
// code, is an error.
func Do(ctx context.Context, long time.Duration, cut func(), what func() error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	within, cancel := context.WithTimeoutCause(ctx, long, &SlowError{long})
	defer cancel()
	stop := context.AfterFunc(within, cut)
	defer func() {
		if v := recover(); v != nil {
			cut()
			err = errors.New("the server's answer cannot be read")
		}
		if !stop() {
			err = context.Cause(within)
		}
	}()
	return what()
}

// A Body is a document that is being fetched. Reading it fails if the server is too slow,
// or if it sends more than it may. Time that the reader spends elsewhere does not count.
type Body struct {
	ctx      context.Context
	from     io.Reader
	cut      func()
	left     int64 // bytes that may still come
	long     error // what is said of a document with more
	patience time.Duration
	waited   time.Duration
	got      int64
	err      error // why reading ended
}

// NewBody returns a document of at most so many bytes; beyond them a read fails with long.
func NewBody(ctx context.Context, from io.Reader, cut func(), most int64, long error) *Body {
	return &Body{ctx: ctx, from: from, cut: cut, left: most, long: long, patience: Patience}
}

// Read implements io.Reader.
func (b *Body) Read(p []byte) (n int, err error) {
	if b.err != nil {
		return 0, b.err
	}
	if len(p) == 0 {
		return 0, nil
	}
	p = p[:min(int64(len(p)), b.left+1)]
	began := time.Now()
	err = Do(b.ctx, b.patience, b.cut, func() (err error) {
		n, err = b.from.Read(p)
		return err
	})
	b.waited += time.Since(began)
	b.got += int64(n)
	switch {
	case err != nil:
		b.err = err
	case int64(n) > b.left:
		b.err, n = b.long, int(b.left)
	case b.waited > b.patience+time.Duration(b.got/slowest)*time.Second:
		b.cut()
		b.err = ErrSlow
	}
	b.left -= int64(n)
	return n, b.err
}

// A Conn is a connection that fails once its server has sent more than Allow said.
type Conn struct {
	net.Conn
	left, lines atomic.Int64
}

// NewConn returns a connection over which nothing may come yet.
func NewConn(c net.Conn) *Conn { return &Conn{Conn: c} }

// Allow sets how many bytes, and how many lines in them, may come from now on.
func (c *Conn) Allow(bytes, lines int64) {
	c.left.Store(bytes)
	c.lines.Store(lines)
}

// Over reports whether more came than was allowed.
func (c *Conn) Over() bool { return c.left.Load() < 0 || c.lines.Load() < 0 }

// Read implements net.Conn.
func (c *Conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	lines := int64(0)
	for _, b := range p[:n] {
		if b == '\n' {
			lines++
		}
	}
	if c.left.Add(-int64(n)) < 0 || c.lines.Add(-lines) < 0 {
		c.Conn.Close()
		return 0, ErrTooMuch
	}
	return n, err
}
