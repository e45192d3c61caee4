package wire_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/wire"
)

// Every field of a record has a limit.
func TestRecordBounds(t *testing.T) {
	today := gangway.TodayAt(time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC))
	long := func(n int) string { return strings.Repeat("x", n) }
	many := func(n int, each func(i int) string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = each(i)
		}
		return strings.Join(list, ",")
	}
	entry := func(i int) string { return fmt.Sprintf(`"%d":""`, i) }
	requests := func(record string) *wire.Reading { return only(wire.TravelRequests(values(record))) }
	changes := func(record string) *wire.Reading { return only(wire.CrewChanges(values(record))) }
	tests := []struct {
		path, record string
		read         func(record string) *wire.Reading
	}{
		{"[0].Details.Remarks", `{"details":{"remarks":"` + long(100_001) + `"}}`, requests},
		{"[0].Hotel.Location", `{"hotel":{"location":"` + long(100_001) + `"}}`, requests},
		{"[0].ExternalInfo.AdditionalInfo", `{"externalInfo":{"additionalInfo":{` + many(1001, entry) + `}}}`,
			requests},
		{"[0].ExternalInfo.AdditionalInfo", `{"externalInfo":{"additionalInfo":{"` + long(256) + `":""}}}`, requests},
		{"[0].ExternalInfo.AdditionalInfo.x", `{"externalInfo":{"additionalInfo":{"x":"` + long(100_001) + `"}}}`,
			requests},
		{"[0].Flight.IntermediateAirports", `{"flight":{"intermediateAirports":[` + many(51, func(int) string {
			return "{}"
		}) + `]}}`, requests},
		{"[0]", `{"x":"` + long(256<<10) + `"}`, requests},
		{"[0].Onsigners[0].CustomFields", `{"onsigners":[{"custom_fields":{` + many(1001, entry) + `}}]}`, changes},
	}
	for _, tt := range tests {
		problems := tt.read(tt.record).Problems
		if len(problems.Fields[tt.path]) == 0 {
			t.Errorf("%.60s… = %v; want it refused at %s", tt.record, problems.Err(), tt.path)
			continue
		}
		for path := range problems.Fields {
			if len(path) > 400 {
				t.Errorf("a path of %d bytes", len(path))
			}
		}
	}

	t.Run("a crew change with too many people is not kept in memory", func(t *testing.T) {
		record := `{"onsigners":[` + many(10_001, func(int) string {
			return `{"custom_fields":{` + many(50, entry) + `}}`
		}) + `]}`
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		problems := changes(record).Problems
		runtime.ReadMemStats(&after)
		if len(problems.Fields["[0].Onsigners"]) == 0 {
			t.Fatalf("problems: %v; want it refused at [0].Onsigners", problems.Fields)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > uint64(len(record))+1<<20 {
			t.Errorf("reading took %d bytes for a record of %d", took, len(record))
		}
	})

	t.Run("an overlong field of a hand-off is cut, with a note", func(t *testing.T) {
		h, err := wire.ReadHandoff(map[string][]string{"vessel": {long(3000)}, "onsigners[0][custom_fields][" +
			long(300) + "]": {long(3000)}}, today)
		if err != nil || len(h.Change.Vessel) != 2000 || len(h.Notes) != 2 {
			t.Fatalf("vessel of %d, notes %q, %v; want 2,000 and two notes", len(h.Change.Vessel), h.Notes, err)
		}
		for name, value := range h.Change.OnSigners[0].CustomFields {
			if len(name) != 255 || len(value) != 2000 {
				t.Errorf("a custom field of %d and %d bytes; want 255 and 2,000", len(name), len(value))
			}
		}
	})
}
