//go:build unix

package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// terminalWidth is how many letters a line of the terminal has; 0: out is none, or does not know.
func terminalWidth(out io.Writer) int {
	file, is := out.(*os.File)
	if !is {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(file.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}

// fileLimit is how many files the process may have open; 0: that is not known.
func fileLimit() uint64 {
	var limit unix.Rlimit
	_ = unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) // which leaves 0 if it fails
	return uint64(limit.Cur)
}

// diskSpace is how much room the disk of a folder has for this user, and how large it is; 0: that is not known.
func diskSpace(folder string) (free, size uint64) {
	var disk unix.Statfs_t
	if err := unix.Statfs(folder, &disk); err != nil {
		return 0, 0
	}
	return uint64(disk.Bavail) * uint64(disk.Bsize), uint64(disk.Blocks) * uint64(disk.Bsize)
}
