package store_test

import (
	"go/ast"
	"go/parser"
	source "go/token"
	"path/filepath"
	"strings"
	"testing"
)

// eachFunction calls look with every function of the store, and the file it is in.
func eachFunction(t *testing.T, look func(file string, f *ast.FuncDecl)) {
	t.Helper()
	files := sure(filepath.Glob("*.go"))(t)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed := sure(parser.ParseFile(source.NewFileSet(), file, nil, 0))(t)
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				look(file, f)
			}
		}
	}
}
