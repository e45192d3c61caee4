package accept

import (
	"hash/maphash"
	"math/bits"
)

// Identities remember which records of a document were taken, by 64 bits of each
// identity: two that differ are taken for one in one of forty million documents
// of a million records. They take 10 bytes of memory a record, where a map takes
// 40, and grow little by little, so that there is never much beside them.
type identities struct {
	seed   maphash.Seed
	shards [256]shard
}

// A shard is a table of hashes, each as near behind its place as there was room. 0 is none.
type shard struct {
	slots []uint64
	used  int
}

func newIdentities() *identities { return &identities{seed: maphash.MakeSeed()} }

// add adds an identity and reports whether it was there.
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

// find returns where a hash is, or where there is room for it.
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
