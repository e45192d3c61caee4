package search

import "slices"

// A tripEdges is the edges of a trip, without times.
type tripEdges struct {
	edges    [mostJoined]uint32
	n        int
	from, to uint8 // the indexes of the ends
}

// A link is an edge between a place and an end. The links of a place form a list.
type link struct {
	edge uint32
	end  uint8
	km   uint16
	next int32
}

const mostJoined = 3 // flights that are joined

// shortestTrips collects ways and keeps the shortest.
type shortestTrips struct {
	ways []tripEdges
	keys []uint64 // length and index in ways
}

func (s *shortestTrips) add(w tripEdges, length int) {
	s.keys = append(s.keys, uint64(length)<<32|uint64(len(s.ways)))
	s.ways = append(s.ways, w)
}

// first returns at most widest ways, shortest first.
func (s *shortestTrips) first(widest int) []tripEdges {
	if len(s.keys) > widest {
		// Count by length first, so that only the ways that may be kept are sorted.
		const step = 16
		var counts [1 << 12]int
		of := func(key uint64) int { return min(int(key>>32)/step, len(counts)-1) }
		for _, key := range s.keys {
			counts[of(key)]++
		}
		most, sum := 0, 0
		for sum < widest {
			sum += counts[most]
			most++
		}
		s.keys = slices.DeleteFunc(s.keys, func(key uint64) bool { return of(key) >= most })
	}
	slices.Sort(s.keys)
	list := make([]tripEdges, min(widest, len(s.keys)))
	for i := range list {
		list[i] = s.ways[uint32(s.keys[i])]
	}
	return list
}
