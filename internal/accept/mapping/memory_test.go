package mapping

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/need"
)

// mostHeld is what docs/mappings.md says that a program may take, with what lies between two looks at it.
const mostHeld = 256 << 20

// TestProgramsThatEatMemory runs programs that each make the interpreter take memory in another way, and watches how
// much of it the process has from the system.
func TestProgramsThatEatMemory(t *testing.T) {
	eatMemory(t, `getpath([range(1e7)])`, `reduce range(60) as $i ([1]; . + .)`, `[limit(1e9; repeat("x" * 1e5))] | join(",")`, `[range(1e6)] | implode`,
		`("x" * 15e6) | explode`, `("x" * 16e6) | @text "\(.)\(.)\(.)\(.)"`, `("a," * 5e6) | [splits(",")]`)
}

// TestTrialProgramsThatEatMemory runs one that takes long until it has taken so much, for which getpath stands in every
// change.
func TestTrialProgramsThatEatMemory(t *testing.T) {
	need.Trial(t)
	eatMemory(t, `null | setpath([range(1e7) | "a"]; 1)`)
}

func eatMemory(t *testing.T, programs ...string) {
	for _, program := range programs {
		t.Run(program, func(t *testing.T) {
			m, err := Compile(program, gangway.TravellersFlow)
			if err != nil {
				t.Fatal(err)
			}
			took := heldFromSystem(t, func() {
				made(t, m, open(t, `[{"a":1}]`, gangway.DocumentFormat{}), gangway.Ask{})
			})
			t.Logf("it took %d MB", took>>20)
			if took > mostHeld {
				t.Errorf("it took %d MB; want at most %d", took>>20, mostHeld>>20)
			}
		})
	}
}

// What others have left behind, and is not collected yet, is no room for a program.
func TestRestIsWhatIsInUse(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	before := inUse()
	for range 10 {
		left = make([]byte, 10<<20)
	}
	left = nil
	m := newMeter(t.Context(), nil)
	m.look()
	if m.rest > before+lightGrowth {
		t.Errorf("a program starts at %d MB; want at most %d", m.rest>>20, (before+lightGrowth)>>20)
	}
}

var left []byte

// heldFromSystem returns how many bytes of memory, about, the process had from the system at most while f ran, above
// what it had before: values, what is left of others, and what is kept for the next.
func heldFromSystem(t *testing.T, f func()) int64 {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // as gangway serve does
	debug.FreeOSMemory()
	held := func() int64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"},
			{Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64() + sample[1].Value.Uint64() + sample[2].Value.Uint64())
	}
	before, done, most := held(), make(chan struct{}), make(chan int64)
	go func() {
		look := time.NewTicker(time.Millisecond)
		defer look.Stop()
		for peak := int64(0); ; peak = max(peak, held()-before) {
			select {
			case <-done:
				most <- peak
				return
			case <-look.C:
			}
		}
	}()
	f()
	close(done)
	return <-most
}
