package mapping

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// executable is the running program, also where its file was replaced meanwhile. Files that the program was started
// with are closed when it runs another: a worker has only its pipes.
func executable() (string, error) {
	unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) // Go's own are so already
	return "/proc/self/exe", nil
}

func setNice(pid, nice int) {
	unix.Setpriority(unix.PRIO_PROCESS, pid, nice) // a worker that is not nicer works as well
}

// processorTime returns the processor time that the worker has taken since it was started.
//
// Source: clock_getcpuclockid(3): the clock of a process is its number, inverted and shifted by three, and
// CPUCLOCK_SCHED, which is 2.
func (p *process) processorTime() time.Duration {
	var at unix.Timespec
	if unix.ClockGettime(int32(^p.cmd.Process.Pid<<3|2), &at) != nil {
		return 0
	}
	return time.Duration(at.Nano())
}

// memory returns how many bytes of memory the worker has.
func (p *process) memory() int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 3 {
		return 0
	}
	resident, _ := strconv.Atoi(fields[1])
	shared, _ := strconv.Atoi(fields[2]) // the program's file
	return (resident - shared) * os.Getpagesize()
}
