//go:build unix

package store

import "golang.org/x/sys/unix"

// mayWrite returns why this user may not read and write a file, or work in a
// folder, as the system tells: without rights, or on a file system that is
// read-only. A file that does not exist is no obstacle.
func mayWrite(name string) error {
	if err := unix.Access(name, unix.R_OK|unix.W_OK); err != unix.ENOENT {
		return err
	}
	return nil
}
