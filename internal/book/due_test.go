package book

import "testing"

func TestUrgency(t *testing.T) {
	for _, tt := range []struct {
		name         string
		days, booked int
		more         Progress
		want         int
	}{
		{"nobody in three days", 3, 0, Progress{}, 2},
		{"one missing in three days", 3, 9, Progress{}, 2},
		{"nobody in five days", 5, 0, Progress{}, 2},
		{"some in five days", 5, 4, Progress{}, 1},
		{"nobody in a week", 7, 0, Progress{}, 1},
		{"some in a week", 7, 4, Progress{}, 1},
		{"nobody in two weeks", 14, 0, Progress{}, 0},
		{"everybody tomorrow", 1, 10, Progress{}, 0},
		{"everybody, and somebody whom nobody needs", 1, 10, Progress{Unneeded: 1}, 2},
		{"past", -1, 0, Progress{}, 0},
	} {
		p := tt.more
		p.On, p.Off, p.Booked = 6, 4, tt.booked
		if got := p.Urgency(tt.days); got != tt.want {
			t.Errorf("%s: %d; want %d", tt.name, got, tt.want)
		}
	}
}
