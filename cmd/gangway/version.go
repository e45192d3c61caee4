package main

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"gangway/internal/store"
)

// release is the version of this program.
const release = "0.1.0"

type versionCommand struct {
	JSON bool `help:"Answer in JSON, for programs."`
	SBOM bool `name:"sbom" help:"List what the program was built from, with licences, as CycloneDX JSON."`
}

// A version says which program this is, and which schemas of databases it can run on.
type version struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitzero"` // the commit; "+" follows if the files were changed since
	Schema   int64  `json:"schema"`            // to which it brings databases
	From     int64  `json:"from"`              // the oldest schema that it brings there
	Admits   int64  `json:"admits"`            // the oldest schema whose programs can still run there
	Go       string `json:"go"`
}

// Run prints the version.
func (c *versionCommand) Run(t *terminal) error {
	if c.SBOM {
		return printSBOM(t.out)
	}
	v, err := thisVersion()
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(t.out, v)
	}
	v.Revision = cmp.Or(v.Revision, "unknown")
	_, err = fmt.Fprintf(t.out, `gangway %s
commit   %s
schema   %d: it brings older databases, from %d on, up to this one
admits   programs of schema %d and newer, once it has done so
built    %s
`, v.Version, v.Revision, v.Schema, v.From, v.Admits, v.Go)
	return err
}

func thisVersion() (version, error) {
	admits, err := store.Admits()
	v := version{Version: release, Schema: store.Schema(), From: store.FirstSchema, Admits: admits}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return v, err
	}
	v.Go = build.GoVersion
	changed := ""
	for _, s := range build.Settings {
		switch {
		case s.Key == "vcs.revision":
			v.Revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+"
		}
	}
	if v.Revision != "" {
		v.Revision += changed
	}
	return v, err
}
