package web

import "sync"

// Places bound what is under way at a time, of one client and of all. It is the
// caller who names clients, and who says what is refused.
type Places struct {
	each, all int
	mu        sync.Mutex
	taken     map[string]int
	total     int
}

// NewPlaces returns so many places in all, and so many for each client.
func NewPlaces(each, all int) *Places {
	return &Places{each: each, all: all, taken: map[string]int{}}
}

// Take takes a place for client. Where there is none it reports which of the
// two bounds was reached: that of the client, or that of all.
func (p *Places) Take(client string) (ok, ofAll bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[client] >= p.each {
		return false, false
	}
	if p.total >= p.all {
		return false, true
	}
	p.taken[client]++
	p.total++
	return true, false
}

// Leave gives a place of client back.
func (p *Places) Leave(client string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[client]--; p.taken[client] == 0 {
		delete(p.taken, client)
	}
	p.total--
}
