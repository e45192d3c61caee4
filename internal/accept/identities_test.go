package accept

import (
	"fmt"
	"runtime"
	"testing"
)

func TestIdentities(t *testing.T) {
	const records = 300_000
	keys := make([]string, records)
	for i := range keys {
		keys[i] = fmt.Sprint("id:C", i)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	seen := newIdentities()
	for i, key := range keys {
		if seen.add(key) {
			t.Fatalf("%s is found before it was added", key)
		}
		if !seen.add(keys[i/2]) {
			t.Fatalf("%s is no longer found", keys[i/2])
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	for _, key := range keys {
		if !seen.add(key) {
			t.Fatalf("%s is not found", key)
		}
	}
	if took := int(after.HeapAlloc-before.HeapAlloc) / records; took > 14 {
		t.Errorf("they take %d bytes each; want about 10", took)
	}
}
