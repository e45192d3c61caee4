package deliver

import "time"

// SetGrace sets for how long pushes may continue once the program is told to stop.
func (d *Deliverer) SetGrace(grace time.Duration) { d.grace = grace }
