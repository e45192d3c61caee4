//go:build !linux

package mapping

import (
	"os"
	"time"
)

func executable() (string, error) { return os.Executable() }

func setNice(int, int) {}

// started is when the program began: elsewhere than on Linux a worker's time is that of the clock on the wall.
var started = time.Now()

func (p *process) processorTime() time.Duration { return time.Since(started) }

func (p *process) memory() int { return 0 }
