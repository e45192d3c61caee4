// Command passwords makes internal/web/access/common_passwords.txt, the
// passwords that people choose most, from npm's @zxcvbn-ts/language-common.
// Run it by go generate ./internal/web/access: the same inputs give the same
// bytes.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"
)

// shortest is the shortest password that anybody may choose: shorter ones need
// no list.
const shortest = 8

func main() {
	log.SetFlags(0)
	_, self, _, _ := runtime.Caller(0)
	refdata := filepath.Join(filepath.Dir(self), "..")
	list, err := common(filepath.Join(refdata, "node_modules/@zxcvbn-ts/language-common/src/passwords.json"))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(refdata, "../../internal/web/access/common_passwords.txt"), []byte(list),
		0o644); err != nil {
		log.Fatal(err)
	}
	log.Printf("%d passwords", strings.Count(list, "\n"))
}

// common returns the passwords of a JSON list, one a line, sorted.
func common(file string) (string, error) {
	doc, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("read the passwords: %w", err)
	}
	var all []string
	if err := json.Unmarshal(doc, &all); err != nil {
		return "", fmt.Errorf("read the passwords: %w", err)
	}
	chosen := map[string]bool{}
	for _, password := range all {
		if utf8.RuneCountInString(password) >= shortest {
			chosen[strings.ToLower(password)] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(chosen)), "\n") + "\n", nil
}
