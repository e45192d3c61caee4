package store_test

import (
	"go/ast"
	source "go/token"
	"regexp"
	"testing"
)

// audited matches statements that change what the audit log records.
var audited = regexp.MustCompile(
	`(INSERT INTO|UPDATE|DELETE FROM)\s+(customer|account|person|credential|outlet|secret)\b`)

// unaudited are the functions that may run such a statement without an actor, each
// with the reason.
var unaudited = map[string]string{
	"MarkCredentialUsed": "that one was used is not a change by anybody",
	"lockAccount":        "changes nothing",
	"lockCustomer":       "changes nothing",
	"markRemoving":       "RemoveCustomer, which calls it, writes the entry in the same transaction",
	"addOutlet":          "SetOutlet, which calls it, writes the entry in the same transaction",
	"changeOutlet":       "SetOutlet, which calls it, writes the entry in the same transaction",
	"changeCredentials":  "SetOutlet, which calls it through both, writes the entry in the same transaction",
	"MoveClock":          "one of the steps of an advance, which AdvanceClock records as a whole",
	"OutletAnswers":      "the outlet's health, seen by the service",
	"NoteUnmade":         "the outlet's health, seen by the service",
	"setOutlet":          "steer, which calls it through both, writes the entry in the same transaction",
	"outletFailed":       "the outlet's health, seen by the service, which records that it switches the outlet off",
	"reseal":             "the same secrets under another of the operator's keys; the server logs it",
}

// TestChangesNeedAnActor holds that whoever changes settings, keys, outlets or people has to say who they are.
func TestChangesNeedAnActor(t *testing.T) {
	found := 0
	eachFunction(t, func(file string, f *ast.FuncDecl) {
		if !changesAudited(f) {
			return
		}
		found++
		if !takesActor(f) && unaudited[f.Name.Name] == "" {
			t.Errorf("%s: %s changes what the audit log records, and takes no gangway.Actor", file, f.Name.Name)
		}
	})
	if found < 10 {
		t.Errorf("only %d functions change settings, keys, outlets and people: the test looks in the wrong place",
			found)
	}
}

// changesAudited reports whether a function contains such a statement.
func changesAudited(f *ast.FuncDecl) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		text, ok := n.(*ast.BasicLit)
		found = found || ok && text.Kind == source.STRING && audited.MatchString(text.Value)
		return !found
	})
	return found
}

func takesActor(f *ast.FuncDecl) bool {
	for _, p := range f.Type.Params.List {
		if kind, ok := p.Type.(*ast.SelectorExpr); ok && kind.Sel.Name == "Actor" {
			return true
		}
	}
	return false
}
