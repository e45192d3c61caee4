package duffel

import (
	"encoding/json"
	"fmt"
)

// Forget takes who travels from the document of an order that is over: what an
// offer would have been bought with, and what the airline had to say. It
// returns nothing for a document in which there is nobody.
func Forget(doc []byte) ([]byte, error) {
	var r record
	if err := json.Unmarshal(doc, &r); err != nil {
		return nil, fmt.Errorf("read an order of duffel's: %w", err)
	}
	if r.Buy == nil && r.Never == "" && r.Seen.Reason == "" && r.Seen.Notice == nil {
		return nil, nil
	}
	if r.Buy != nil {
		buy := *r.Buy
		buy.Passenger = passenger{}
		r.Buy = &buy
	}
	if r.Never != "" {
		r.Never = "nothing was booked: search again"
	}
	r.Seen.Reason, r.Seen.Notice = "", nil
	return json.Marshal(r)
}
