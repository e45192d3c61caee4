//go:build unix

package gate

import "golang.org/x/sys/unix"

// mayWrite returns why the system does not let this user read and write a file,
// or work in a folder: for lack of permission, or because the file system is
// read-only. A missing file is no obstacle.
func mayWrite(name string) error {
	if err := unix.Access(name, unix.R_OK|unix.W_OK); err != unix.ENOENT {
		return err
	}
	return nil
}
