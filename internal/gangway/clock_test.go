package gangway

import "testing"

func TestMinuteOfDay(t *testing.T) {
	for clock, want := range map[string]int{"00:00": 0, "00:01": 1, "08:30": 510, "19:05": 1145, "20:00": 1200,
		"23:59": 1439} {
		if got, ok := MinuteOfDay(clock); !ok || got != want {
			t.Errorf("MinuteOfDay(%q) = %d, %v; want %d", clock, got, ok, want)
		}
	}
	for _, clock := range []string{
		"", "8:30", "24:00", "23:60", "29:00", "30:00", "0x:00", "1z:30", "2/:5/", "+1:30", "-1:30", "12:+5", "12:-5",
		"12.30", "1230", "12:30:00", " 2:30", "１2:30",
	} {
		if got, ok := MinuteOfDay(clock); ok {
			t.Errorf("MinuteOfDay(%q) = %d; want none", clock, got)
		}
	}
}
