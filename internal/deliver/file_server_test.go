package deliver_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/transport/transporttest"
)

// TestFileServerDies has a file server die again and again once a file is whole and before it has its name. In the end
// each action is one whole file under its own name, left after the one before it, and nothing lies beside them.
func TestFileServerDies(t *testing.T) { fileServerDies(t) }

// TestTrialFileServerDies has it die in many rounds.
func TestTrialFileServerDies(t *testing.T) {
	need.Trial(t)
	fileServerDies(t)
}

func fileServerDies(t *testing.T) {
	server := transporttest.ServeSFTP(t, false)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		again(t, "before a file has its name", func(t *testing.T, round round) came {
			folder := t.TempDir()
			port, dies := transporttest.Mortal(t, server.Port)
			var asking sync.Mutex
			died, most := 0, round.of(4)
			dies(func() bool {
				asking.Lock()
				defer asking.Unlock()
				unfinished, _ := filepath.Glob(filepath.Join(folder, "*.part"))
				for _, name := range unfinished {
					if doc, err := os.ReadFile(name); died < most && err == nil && json.Valid(doc) {
						died++
						return true
					}
				}
				return false
			})
			r := newPipeline(t, db, "http://127.0.0.1/")
			settings, err := json.Marshal(map[string]any{"host": "127.0.0.1", "port": port, "user": server.User,
				"host_key": server.HostKey, "path": folder})
			calltest.Done(t, err)
			secrets := calltest.Must(json.Marshal(map[string]string{"private_key": server.PrivateKey}))(t)
			change := func(old store.StoredOutlet) (gangway.Outlet, error) {
				old.Transport = gangway.Transport{Kind: "sftp", Settings: settings, Secrets: secrets}
				return old.Outlet, nil
			}
			if _, err := r.in.SetOutlet(t.Context(), storetest.Operator, gangway.DefaultOutlet, change, nil,
				r.clock.Now()); err != nil {
				t.Fatal(err)
			}
			ids := r.threeActionsEach(t, round.bookings)
			stop := r.run(t, loopback)
			r.arrives(t, ids)
			stop()
			if died == 0 {
				t.Error("the server never died")
			}
			left := calltest.Must(os.ReadDir(folder))(t)
			if len(left) != 3*len(ids) {
				t.Errorf("there are %d files; want %d", len(left), 3*len(ids))
			}
			for _, id := range ids {
				var last os.FileInfo
				for n, state := range []string{"confirmed", "issued", "cancelled"} {
					found, _ := filepath.Glob(filepath.Join(folder, id+"-"+string(rune('1'+n))+"-msg_*.json"))
					if len(found) != 1 {
						t.Fatalf("of action %d of %s there are %q; want one file", n+1, id, found)
					}
					doc, err := os.ReadFile(found[0])
					info, statErr := os.Stat(found[0])
					if err != nil || statErr != nil || !json.Valid(doc) || !strings.Contains(string(doc), `"state":"`+state) {
						t.Errorf("%s is %s, %v; want the booking as %s", found[0], doc, err, state)
					}
					if last != nil && info.ModTime().Before(last.ModTime()) {
						t.Errorf("%s was left before %s", info.Name(), last.Name())
					}
					last = info
				}
			}
			return came{3 * len(ids), died}
		})
	})
}
