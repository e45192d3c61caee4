package poll_test

import (
	"encoding/json"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/transport/transporttest"
)

// Addresses of databases that could be set once, and lead elsewhere than to their host, lead nowhere: the feed's next
// run, and whoever has it asked, is told the setting, and nothing is connected to.
func TestStoredAddressThatLeadsElsewhere(t *testing.T) {
	folder := t.TempDir()
	var reached atomic.Int64
	socket, err := net.Listen("unix", filepath.Join(folder, ".s.PGSQL.5432"))
	must(t, err)
	defer socket.Close()
	go func() {
		for {
			conn, err := socket.Accept()
			if err != nil {
				return
			}
			reached.Add(1)
			conn.Close()
		}
	}()
	port := transporttest.Listen(t, func(net.Conn) { reached.Add(1) })
	at := fmt.Sprintf("127.0.0.1:%d", port)
	d := newDesk(t, storetest.New(t))
	for _, address := range []string{
		"postgres://u@" + at + "/crew?host=" + folder, "postgres://u@" + at + "/crew?host=127.0.0.1",
		"postgres://u@" + at + "/crew?hostaddr=127.0.0.1", "postgres://u@" + at + "," + at + "/crew",
		"mysql://u@" + at + "/crew?socket=" + folder + "/.s.PGSQL.5432", "oracle://u@" + at + "/crew?SERVER=" + at,
		"sqlserver://u@" + at + "/crew?server=" + at,
	} {
		settings, err := json.Marshal(map[string]any{"url": address, "query": "SELECT 1 AS id", "tls": false})
		must(t, err)
		for _, flow := range []gangway.Flow{gangway.TravellersFlow, gangway.TravellerLookupFlow} {
			d.set(flow, "", func(f *gangway.Feed) {
				f.Transport = gangway.Transport{Kind: "database", Settings: settings,
					Secrets: gangway.SecretSettings(`{"password":"tide-tables"}`)}
			})
			d.later(time.Hour)
			if said := d.says(flow); !strings.HasPrefix(said, "url ") || strings.Contains(said, "tide") {
				t.Errorf("%s, %s: it says %q; want the setting named", address, flow, said)
			}
		}
	}
	if n := reached.Load(); n > 0 {
		t.Errorf("%d connections were made", n)
	}
}
