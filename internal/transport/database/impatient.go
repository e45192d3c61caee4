package database

import (
	"context"
	"database/sql/driver"
)

// An impatient connector stops waiting when the context ends: a driver may take its
// time to notice that its connection was closed.
type impatient struct{ driver.Connector }

// Connect implements driver.Connector.
func (i impatient) Connect(ctx context.Context) (driver.Conn, error) {
	type made struct {
		conn driver.Conn
		err  error
	}
	done := make(chan made, 1)
	go func() {
		conn, err := i.Connector.Connect(ctx)
		done <- made{conn, err}
	}()
	select {
	case m := <-done:
		return m.conn, m.err
	case <-ctx.Done():
		go func() {
			if m := <-done; m.err == nil {
				m.conn.Close()
			}
		}()
		return nil, ctx.Err()
	}
}
