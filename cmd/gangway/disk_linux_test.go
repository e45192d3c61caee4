package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"gangway/internal/need"
)

// smallDisk returns a folder on a separate small disk. That needs root.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	folder := shortFolder(t)
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, size); err != nil {
		need.Root(t, fmt.Errorf("a small disk cannot be mounted: %w", err))
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	return folder
}

// fill writes to a file until the disk is full.
func fill(t *testing.T, name string) {
	t.Helper()
	f, err := os.Create(name)
	must(t, err)
	defer f.Close()
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
}

// A loopDisk is a disk in a file that can break: then it becomes read-only, as the system does with a
// failing disk.
type loopDisk struct {
	t             *testing.T
	image, folder string
}

func newLoopDisk(t *testing.T) *loopDisk {
	t.Helper()
	home := t.TempDir()
	d := &loopDisk{t: t, image: filepath.Join(home, "image"), folder: filepath.Join(home, "disk")}
	must(t, os.Mkdir(d.folder, 0o700))
	must(t, os.WriteFile(d.image, nil, 0o600))
	must(t, os.Truncate(d.image, 256<<20))
	for _, command := range [][]string{{"mkfs.ext4", "-q", d.image}, {"mount", "-o", "loop", d.image, d.folder}} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			need.Root(t, fmt.Errorf("a disk that can break cannot be made: %s: %w %s", command[0], err, out))
		}
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", d.folder).Run() })
	return d
}

// breakOff makes the disk read-only while it is in use. Programs that are writing have to be held
// meanwhile: ext4 reports data that is being synchronised at that moment as written, and loses it.
func (d *loopDisk) breakOff() { ran(d.t, exec.Command("mount", "-o", "remount,abort", d.folder)) }

// repair does what an operator does once nobody uses the disk any more.
func (d *loopDisk) repair() {
	ran(d.t, exec.Command("umount", d.folder))
	_ = exec.Command("fsck.ext4", "-p", d.image).Run() // says by its status that it repaired something
	ran(d.t, exec.Command("mount", "-o", "loop", d.image, d.folder))
}

// held does something while no thread of the program runs or waits for the disk.
func (p *program) held(do func()) {
	p.t.Helper()
	defer p.cmd.Process.Signal(syscall.SIGCONT)
	p.cmd.Process.Signal(syscall.SIGSTOP)
	eventually(p.t, "every thread stands still", func() bool {
		threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.cmd.Process.Pid))
		return err == nil && !slices.ContainsFunc(threads, func(file string) bool {
			doc, err := os.ReadFile(file)
			return err == nil && !strings.Contains(string(doc), ") T ")
		})
	})
	do()
}
