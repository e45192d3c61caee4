package timetable

import "testing"

// One operation builds the timetable, as every process does once.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		if _, err := build(); err != nil {
			b.Fatal(err)
		}
	}
}

// One operation makes the sheet of a day.
func BenchmarkSheet(b *testing.B) {
	n := table(b)
	for b.Loop() {
		n.layOut(20_800)
	}
}
