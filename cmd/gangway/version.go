package main

import (
	"fmt"
	"runtime/debug"

	"gangway/internal/store"
)

type versionCommand struct {
	JSON bool `help:"Answer in JSON, for programs."`
}

// version says which program this is, as recorded by the Go tool.
type version struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitzero"`
	Schema   int64  `json:"schema"` // of the databases that it makes
	Go       string `json:"go"`
}

// Run prints the version.
func (c *versionCommand) Run(t *terminal) error {
	v := thisVersion()
	if c.JSON {
		return printJSON(t.out, v)
	}
	_, err := fmt.Fprintf(t.out, "gangway %s (schema %d, %s)\n", v.Version, v.Schema, v.Go)
	return err
}

func thisVersion() version {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return version{Version: "unknown", Schema: store.Schema()}
	}
	v := version{Version: build.Main.Version, Schema: store.Schema(), Go: build.GoVersion}
	for _, s := range build.Settings {
		if s.Key == "vcs.revision" {
			v.Revision = s.Value
		}
	}
	return v
}
