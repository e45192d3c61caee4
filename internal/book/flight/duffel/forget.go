package duffel

import (
	"encoding/json"
	"fmt"
)

// Forget removes the traveller from the document of an order that is over: the passenger
// that an offer would have been bought for, and the airline's messages. It returns nil for a
// document without any of that.
func Forget(doc []byte) ([]byte, error) {
	var r record
	if err := json.Unmarshal(doc, &r); err != nil {
		return nil, fmt.Errorf("read Duffel order: %w", err)
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
