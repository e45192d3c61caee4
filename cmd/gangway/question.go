package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// askQuestion returns the answer of somebody at a terminal, and whether there is anybody.
// When told to stop, the program does not wait for the answer.
func askQuestion(t *terminal, question string) (answer string, there bool) {
	file, ok := t.in.(*os.File)
	if !ok {
		return "", false
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return "", false
	}
	if nothing, err := os.Stat(os.DevNull); err == nil && os.SameFile(info, nothing) {
		return "", false // a device, but not a terminal with a person
	}
	fmt.Fprint(t.err, question)
	typed := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(t.in).ReadString('\n')
		typed <- line
	}()
	select {
	case line := <-typed:
		if !strings.HasSuffix(line, "\n") {
			fmt.Fprintln(t.err) // the input ended on the question's line
		}
		return strings.TrimSpace(line), true
	case <-t.ctx.Done():
		fmt.Fprintln(t.err)
		return "", true
	}
}

// askYes asks a question that is answered with yes or no, and nothing but yes is one.
func askYes(t *terminal, question string) (yes, there bool) {
	typed, there := askQuestion(t, question+" [y/N] ")
	typed = strings.ToLower(typed)
	return typed == "y" || typed == "yes", there
}
