package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"gangway/internal/program"
)

// The table is between these lines of the page.
const (
	tableBegins = "<!-- The table below is written by make bench. -->\n"
	tableEnds   = "<!-- The table above is written by make bench. -->\n"
)

// writePage writes the results into a page, between its markers.
func writePage(ctx context.Context, page string, chosen []measurement, results map[[2]string]result) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, begins := bytes.Cut(text, []byte(tableBegins))
	_, after, ends := bytes.Cut(rest, []byte(tableEnds))
	if !begins || !ends {
		return errors.New(page + " has no markers for the table")
	}
	commit, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty", "--abbrev=8").Output()
	if err != nil {
		return fmt.Errorf("read the commit: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s, %d cores, %s, %s, commit %s.\n\n", processor(), runtime.NumCPU(), runtime.Version(),
		time.Now().Format("2 January 2006"), bytes.TrimSpace(commit))
	b.WriteString("| line | what is timed |")
	for _, kind := range program.Kinds {
		fmt.Fprintf(&b, " %s: yardstick | Gangway | ratio |", kind)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("--:|--:|--:|", len(program.Kinds)))
	for _, m := range chosen {
		fmt.Fprintf(&b, "\n| %s | %s |", m.name, m.timed)
		for _, kind := range program.Kinds {
			if r, measured := results[[2]string{m.name, kind}]; measured {
				fmt.Fprintf(&b, " %s | %s | %.4f |", short(r.yardstick), short(r.ours), r.ratio)
			} else {
				b.WriteString(" – | – | – |")
			}
		}
	}
	b.WriteString("\n\n")
	return os.WriteFile(page, []byte(string(before)+tableBegins+b.String()+tableEnds+string(after)), 0o644)
}

// processor returns the model of this machine's processor, as Linux names it.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, model, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(model)
		}
	}
	return runtime.GOARCH
}
