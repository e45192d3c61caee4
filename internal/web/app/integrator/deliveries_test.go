package integrator

import "testing"

// A list of deliveries is summed up by the states of those that are in it, whichever were asked for.
func TestCountedDeliveries(t *testing.T) {
	for _, tt := range []struct {
		states []string
		cut    bool
		want   string
	}{
		{[]string{"parked"}, false, "1 delivery, parked"},
		{[]string{"delivered", "delivered"}, false, "2 deliveries, all delivered"},
		{[]string{"waiting", "waiting"}, true, "the latest 2 deliveries, all waiting"},
		{[]string{"waiting", "delivered", "parked", "delivered"}, false,
			"4 deliveries: 2 delivered, 1 waiting, 1 parked"},
	} {
		l := accountLog{Show: allDeliveries, Cut: tt.cut}
		for _, state := range tt.states {
			l.Deliveries = append(l.Deliveries, deliveryRow{State: state})
		}
		if got := l.Counted(); got != tt.want {
			t.Errorf("%q are %q; want %q", tt.states, got, tt.want)
		}
	}
}
