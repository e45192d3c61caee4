package poll

import "context"

// Occupy takes a place for an account, as a document does that takes much memory.
func (p *Poller) Occupy(ctx context.Context, account string) (leave func(), err error) {
	return p.places.take(ctx, account)
}
