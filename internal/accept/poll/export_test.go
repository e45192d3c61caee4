package poll

import "context"

// Occupy takes a place for an account, as a document does that takes much memory.
func (p *Poller) Occupy(ctx context.Context, account string) (leave func(), err error) {
	return p.places.Take(ctx, account, 1)
}

// OccupyLive takes a place for an account, as a long answer does that somebody waits for.
func (p *Poller) OccupyLive(ctx context.Context, account string) (leave func(), err error) {
	return p.live.room.long.Take(ctx, account, 1)
}

// OccupyShort takes what there is for an account's short answers.
func (p *Poller) OccupyShort(ctx context.Context, account string) (leave func(), err error) {
	return p.live.room.short.Take(ctx, account, shortRoom/2)
}

// AskedOfOne is how many questions of an account are with its systems at a time.
const AskedOfOne = askedOfOne

// SayLacks is what Run begins with.
func (p *Poller) SayLacks(ctx context.Context) error { return p.sayLacks(ctx) }
