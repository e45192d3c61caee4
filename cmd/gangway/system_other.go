//go:build !unix

package main

import "io"

// terminalWidth is how many letters a line of the terminal has; 0: that is not known here.
func terminalWidth(io.Writer) int { return 0 }

// fileLimit is how many files the process may have open; 0: that is not known here.
func fileLimit() uint64 { return 0 }
