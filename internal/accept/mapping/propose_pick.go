package mapping

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// passportKind finds the words for passports among the kinds of documents.
var passportKind = regexp.MustCompile(`(?i)pass|pasaporte|paspoort|paszport|^ppt?$|^p$`)

// picked is the variable of a program that has the passport among a record's documents.
const picked = "$passport"

// pick finds the passport in a list of documents: by its kind, and of several the one that is valid for longest. It
// returns the columns with those of passports in place of the list's, and what of the program picks one. Where nothing
// tells it apart the proposal says so, and the columns are without the list's.
func (p *proposing) pick(columns []*column) (made []*column, program string) {
	i := slices.IndexFunc(columns, func(c *column) bool {
		return containers[bare(plainName(c.name()))] == "passport" &&
			slices.ContainsFunc(c.lists, func(list []any) bool { return len(list) > 1 })
	})
	if i < 0 {
		return columns, ""
	}
	list := columns[i]
	made = slices.DeleteFunc(slices.Clone(columns), func(c *column) bool {
		return len(c.path) >= len(list.path) && slices.Equal(c.path[:len(list.path)], list.path)
	})
	documents, words, ends := slices.Concat(list.lists...), map[string]bool{}, ""
	var until, from *column
	is := func(any) bool { return strings.Contains(bare(list.name()), "pass") }
	for _, c := range columnsOf(documents, nil) {
		target := strings.Join(p.placeOf(c.name(), picked, "", false).path, ".")
		if target == p.target("doc_expire") && p.fits(c, target) {
			until, ends = c, p.dateExpr(c)
		}
		if target == "" && len(c.values) > 0 && besidePassport.MatchString(bare(plainName(c.name()))) &&
			p.fits(c, p.target("doc_expire")) {
			from = c
		}
		for _, v := range c.values {
			if target == "" && len(c.path) == 1 && passportKind.MatchString(v) {
				words[pathExpr(c.path)+" == "+quote(v)] = true
				is = func(d any) bool {
					document, _ := d.(map[string]any)
					return passportKind.MatchString(fmt.Sprint(document[c.name()]))
				}
			}
		}
	}
	if ends == "" || len(words) == 0 && !is(nil) {
		p.doubt(p.target("doc_number"), strings.Join(list.path, "."), "there are several documents, and nothing says "+
			"which is the passport that is valid: pick it by hand")
		return made, ""
	}
	if len(words) > 0 {
		program = " | select(" + strings.Join(sortedNames(words), " or ") + ")"
	}
	if from != nil {
		program += " | select((" + p.dateExpr(from) + ") <= (now | todate))"
	}
	ended := func(d any) bool {
		document, _ := d.(map[string]any)
		end := dateOf(fmt.Sprint(document[until.name()]), p.orderOf(until), p.now)
		return !is(d) || end < p.now.Format(time.DateOnly)
	}
	if slices.ContainsFunc(list.lists, func(l []any) bool {
		return len(slices.DeleteFunc(slices.Clone(l), ended)) > 1
	}) {
		p.doubt(p.target("doc_number"), strings.Join(list.path, "."), "somebody has two passports that have not "+
			"ended: of those that were issued the one that is valid for longest is taken")
	}
	for _, c := range columnsOf(slices.DeleteFunc(documents, func(d any) bool { return !is(d) }), nil) {
		c.path, c.in = append([]string{picked}, c.path...), nil // it is in documents, not in records
		made = append(made, c)
	}
	return made, "([" + pathExpr(list.path) + "?] | flatten | map(objects" + program + ") | sort_by(" + ends +
		") | last) as " + picked + " | "
}

// dateExpr writes the date in a column.
func (p *proposing) dateExpr(c *column) string {
	if c.share(isDay) == 1 {
		return pathExpr(c.path)
	}
	return pathExpr(c.path) + fmt.Sprintf(" | date(%q)", p.orderOf(c))
}
