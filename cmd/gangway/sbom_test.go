package main

import (
	"database/sql"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// licences are those that a linked module may have, with words of their texts.
var licences = map[string]*regexp.Regexp{
	"Apache-2.0":   regexp.MustCompile(`Apache License,? Version 2\.0`),
	"BSD-2-Clause": regexp.MustCompile(`Redistribution and use in source and binary forms`),
	"BSD-3-Clause": regexp.MustCompile(`Neither the names? of`),
	"ISC":          regexp.MustCompile(`Permission to use, copy, modify, and(/or)? distribute this software`),
	"MIT":          regexp.MustCompile(`Permission is hereby granted, free of charge`),
	"MPL-2.0":      regexp.MustCompile(`Mozilla Public License,? [Vv]ersion 2\.0`),
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying)[^/]*$`)

// licenceOf reads the licence of a module in its folder; "" if it has none that is known.
func licenceOf(t *testing.T, dir string) string {
	t.Helper()
	found := map[string]bool{}
	for _, file := range sure(os.ReadDir(dir))(t) {
		if file.IsDir() || !licenceFile.MatchString(file.Name()) || strings.Contains(file.Name(), "3RD-PARTY") {
			continue
		}
		text := strings.Join(strings.Fields(string(sure(os.ReadFile(filepath.Join(dir, file.Name())))(t))), " ")
		for name, words := range licences {
			found[name] = found[name] || words.MatchString(text)
		}
	}
	if found["BSD-3-Clause"] {
		found["BSD-2-Clause"] = false // its text begins with the other's
	}
	maps.DeleteFunc(found, func(_ string, has bool) bool { return !has })
	return strings.Join(slices.Sorted(maps.Keys(found)), " AND ")
}

// linkedModules returns the modules that the program is linked with, and their folders.
func linkedModules(t *testing.T, tags string) map[string]string {
	t.Helper()
	list := map[string]string{}
	for line := range strings.Lines(ran(t, exec.Command("go", "list", "-deps", "-tags", tags, "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}", "."))) {
		if path, dir, ok := strings.Cut(strings.TrimSpace(line), " "); ok && path != "go:" { // a download is told
			list[path] = dir
		}
	}
	return list
}

// TestLicences holds that the licence of everything in the program is known, allowed and listed in components.txt.
func TestLicences(t *testing.T) {
	var want, got []string
	for module, dir := range linkedModules(t, "oracle") {
		licence := licenceOf(t, dir)
		if licence == "" {
			t.Errorf("the licence of %s, in %s, is not one of those that are allowed", module, dir)
		}
		want = append(want, "golang "+module+" - "+licence)
	}
	var sources strings.Builder // that say where what is no module comes from
	for _, file := range []string{"world/PROVENANCE.md", "web/access/password_rules.go"} {
		sources.Write(sure(os.ReadFile("../../internal/" + file))(t))
	}
	db := sure(sql.Open("sqlite", ":memory:"))(t)
	defer db.Close()
	var sqlite string
	must(t, db.QueryRowContext(t.Context(), `SELECT 'SQLite ' || sqlite_version()`).Scan(&sqlite))
	sources.WriteString(sqlite)
	said := strings.ReplaceAll(sources.String(), "`", "")
	for _, c := range listedComponents() {
		if c.kind == "golang" {
			got = append(got, strings.Join([]string{c.kind, c.name, c.version, c.licence}, " "))
		} else if !strings.Contains(said, c.name) || !strings.Contains(said, " "+c.version) {
			t.Errorf("%s %s is in components.txt, and neither in a list of sources nor %s", c.name, c.version, sqlite)
		}
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("components.txt does not say what is linked. Its lines of modules are to be:\n%s",
			strings.Join(want, "\n"))
	}
}

// TestSBOM holds that the program lists every module that it is linked with, with licence and checksum.
func TestSBOM(t *testing.T) {
	b := answer[struct {
		Parts []bomPart `json:"components"`
	}](t, "version", "--sbom")
	for module := range linkedModules(t, "") {
		if !slices.ContainsFunc(b.Parts, func(p bomPart) bool {
			return strings.HasPrefix(p.Ref, "pkg:golang/"+module+"@v") && len(p.Licences) == 1 && len(p.Hashes) == 1
		}) {
			t.Errorf("%s is not in it with its licence and checksum", module)
		}
	}
	if last := b.Parts[1]; last.Name != "SQLite" || last.Type != "data" || len(last.Licences) != 1 {
		t.Errorf("after Go itself it has %+v; want what is no module", last)
	}
}
