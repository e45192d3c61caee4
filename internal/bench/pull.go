package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
)

// What a pull may cost, however much is waiting behind it.
const (
	pullPage   = 10_000 // bookings
	pullLater  = 2.0    // how much longer the last page may take than the first
	pullShare  = 0.40   // of the floor's throughput that pulls have at least
	pullMemory = 64     // MB above the server's memory at rest
	eachWaits  = 3      // actions of each booking
	pullWarm   = 3      // requests before anything is measured
)

// measurePull pulls everything that waits, page by page, from a server in a separate process, whose memory is then not
// that of the caller; and each page again from the floor, in a process of its own.
func measurePull(ctx context.Context, p place, s scale) ([]line, error) {
	up, err := newUploader(ctx, p)
	if err != nil {
		return nil, err
	}
	defer up.close()
	if err := fillWaiting(ctx, up.url, up.in.Scope().Account, s.waiting/eachWaits); err != nil {
		return nil, fmt.Errorf("fill: %w", err)
	}
	server, err := servePulls(ctx, p, s, pullTask, up.url)
	if err != nil {
		return nil, err
	}
	defer server.end()
	floor, err := servePulls(ctx, p, s, pullFloorTask, up.url)
	if err != nil {
		return nil, err
	}
	defer floor.end()
	ours := func(query string) (more bool, err error) { return server.get(ctx, "/bookings"+query, up.key) }
	bare := func(query string) (more bool, err error) {
		return floor.get(ctx, "/?account="+up.in.Scope().Account+query, "")
	}
	for range pullWarm { // makes the connections without pulling anything
		if _, err := ours("?pull=last"); err != nil {
			return nil, err
		}
		if _, err := bare(""); err != nil {
			return nil, err
		}
	}
	rest, err := privateMemory(server.cmd.Process.Pid)
	if err != nil {
		return nil, err
	}
	most := watchMemory(server.cmd.Process.Pid)
	var pages, barePages []time.Duration
	for more := true; more; {
		name := fmt.Sprintf("page-%d", len(pages))
		began := time.Now()
		if more, err = ours(fmt.Sprintf("?pull=%s&limit=%d", name, pullPage)); err != nil {
			return nil, err
		}
		pages = append(pages, time.Since(began))
		began = time.Now()
		if _, err := bare("&pull=" + name); err != nil {
			return nil, err
		}
		barePages = append(barePages, time.Since(began))
	}
	peak, err := most()
	if err != nil {
		return nil, err
	}
	first, last := pages[0], pages[len(pages)-1]
	grown := (peak - rest + 1023) / 1024
	return []line{
		{
			measure: fmt.Sprintf("pull: last of %d pages, against the first", len(pages)), floor: first, ours: last,
			ratio: float64(last) / float64(first), target: pullLater, atMost: true, spread: "median " +
				short(median(slices.Clone(pages))),
		},
		speed(fmt.Sprintf("pull: each of %d pages of %d bookings", len(pages), pullPage), pullShare, barePages, pages),
		{
			measure: fmt.Sprintf("pull: memory over rest, %d actions", s.waiting), got: fmt.Sprintf("+%d MB", grown),
			want: fmt.Sprintf("≤ +%d MB", pullMemory), ok: grown <= pullMemory, spread: fmt.Sprintf("%d MB at rest",
				rest/1024),
		},
	}, nil
}

// fillWaiting makes bookings with three actions each that wait to be pulled, with the same
// result as recording them one by one.
func fillWaiting(ctx context.Context, url, account string, bookings int) error {
	fill, err := newBareFill(ctx, url)
	if err != nil {
		return err
	}
	defer fill.close()
	began := time.Now().Add(-24 * time.Hour)
	columns := strings.Fields("account booking seq name at by_whom note snapshot")
	const atOnce = 2000
	for from := 0; from < bookings; from += atOnce {
		var actions, waiting [][]any
		for n := from; n < min(from+atOnce, bookings); n++ {
			b := bookingOf(n, began)
			at := began.Add(time.Duration(n) * time.Millisecond).UnixMilli()
			for i, state := range []gangway.State{gangway.Confirmed, gangway.Issued, gangway.RefundPending} {
				b.State, b.Version = state, i+1
				snapshot, err := json.Marshal(b)
				if err != nil {
					return err
				}
				actions = append(actions, []any{account, b.ID, i + 1, string(state), at, b.CreatedBy, "",
					string(snapshot)})
			}
			waiting = append(waiting, []any{account, b.ID, 1, eachWaits, at, at})
		}
		if err := fill.insert(ctx, "action", columns, actions); err != nil {
			return err
		}
		if err := fill.insert(ctx, "waiting", strings.Fields("account booking from_seq to_seq since latest"),
			waiting); err != nil {
			return err
		}
	}
	return nil
}

// bookingOf invents the booking number n: two flights to a ship.
func bookingOf(n int, at time.Time) gangway.Booking {
	leaves := at.AddDate(0, 1, n%28)
	flight := func(carrier, number string, from, to gangway.Airport, after, takes time.Duration) gangway.Segment {
		return gangway.Segment{
			Carrier: carrier, FlightNumber: number, Operator: carrier, Origin: from, Destination: to,
			Departure: leaves.Add(after), Arrival: leaves.Add(after + takes),
			DestinationTerminal: "1", Cabin: "economy", Aircraft: "77W", DistanceKm: 6000, CO2eKg: 412.5,
			CO2eRFKg: 698.1,
		}
	}
	return gangway.Booking{
		ID: fmt.Sprintf("bkg_%026d", n), Locator: fmt.Sprintf("%06d", n), Passenger: crewMember(n),
		PricedItinerary: gangway.PricedItinerary{
			Itinerary: gangway.Itinerary{Segments: []gangway.Segment{
				flight("EK", "EK335", "MNL", "DXB", 0, 9*time.Hour),
				flight("EK", "EK147", "DXB", "AMS", 12*time.Hour, 7*time.Hour),
			}},
			Baggage: []gangway.Allowance{{Origin: "MNL", Destination: "DXB", Pieces: 2, WeightKg: 23},
				{Origin: "DXB", Destination: "AMS", Pieces: 2, WeightKg: 23}},
			Price: gangway.Price{Total: gangway.Money{Minor: 70082, Currency: "USD"}},
		},
		Tickets:  []string{fmt.Sprintf("9999%09d", n)},
		Supplier: "simulated", Order: fmt.Sprintf("ord_%d", n), Plating: "EK",
		Purpose: gangway.Purpose{
			Search: "srch_1", Change: "id:CC-1", Side: "onsigner", Airport: "AMS", Date: gangway.DateOf(leaves),
			Vessel: "Nordlys", Flag: "NO", TravelRequestID: "CC-1",
			Metadata: map[string]string{"rank": "2/O", "cost_centre": fmt.Sprint(n % 40)},
		},
		CreatedAt: at, CreatedBy: "ines.paredes@halcyon.example", CreatedByName: "Ines Paredes",
	}
}

// A pullServer is a separate process that serves the integration surface.
type pullServer struct {
	*childServer
	client *http.Client
}

const (
	pullTask      = "pulls"
	pullFloorTask = "pulls floor"
	childDatabase = "GANGWAY_BENCH_DATABASE" // for a child process to use
)

// servePulls starts one, or the floor. What is compared is not compressed by either.
func servePulls(ctx context.Context, p place, s scale, task, url string) (*pullServer, error) {
	child, err := serveTask(ctx, p, s, task, url)
	return &pullServer{child, &http.Client{Transport: &http.Transport{DisableCompression: true}}}, err
}

// answerPulls is what the process of a pullServer does, until its standard input ends.
func answerPulls(ctx context.Context) error {
	db, err := store.Open(ctx, os.Getenv(childDatabase))
	if err != nil {
		return err
	}
	defer db.Close()
	surface, logged := serveAPI(ctx, db, os.Stderr)
	defer logged()
	return serveUntilTold(func(string) (http.Handler, error) { return surface, nil })
}

// get requests bookings, discards the answer, and reports whether more are waiting.
func (s *pullServer) get(ctx context.Context, address, key string) (more bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address+address, nil)
	if err != nil {
		return false, err
	}
	r.Header.Set("X-Api-Key", key)
	w, err := s.client.Do(r)
	if err != nil {
		return false, err
	}
	defer w.Body.Close()
	if w.StatusCode != http.StatusOK {
		return false, fmt.Errorf("pull: %s", w.Status)
	}
	_, err = io.Copy(io.Discard, w.Body)
	return w.Header.Get("Pull-More") == "true", err
}

// watchMemory returns a function that ends the watch and returns the peak of a process's memory,
// in KB.
func watchMemory(pid int) (most func() (int, error)) {
	var peak int
	var failed error
	ended, watching := make(chan struct{}), sync.WaitGroup{}
	watching.Go(func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			kb, err := privateMemory(pid)
			if peak = max(peak, kb); err != nil {
				failed = err
			}
			select {
			case <-ended:
				return
			case <-tick.C:
			}
		}
	})
	return func() (int, error) {
		close(ended)
		watching.Wait()
		return peak, failed
	}
}

// privateMemory returns how much memory of a process does not belong to a file, in KB.
func privateMemory(pid int) (int, error) {
	return statusKB(fmt.Sprintf("/proc/%d/status", pid), "RssAnon:")
}

// statusKB reads a figure from a process's status file.
func statusKB(file, name string) (int, error) {
	status, err := os.ReadFile(file)
	if err != nil {
		return 0, fmt.Errorf("memory of a process: %w", err)
	}
	for l := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(l, name); ok {
			return strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(kb), "kB")))
		}
	}
	return 0, fmt.Errorf("memory of a process: %s does not say %s", file, name)
}
