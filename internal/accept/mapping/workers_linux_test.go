package mapping

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// inherited are the files that this test program was started with.
var inherited = func() map[string]bool {
	links := map[string]bool{}
	files, _ := filepath.Glob("/proc/self/fd/*")
	for _, f := range files {
		if to, err := os.Readlink(f); err == nil {
			links[to] = true
		}
	}
	return links
}()

func TestWorkerHasNothingOfTheServer(t *testing.T) {
	t.Setenv("GANGWAY_SECRET", "anchor")
	file, err := os.Open(os.Args[0])
	must(t, err)
	defer file.Close()
	p, err := startProcess(10)
	must(t, err)
	defer p.end()
	frame, _, err := asking(`1`).encode()
	must(t, err)
	must(t, did(p.in.Write(frame)))
	if _, err := readFrame(p.out); err != nil { // it has begun
		t.Fatal(err)
	}
	of := filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid))
	environment, err := os.ReadFile(filepath.Join(of, "environ"))
	if err != nil || len(environment) > 0 {
		t.Errorf("its environment is %q, %v; want none", environment, err)
	}
	files, err := filepath.Glob(filepath.Join(of, "fd", "*"))
	must(t, err)
	for _, f := range files {
		to, err := os.Readlink(f)
		switch n := filepath.Base(f); {
		case err != nil:
		case n == "2" && to != os.DevNull, n == "0" && to[:5] != "pipe:", n == "1" && to[:5] != "pipe:":
			t.Errorf("its file %s is %s", n, to)
		case len(n) == 1 && n <= "2", inherited[to], strings.HasPrefix(to, "anon_inode:"),
			strings.HasPrefix(to, "/sys/fs/cgroup/"): // the runtime's own
		default:
			t.Errorf("it has %s beside its pipes", to)
		}
	}
}
