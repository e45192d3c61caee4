package deliver

import "time"

const (
	// busyFor is for how long after an action what waited longer gives way, see Deliverer.busy. It rests giveWay times
	// as long as its steps take, from leastRest, which timers can tell, to mostRest after a long one.
	busyFor   = 100 * time.Millisecond
	giveWay   = 2
	leastRest = 600 * time.Microsecond
	mostRest  = 50 * time.Millisecond
)

// busy reports whether somebody is at work in this process, so that what happens now is sent now. Those of whom much
// waits are served in small parts then, as each part keeps a processor, or the database, for a while.
func (d *Deliverer) busy() bool {
	taken := d.taken.Load()
	return taken > 0 && time.Since(d.began)-time.Duration(taken) < busyFor
}

// step is called before a step in which nobody else is waited for, and done after it: while somebody is at work, what
// waits leaves one processor to what happens now, and most of the others.
func (d *Deliverer) step(now bool) (done func()) {
	if now || !d.busy() {
		return func() {}
	}
	d.steps <- struct{}{}
	began := time.Now()
	return func() {
		rest := time.Duration(d.rests.Add(int64(giveWay * time.Since(began))))
		if rest < leastRest {
			<-d.steps
			return
		}
		d.rests.Add(int64(-rest))
		time.AfterFunc(min(rest, mostRest), func() { <-d.steps })
	}
}
