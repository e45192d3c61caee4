// Package size counts the source text of the repository: lines, files, exported names and types, by folder.
package size

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Row is what a folder or a kind of file holds. Code, Tests, Comments and Blanks are lines: a line with a token is
// Code or Tests, whatever comment follows on it.
type Row struct {
	Name     string
	Files    int
	Code     int // lines of the program and its tools
	Tests    int // lines of tests and of packages made for tests
	Comments int
	Blanks   int
	Exported int // exported names of the code: functions, methods, types, constants, variables
	Types    int // named types of the code
}

// add adds o to r, but for its name.
func (r *Row) add(o Row) {
	r.Files, r.Code, r.Tests = r.Files+o.Files, r.Code+o.Code, r.Tests+o.Tests
	r.Comments, r.Blanks = r.Comments+o.Comments, r.Blanks+o.Blanks
	r.Exported, r.Types = r.Exported+o.Exported, r.Types+o.Types
}

// A Count is the size of a repository.
type Count struct {
	Total   Row
	Folders []Row // Go by folder, by name
	Others  []Row // what is not Go: by kind, in lines that are not blank, in Code
}

// Of counts the repository in the folder root. Files that say that they were generated, and what tests read, are left
// out.
func Of(root string) (Count, error) {
	folders, others := map[string]*Row{}, map[string]*Row{}
	into := func(rows map[string]*Row, name string, r Row) {
		if rows[name] == nil {
			rows[name] = &Row{Name: name}
		}
		rows[name].add(r)
	}
	c := Count{Total: Row{Name: "total"}}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if strings.HasPrefix(name, ".") && path != root || slices.Contains(skipped, name) {
				return fs.SkipDir
			}
			return nil
		}
		kind, goes := kinds[filepath.Ext(name)]
		if !goes {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if rel = filepath.ToSlash(rel); kind != "" {
			into(others, kind, Row{Files: 1, Code: filled(string(text))})
			return nil
		}
		row, err := ofGo(rel, text)
		if err != nil || row.Files == 0 {
			return err
		}
		into(folders, folderOf(rel), row)
		c.Total.add(row)
		return nil
	})
	c.Folders, c.Others = sorted(folders), sorted(others)
	return c, err
}

// skipped are folders with what others wrote, what tests read, or what was generated.
var skipped = []string{"node_modules", "testdata", "dist"}

// kinds are the files that are counted, by their ending; Go has no kind.
var kinds = map[string]string{".go": "", ".html": "templates", ".css": "styles", ".js": "scripts", ".mjs": "scripts",
	".sql": "SQL"}

// folderOf returns the folder that a file is counted in: the one below internal, or the top one.
func folderOf(path string) string {
	parts := strings.Split(path, "/")
	switch {
	case len(parts) == 1:
		return "."
	case parts[0] == "internal" && len(parts) > 2:
		return "internal/" + parts[1]
	default:
		return parts[0]
	}
}

// ofGo counts a file of Go; a generated one is an empty row.
func ofGo(path string, text []byte) (Row, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(file) {
		return Row{}, err
	}
	r := Row{Files: 1}
	code, comments := linesOf(text)
	all := strings.Count(string(text), "\n")
	r.Comments, r.Blanks = comments, all-code-comments
	if strings.HasSuffix(path, "_test.go") || forTests(filepath.ToSlash(filepath.Dir(path))) {
		r.Tests = code
		return r, nil
	}
	r.Code = code
	ast.Inspect(file, func(n ast.Node) bool {
		if _, is := n.(*ast.TypeSpec); is {
			r.Types++
		}
		return true
	})
	for _, d := range file.Decls {
		for _, name := range namesOf(d) {
			if ast.IsExported(name) {
				r.Exported++
			}
		}
	}
	return r, nil
}

// forTests reports whether a folder holds a package that only tests use.
func forTests(folder string) bool {
	for part := range strings.SplitSeq(folder, "/") {
		if strings.HasSuffix(part, "test") || part == "need" || part == "house" {
			return true
		}
	}
	return false
}

// linesOf returns how many lines of Go have a token on them, and how many have only a comment.
func linesOf(text []byte) (code, comments int) {
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, scanner.ScanComments)
	has := map[int]bool{} // line → whether it has a token that is no comment
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		first := file.Line(pos)
		for n := range strings.Count(lit, "\n") + 1 {
			has[first+n] = has[first+n] || tok != token.COMMENT
		}
	}
	for _, is := range has {
		if is {
			code++
		} else {
			comments++
		}
	}
	return code, comments
}

// namesOf returns the names that a declaration makes.
func namesOf(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// filled returns how many lines of a text are not blank.
func filled(text string) (n int) {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

func sorted(rows map[string]*Row) (list []Row) {
	for _, r := range rows {
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b Row) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
