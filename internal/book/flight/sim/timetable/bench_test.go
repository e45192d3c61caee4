package timetable

import "testing"

// BenchmarkStart measures laying out the timetable, as every process does once.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		if _, err := build(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSheet measures laying out what leaves on a day.
func BenchmarkSheet(b *testing.B) {
	n := table(b)
	for b.Loop() {
		n.layOut(20_800)
	}
}
