package gangway

import (
	"testing"
	"time"
)

func TestDeliveryWaits(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	later := now.Add(5 * time.Second)
	head, behind := DeliveryPlace{Seq: 2, First: 2, Due: now}, DeliveryPlace{Seq: 2, First: 1, Due: later}
	for _, tt := range []struct {
		name   string
		outlet Outlet
		place  DeliveryPlace
		want   string
	}{
		{"nothing keeps it", Outlet{}, head, ""},
		{"it failed, and is due again", Outlet{}, DeliveryPlace{Seq: 1, First: 1, Tries: 1, Due: now}, ""},
		{"it failed", Outlet{}, DeliveryPlace{Seq: 1, First: 1, Tries: 1, Due: later},
			"it is tried again at 23 Nov 09:00:05 UTC"},
		{"an earlier action waits", Outlet{}, behind, "action 1 comes first"},
		{"an earlier action waits, and nothing is wanted", Outlet{HeldUntil: later}, behind, "action 1 comes first"},
		{"its system asked for time", Outlet{HeldUntil: later}, head,
			"nothing is sent there until 23 Nov 09:00:05 UTC"},
		{"its system asked for time until now", Outlet{HeldUntil: now}, head, ""},
		{"paused", Outlet{Paused: true, HeldUntil: later}, behind, "the outlet is paused"},
		{"switched off, and paused", Outlet{Paused: true, Off: true}, behind, "the outlet is switched off"},
		{"several go together", Outlet{Batch: time.Hour}, behind, "it goes with others at 23 Nov 09:00:05 UTC"},
	} {
		if got := tt.outlet.deliveryWaits(tt.place, now).String(); got != tt.want {
			t.Errorf("%s: it waits because %q; want %q", tt.name, got, tt.want)
		}
	}
}

func TestSentFrom(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	for want, o := range map[string]Outlet{"": {}, "once the outlet is resumed": {Paused: true},
		"once the outlet is switched on again":                          {Off: true, Paused: true},
		"from 23 Nov 09:00:05 UTC on: nothing is sent there until then": {HeldUntil: now.Add(5 * time.Second)}} {
		if got := o.SentFrom(now); got != want {
			t.Errorf("what is sent again at %+v goes out %q; want %q", o, got, want)
		}
	}
}
