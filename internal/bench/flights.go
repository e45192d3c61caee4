package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/sim"
	"gangway/internal/gangway"
	"gangway/internal/world"
)

// The limits for searching the simulated network, in processor time on one core.
const (
	searches     = 2000
	searchMedian = 5 * time.Millisecond
	searchWorst  = 40 * time.Millisecond // for the 99th percentile
	crewLists    = 150 * time.Millisecond
	crewReach    = 25 * time.Millisecond
	coldDate     = 200 * time.Millisecond
	firstAnswer  = 500 * time.Millisecond
	mostMemory   = 150 // MB resident
	mostDates    = 8
)

// homes are where the forty people of a crew change live.
var homes = eightyHomes[:40]

// eightyHomes are twice as many, to see how the cost grows.
var eightyHomes = strings.Fields("MNL CEB ILO DVO BOM DEL COK MAA VTZ KRK GDN WAW SZZ TBS BUS OTP VAR ZAG SPU RIX " +
	"TLL CAI CMB DAC RGN HAN SGN PVG DLC TAO XMN CGK SUB LOS ACC ABZ SVG BGO LIM GUA " +
	"BCD KLO GES TAG CGY HYD CCU GOI TRV IXE WRO POZ KTW RZE KUT EVN SOF BOJ IAS CLJ DBV BEG VNO KUN ALG CMN TUN JED " +
	"KHI LHE PNH VTE CTU CAN CEI PEN UPG ABJ DSS BOG")

// measureFlights measures the simulated network: one traveller, a crew change of forty, who can
// be there at all, a date that was not searched before, and how the cost grows.
func measureFlights(ctx context.Context, _ place, _ scale) ([]line, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	network, err := sim.New(sim.Config{Now: time.Now})
	if err != nil {
		return nil, err
	}
	b := &flightBench{ctx: ctx, supplier: network.For(nil, 0), day: gangway.DateOf(time.Now()).AddDays(40)}
	var lines []line
	for _, measure := range []func() ([]line, error){b.one, b.crew, b.cold, b.growth, b.process} {
		more, err := measure()
		if err != nil {
			return nil, err
		}
		lines = append(lines, more...)
	}
	return lines, nil
}

type flightBench struct {
	ctx      context.Context
	supplier flight.Supplier
	day      gangway.Date
}

// between returns a request for a day between two places.
func (b *flightBench) between(from, to gangway.Place, on gangway.Date) (flight.Ask, error) {
	legs, err := flight.LegsOf([]gangway.Leg{{Origin: from, Destination: to, ArriveOn: on}})
	return flight.Ask{Legs: legs, Vessel: "Nordlys", Flag: "NO", MaxStops: -1}, err
}

func (b *flightBench) search(ask flight.Ask) (time.Duration, error) {
	return processor(func() error { return b.supplier.Search(b.ctx, ask, func([]flight.Offer) {}) })
}

// processor returns the processor time that do takes, of all threads.
func processor(do func() error) (time.Duration, error) {
	begin, err := used()
	if err != nil {
		return 0, err
	}
	if err := do(); err != nil {
		return 0, err
	}
	end, err := used()
	return end - begin, err
}

func used() (time.Duration, error) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0, fmt.Errorf("processor time: %w", err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), nil
}

// one measures one traveller between airports chosen by their traffic.
func (b *flightBench) one() ([]line, error) {
	chance := rand.New(rand.NewPCG(7, 11)) // the same pairs each time
	pick := byTraffic(chance)
	var asks []flight.Ask
	for len(asks) < searches {
		from, to := pick(), pick()
		if from == to {
			continue
		}
		ask, err := b.between(gangway.Place(from), gangway.Place(to), b.day)
		if err != nil {
			return nil, err
		}
		asks = append(asks, ask)
	}
	for _, ask := range asks[:100] { // warm
		if _, err := b.search(ask); err != nil {
			return nil, err
		}
	}
	took := make([]time.Duration, len(asks))
	for i, ask := range asks {
		var err error
		if took[i], err = b.search(ask); err != nil {
			return nil, err
		}
	}
	slices.Sort(took)
	return []line{
		within("flights: one traveller, priced, p50", took[len(took)/2], searchMedian),
		within("flights: one traveller, priced, p99", took[len(took)*99/100], searchWorst),
	}, nil
}

// byTraffic returns a function that picks airports in proportion to their traffic.
func byTraffic(chance *rand.Rand) func() string {
	var codes []string
	var upTo []int
	sum := 0
	for _, a := range world.Airports() {
		if a.Scheduled && a.Country != "UA" {
			sum += max(a.Passengers, 1)
			codes, upTo = append(codes, a.IATA), append(upTo, sum)
		}
	}
	return func() string {
		i, _ := slices.BinarySearch(upTo, chance.IntN(sum)+1)
		return codes[i]
	}
}

// ports are where crews change.
var ports = []gangway.Place{"SGSIN", "NLRTM", "USHOU", "BRRIO", "AOLAD", "AEFJR", "PABLB"}

// crew measures forty travellers to one port: all their offers, and who can be there at all.
func (b *flightBench) crew() ([]line, error) {
	scout, ok := b.supplier.(flight.Scout)
	if !ok {
		return nil, fmt.Errorf("the simulated network does not say who can get there")
	}
	var lists, reach time.Duration
	for _, port := range ports {
		asks, err := b.crewTo(port, homes, b.day)
		if err != nil {
			return nil, err
		}
		all, err := leastOf(5, func() (time.Duration, error) { return b.searchAll(asks) })
		if err != nil {
			return nil, err
		}
		who, err := leastOf(5, func() (time.Duration, error) {
			return processor(func() error { _, err := scout.Reach(b.ctx, asks); return err })
		})
		if err != nil {
			return nil, err
		}
		lists, reach = max(lists, all), max(reach, who)
	}
	return []line{
		within("flights: 40 to one port, all offers (dearest of 7 ports)", lists, crewLists),
		within("flights: 40 to one port, who can be there", reach, crewReach),
	}, nil
}

func (b *flightBench) crewTo(port gangway.Place, from []string, on gangway.Date) ([]flight.Ask, error) {
	var asks []flight.Ask
	for _, home := range from {
		ask, err := b.between(gangway.Place(home), port, on)
		if err != nil {
			return nil, err
		}
		asks = append(asks, ask)
	}
	return asks, nil
}

func (b *flightBench) searchAll(asks []flight.Ask) (time.Duration, error) {
	return processor(func() error {
		for _, ask := range asks {
			if err := b.supplier.Search(b.ctx, ask, func([]flight.Offer) {}); err != nil {
				return err
			}
		}
		return nil
	})
}

// leastOf returns the shortest of several tries, because the network is not to blame for other
// work on the machine.
func leastOf(tries int, try func() (time.Duration, error)) (time.Duration, error) {
	least := time.Duration(1<<63 - 1)
	for range tries {
		took, err := try()
		if err != nil {
			return 0, err
		}
		least = min(least, took)
	}
	return least, nil
}

// cold measures the first search and the first check of who can be there, on dates not searched before.
func (b *flightBench) cold() ([]line, error) {
	scout := b.supplier.(flight.Scout)
	worst := time.Duration(0)
	for i := range 5 {
		asks, err := b.crewTo("NLRTM", homes[:1], b.day.AddDays(20*(i+1)))
		if err != nil {
			return nil, err
		}
		ask := func() error {
			if _, err := scout.Reach(b.ctx, asks); err != nil {
				return err
			}
			return b.supplier.Search(b.ctx, asks[0], func([]flight.Offer) {})
		}
		first, err := processor(ask)
		if err != nil {
			return nil, err
		}
		again, err := leastOf(5, func() (time.Duration, error) { return processor(ask) })
		if err != nil {
			return nil, err
		}
		worst = max(worst, first-again)
	}
	return []line{within("flights: a date's first search, over later ones (worst of 5)", worst, coldDate)}, nil
}

// growth measures eight times as many travellers, and sixteen times as many airports on a side.
func (b *flightBench) growth() ([]line, error) {
	cost := func(asks []flight.Ask) (time.Duration, error) {
		return leastOf(7, func() (time.Duration, error) { return b.searchAll(asks) })
	}
	eighty, err := b.crewTo("NLRTM", eightyHomes, b.day)
	if err != nil {
		return nil, err
	}
	var lines []line
	for n := 10; 2*n <= len(eighty); n *= 2 {
		var apart, together time.Duration
		for range 15 { // in turns, so that garbage collection slows both alike
			half, err := b.searchAll(eighty[:n])
			if err != nil {
				return nil, err
			}
			other, err := b.searchAll(eighty[n : 2*n])
			if err != nil {
				return nil, err
			}
			all, err := b.searchAll(eighty[:2*n])
			if err != nil {
				return nil, err
			}
			apart, together = apart+half+other, together+all
		}
		lines = append(lines, line{
			measure: fmt.Sprintf("flights: %d travellers, against %d and %d", 2*n, n, n), floor: apart, ours: together,
			ratio: float64(together) / float64(apart), target: 1.1, atMost: true,
		})
	}
	sides := strings.Fields("AMS BRU DUS LHR CDG FRA HAM BRE LGW ORY EIN RTM CGN STN LUX ANR")
	wide := func(n int) (time.Duration, error) {
		var asks []flight.Ask
		for _, home := range homes[:10] {
			ask, err := b.between(gangway.Place(home), "AMS", b.day)
			if err != nil {
				return 0, err
			}
			ask.Legs[0].To = nil
			for _, code := range sides[:n] {
				ask.Legs[0].To = append(ask.Legs[0].To, flight.End{Airport: gangway.Airport(code)})
			}
			asks = append(asks, ask)
		}
		return cost(asks)
	}
	alone, err := wide(1)
	if err != nil {
		return nil, err
	}
	for n := 2; n <= len(sides); n *= 2 {
		took, err := wide(n)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line{
			measure: fmt.Sprintf("flights: %d airports on a side, against %d searches", n, n), floor: time.Duration(n) *
				alone, ours: took,
			ratio: float64(took) / float64(time.Duration(n)*alone), target: 0.99, atMost: true,
		})
	}
	return lines, nil
}

// childTask tells a process started by process what to do.
const childTask = "GANGWAY_BENCH_CHILD"

// process measures separate processes: from start to a first answer, and the resident memory
// with eight dates in use.
func (b *flightBench) process() ([]line, error) {
	first, err := leastOf(5, func() (time.Duration, error) {
		child, err := startChild(b.ctx, "answer")
		if err != nil {
			return 0, err
		}
		return child.ProcessState.UserTime() + child.ProcessState.SystemTime(), nil
	})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if _, err := startChild(b.ctx, "memory", &out); err != nil {
		return nil, err
	}
	mb, err := strconv.Atoi(strings.TrimSpace(out.String()))
	if err != nil {
		return nil, fmt.Errorf("memory of a process: %w", err)
	}
	return []line{
		within("flights: a process's start to its first answer", first, firstAnswer),
		{measure: "flights: resident memory, eight dates in use", got: fmt.Sprintf("%d MB", mb),
			want: fmt.Sprintf("≤ %d MB", mostMemory), ok: mb <= mostMemory},
	}, nil
}

func startChild(ctx context.Context, task string, out ...*bytes.Buffer) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), childTask+"="+task)
	cmd.Stderr = os.Stderr
	if len(out) > 0 {
		cmd.Stdout = out[0]
	}
	return cmd, cmd.Run()
}

// child does the task of a process started by process.
func child(ctx context.Context, task string) error {
	switch task {
	case pullTask:
		return withProfile(func() error { return answerPulls(ctx) })
	case pullFloorTask:
		return withProfile(answerPullFloor)
	case feedTask:
		return answerFeed(ctx)
	case documentTask:
		return answerDocument(ctx)
	case reportTask, reportFloorTask:
		return withProfile(func() error { return answerReport(ctx, task == reportFloorTask) })
	}
	network, err := sim.New(sim.Config{Now: time.Now})
	if err != nil {
		return err
	}
	b := &flightBench{ctx: ctx, supplier: network.For(nil, 0), day: gangway.DateOf(time.Now()).AddDays(40)}
	if task == "answer" {
		ask, err := b.between("MNL", "NLRTM", b.day)
		if err != nil {
			return err
		}
		return b.supplier.Search(ctx, ask, func([]flight.Offer) {})
	}
	scout, ok := b.supplier.(flight.Scout)
	for i := range mostDates {
		asks, err := b.crewTo("NLRTM", homes, b.day.AddDays(10*i))
		if err != nil {
			return err
		}
		if ok {
			if _, err := scout.Reach(ctx, asks); err != nil {
				return err
			}
		}
		if _, err := b.searchAll(asks); err != nil {
			return err
		}
	}
	mb, err := resident()
	fmt.Println(mb)
	return err
}

// resident returns the resident memory of this process, in MB.
func resident() (int, error) {
	kb, err := statusKB("/proc/self/status", "VmRSS:")
	return (kb + 1023) / 1024, err
}
