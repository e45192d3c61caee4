package main

import (
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"net/url"
	"runtime/debug"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// componentList has the licence of each module that the program may be linked with, and everything else that it
// contains of others. A test holds it against the licences of the modules themselves.
//
//go:embed components.txt
var componentList string

// A component is a part of the program by somebody else.
type component struct {
	kind    string // golang, npm or generic, as in package URLs
	name    string
	version string // of a module: what it was built with
	licence string
}

// listedComponents returns the lines of componentList.
func listedComponents() (list []component) {
	for line := range strings.Lines(componentList) {
		words := strings.SplitN(strings.TrimSpace(line), " ", 4)
		if len(words) == 4 && words[0] != "#" {
			list = append(list, component{words[0], words[1], words[2], words[3]})
		}
	}
	return list
}

// A bomPart is a component as CycloneDX has it: https://cyclonedx.org/docs/1.6/json/.
type bomPart struct {
	Type     string              `json:"type"`
	Ref      string              `json:"bom-ref"`
	Name     string              `json:"name"`
	Version  string              `json:"version"`
	Hashes   []map[string]string `json:"hashes,omitempty"`
	Licences []map[string]string `json:"licenses,omitempty"`
	URL      string              `json:"purl"`
}

// part returns the part that c is. sum is a module's, as go.sum has it.
func (c component) part(kind, sum string) bomPart {
	at := "pkg:" + c.kind + "/" + strings.ReplaceAll(c.name, "@", "%40") + "@" + url.QueryEscape(c.version)
	p := bomPart{Type: kind, Ref: at, Name: c.name, Version: c.version, URL: at}
	if c.licence != "" {
		p.Licences = []map[string]string{{"expression": c.licence}}
	}
	if raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(sum, "h1:")); err == nil && len(raw) > 0 {
		p.Hashes = []map[string]string{{"alg": "SHA-256", "content": hex.EncodeToString(raw)}}
	}
	return p
}

// printSBOM prints what this program was built from.
func printSBOM(out io.Writer) error {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("this program has no build information: build it with go build")
	}
	licences, parts := map[string]string{}, []bomPart{
		component{"golang", "std", strings.TrimPrefix(build.GoVersion, "go"), "BSD-3-Clause"}.part("library", "")}
	for _, c := range listedComponents() {
		licences[c.name] = c.licence
		if c.kind != "golang" {
			parts = append(parts, c.part("data", ""))
		}
	}
	for _, m := range build.Deps {
		parts = append(parts, component{"golang", m.Path, m.Version, licences[m.Path]}.part("library", m.Sum))
	}
	return printJSON(out, map[string]any{"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{"component": component{"generic", "gangway", release, "Apache-2.0"}.part(
			"application", "")}, "components": parts}, jsontext.WithIndent("  "))
}
