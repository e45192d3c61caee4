package accept

import "sync/atomic"

// Progress counts what a run does, for others who look at it meanwhile.
type Progress struct {
	Taken  atomic.Int64 // records that were read, also those that are refused
	Stored atomic.Int64 // records that are stored
}
