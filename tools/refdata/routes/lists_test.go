package main

import "testing"

// TestListsAreFlyable checks that the typed lists contain no flight that nobody may operate.
func TestListsAreFlyable(t *testing.T) {
	n, err := load("data")
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range n.hubs {
		for _, code := range h.typed {
			to := n.byCode[code]
			if to == nil {
				continue
			}
			if !open(h.at, to) || !n.may(h.carrier.Code, h.at, to) {
				t.Errorf("%s@%s: no right to fly to %s", h.carrier.Code, h.at.IATA, code)
			}
			if !n.gone.serves(h.carrier.Code, code) {
				t.Errorf("%s@%s: the airline has left %s", h.carrier.Code, h.at.IATA, code)
			}
		}
	}
	for _, h := range n.someone {
		for _, code := range h.typed {
			if to := n.byCode[code]; !open(h.at, to) {
				t.Errorf("X@%s: nobody may fly to %s", h.at.IATA, code)
			}
		}
	}
}
