package store_test

import (
	"bytes"
	"io"
	"net"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestTakeThatIsNotHeardOf has the connection to PostgreSQL break when what was taken is committed and the answer has
// not come: the next take has it.
func TestTakeThatIsNotHeardOf(t *testing.T) {
	url, breaks := behindBreakingConnections(t, storetest.PostgresURL(t))
	db, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	in := db.In(storetest.Account(t, db).Scope())
	if _, err := in.SetOutlet(t.Context(), storetest.Operator, "default", storetest.PushTo("http://customer.example/"),
		[]string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}, noon); err != nil {
		t.Fatal(err)
	}
	createBooking(t, in, "UNHEARD", nil)
	take := func() ([]store.DeliveryQueue, error) {
		return db.TakeQueues(t.Context(), noon, noon.Add(time.Minute), 10, 10, nil)
	}
	breaks.Store(true)
	if _, err := take(); err == nil || breaks.Load() {
		t.Fatalf("TakeQueues = %v; want an error, as its commit was not answered", err)
	}
	taken, err := take()
	for end := time.Now().Add(20 * time.Second); err != nil && time.Now().Before(end); { // the other connections, too
		taken, err = take()
	}
	if err != nil || len(taken) != 1 {
		t.Errorf("then TakeQueues = %v, %v; want the booking's queue", taken, err)
	}
	if again, err := take(); err != nil || len(again) > 0 {
		t.Errorf("and once more = %v, %v; want nothing, as somebody serves it", again, err)
	}
}

// behindBreakingConnections returns the address of a database behind connections of which one breaks, once breaks is
// set, when the database has answered to a commit.
func behindBreakingConnections(t *testing.T, url string) (behind string, breaks *atomic.Bool) {
	t.Helper()
	c, err := pgconn.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	network, address := pgconn.NetworkAddress(c.Host, c.Port)
	breaks = &atomic.Bool{}
	pass := func(conn net.Conn) {
		defer conn.Close()
		to, err := net.Dial(network, address)
		if err != nil {
			return
		}
		defer to.Close()
		var broken atomic.Bool
		go func() {
			defer to.Close()
			for said := make([]byte, 64<<10); ; {
				n, err := conn.Read(said)
				if err != nil {
					return
				}
				if bytes.Contains(said[:n], []byte("commit\x00")) && breaks.CompareAndSwap(true, false) {
					broken.Store(true)
				}
				if _, err := to.Write(said[:n]); err != nil {
					return
				}
			}
		}()
		for answer := make([]byte, 64<<10); ; {
			n, err := to.Read(answer)
			if err != nil || broken.Load() {
				return
			}
			if _, err := io.Copy(conn, bytes.NewReader(answer[:n])); err != nil {
				return
			}
		}
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go pass(conn)
		}
	}()
	port := l.Addr().(*net.TCPAddr).Port
	return "postgres://" + c.User + ":" + c.Password + "@127.0.0.1:" + strconv.Itoa(port) + "/" + c.Database +
		"?sslmode=disable", breaks
}
