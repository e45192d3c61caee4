package accept

import (
	"hash/maphash"
	"math/bits"
)

// Identities remember which records of a document were taken in, by a 64-bit hash of each identity. In
// one of forty million documents of a million records, two different identities have the same hash.
// They take 10 bytes of memory a record, where a map takes 40, and grow in small steps, so that the
// copy made while growing is small.
type identities struct {
	seed   maphash.Seed
	shards [256]shard
}

// A shard is a hash table with linear probing. 0 is an empty slot.
type shard struct {
	slots []uint64
	used  int
}

func newIdentities() *identities { return &identities{seed: maphash.MakeSeed()} }

// add adds an identity and reports whether it was there before.
func (s *identities) add(key string) (there bool) {
	hash := maphash.String(s.seed, key)
	return s.shards[hash%uint64(len(s.shards))].add(max(hash, 1))
}

// has reports whether an identity is there.
func (s *identities) has(key string) bool {
	hash := maphash.String(s.seed, key)
	sh := &s.shards[hash%uint64(len(s.shards))]
	return len(sh.slots) > 0 && sh.slots[sh.find(max(hash, 1))] != 0
}

func (s *shard) add(hash uint64) (there bool) {
	if s.used*20 >= len(s.slots)*17 {
		fuller := s.slots
		s.slots = make([]uint64, len(fuller)+len(fuller)/5+8)
		for _, h := range fuller {
			if h != 0 {
				s.slots[s.find(h)] = h
			}
		}
	}
	at := s.find(hash)
	if s.slots[at] == hash {
		return true
	}
	s.slots[at] = hash
	s.used++
	return false
}

// find returns the slot that has a hash, or the empty slot for it.
func (s *shard) find(hash uint64) int {
	place, _ := bits.Mul64(hash, uint64(len(s.slots)))
	at := int(place)
	for s.slots[at] != 0 && s.slots[at] != hash {
		if at++; at == len(s.slots) {
			at = 0
		}
	}
	return at
}
