package store_test

import (
	"go/ast"
	"go/parser"
	source "go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestTheAccountLeads holds that every statement in the store's sources looks for an account's rows by the account
// first, and that every transaction is one account's, except in what storetest.AcrossAccounts lists.
func TestTheAccountLeads(t *testing.T) {
	tables := map[string]bool{}
	for _, name := range store.JudgedColumns() {
		if table, ok := strings.CutSuffix(name, ".account"); ok {
			tables[table] = true
		}
	}
	found, statements := map[string]string{}, 0
	files := sure(filepath.Glob("*.go"))(t)
	for _, file := range append(files, "internal/lease/lease.go") {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed := sure(parser.ParseFile(source.NewFileSet(), file, nil, 0))(t)
		in, name := strings.TrimSuffix(filepath.Base(file), ".go")+".", ""
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				name = n.Name.Name
			case *ast.GenDecl:
				if v, ok := n.Specs[0].(*ast.ValueSpec); ok && slices.Contains(parsed.Decls, ast.Decl(n)) {
					name = v.Names[0].Name
				}
			case *ast.SelectorExpr:
				of, field := n.X.(*ast.SelectorExpr)
				variable, ok := n.X.(*ast.Ident)
				if (field && of.Sel.Name == "db" || ok && variable.Name == "db") && n.Sel.Name == "write" ||
					n.Sel.Name == "inPortions" {
					found[in+name] = "a transaction that is not Scoped's, which refuses if the account was removed"
				}
			case ast.Expr:
				text, ok := constantText(n)
				if ok && isStatement.MatchString(text) {
					statements++
					if table := pastTheAccount(text, tables); table != "" {
						found[in+name] = table + " in " + strings.Join(strings.Fields(text), " ")
					}
				}
				return !ok
			}
			return true
		})
	}
	if statements < 400 || len(tables) < 40 {
		t.Errorf("%d statements on %d tables: the test looks in the wrong place", statements, len(tables))
	}
	onlyListed(t, found, storetest.AcrossAccounts)
}

// onlyListed compares what was found, each with what it does, with the lists of what may do so.
func onlyListed(t *testing.T, found, lists map[string]string) {
	t.Helper()
	for _, list := range lists {
		for _, name := range strings.Fields(list) {
			if _, ok := found[name]; !ok {
				t.Errorf("storetest lists %s, which is not across accounts", name)
			}
			delete(found, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		t.Errorf("%s is across accounts, and storetest does not list it: %s", name, found[name])
	}
}

var isStatement = regexp.MustCompile(`(?m)^\s*(WITH|SELECT|INSERT INTO|UPDATE|DELETE FROM)\b`)

// constantText returns the text of a literal, or of a sum with one, in which all else is %s.
func constantText(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == source.STRING
	case *ast.BinaryExpr:
		left, one := constantText(e.X)
		right, other := constantText(e.Y)
		return left + right, e.Op == source.ADD && (one || other)
	}
	return " %s ", false
}

var (
	statementWords = regexp.MustCompile(`'[^']*'|[()]|[A-Za-z_%$][\w.%$\[\]]*`)
	accountColumn  = regexp.MustCompile(`^([a-z_]+\.)?(of_)?account$`)
)

// pastTheAccount returns a table of accounts that a statement does not look up by the account. A table that is put in
// when the statement runs counts as one.
func pastTheAccount(text string, tables map[string]bool) (past string) {
	type query struct {
		from  string // the last of its tables of accounts
		need  int    // how many there are
		names int    // how many conditions name the account
		led   bool   // the first condition does, or it begins with what a query in it has found
		is    string // the keyword that is read
	}
	words, outer, q := statementWords.FindAllString(text, -1), []query(nil), query{led: true}
	words = append(words, "", "", "", "UNION") // ends the last query
	for i, w := range words[:len(words)-3] {
		next := words[min(i+1, len(words)-1)]
		ofAccount := tables[next] || strings.HasPrefix(next, "%")
		if i == len(words)-4 {
			w = "UNION"
		}
		switch {
		case w == "(":
			outer, q = append(outer, q), query{led: true, is: q.is}
		case w == ")" && len(outer) > 0 || w == "UNION":
			if q.need > q.names || q.need > 0 && !q.led {
				past = q.from
			}
			inner := q
			if q = (query{led: true}); w == ")" {
				outer, q = outer[:len(outer)-1], outer[len(outer)-1]
			}
			if inner.need == 0 { // brackets in a condition
				q.names += inner.names
			}
		case w == "INTO" && ofAccount && !accountColumn.MatchString(words[i+3]):
			past = next
		case w == "UPDATE" && i > 0 && slices.Contains([]string{"FOR", "KEY", "DO"}, words[i-1]):
		case (w == "FROM" || w == "JOIN" || w == "UPDATE") && ofAccount:
			q.from, q.need, q.led, q.is = next, q.need+1, q.led && w == "JOIN", w
		case w == "WHERE":
			first := strings.Trim(strings.Join(words[i+1:i+4], " "), "( ")
			first, _, _ = strings.Cut(first, " ")
			q.led, q.is = q.led || accountColumn.MatchString(first), w
		case w == "ON":
			q.is = w
		case accountColumn.MatchString(w) && (q.is == "WHERE" || q.is == "ON"):
			q.names++
		}
	}
	return past
}

// TestEveryKeyBeginsWithTheAccount holds that every table has the account, and that its keys, indexes and references
// begin with it, except what storetest.KeysAcrossAccounts lists.
func TestEveryKeyBeginsWithTheAccount(t *testing.T) {
	found := map[string]string{}
	for _, name := range texts(t, raw(t, storetest.PostgresURL(t)), `
		WITH named AS (
			SELECT c.oid, c.relname AS name, a.attnum AS account
			FROM pg_class c
			LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account'
			WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace)
		SELECT name FROM named WHERE account IS NULL
		UNION ALL
		SELECT i.relname FROM named JOIN pg_index x ON x.indrelid = named.oid JOIN pg_class i ON i.oid = x.indexrelid
		WHERE x.indkey[0] <> account
		UNION ALL
		SELECT c.conname FROM named JOIN pg_constraint c ON c.conrelid = named.oid AND c.contype = 'f'
		WHERE c.conkey[1] <> account`) {
		found[name] = "a table, key, index or reference"
	}
	onlyListed(t, found, storetest.KeysAcrossAccounts)
}
