//go:build !unix

package main

import "io"

// terminalWidth is how many letters a line of the terminal has; 0: that is not known here.
func terminalWidth(io.Writer) int { return 0 }

// fileLimit is how many files the process may have open; 0: that is not known here.
func fileLimit() uint64 { return 0 }

// diskSpace is how much room the disk of a folder has, and how large it is; 0: that is not known here.
func diskSpace(string) (free, size uint64) { return 0, 0 }
