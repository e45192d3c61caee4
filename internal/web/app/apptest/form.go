package apptest

import (
	"html"
	"net/url"
	"regexp"
	"strings"
)

var (
	anyField = regexp.MustCompile(`(?s)<(input|select|textarea)\b([^>]*)>(?:(.*?)</(?:select|textarea)>)?`)
	chosen   = regexp.MustCompile(`<option value="([^"]*)" selected\b`)
	anyName  = regexp.MustCompile(`\bname="([^"]*)"`)
	anyValue = regexp.MustCompile(`\bvalue="([^"]*)"`)
	anyType  = regexp.MustCompile(`\btype="([^"]*)"`)
	option   = regexp.MustCompile(`<option value="([^"]*)"`)
)

// Sent is what a browser would send of the form for action: all its fields as they stand, without a button.
func (a Answer) Sent(action string) url.Values {
	a.t.Helper()
	written := strings.ReplaceAll(html.EscapeString(action), "+", "&#43;") // as templates write attributes
	_, rest, found := strings.Cut(a.Body, `action="`+written+`"`)
	if !found {
		a.t.Fatalf("the page %s has no form for %s:\n%s", a.Path, action, a.Body)
	}
	inside, _, _ := strings.Cut(rest, "</form>")
	form := url.Values{}
	for len(inside) > 0 {
		at := anyField.FindStringSubmatchIndex(inside)
		if at == nil {
			break
		}
		tag, attributes := inside[at[2]:at[3]], inside[at[4]:at[5]]
		end := at[5] + 1
		within := ""
		if tag != "input" {
			within, _, _ = strings.Cut(inside[end:], "</"+tag+">")
			end += len(within)
		}
		inside = inside[end:]
		first := func(e *regexp.Regexp, in string) string {
			if found := e.FindStringSubmatch(in); found != nil {
				return html.UnescapeString(found[1])
			}
			return ""
		}
		name, value := first(anyName, attributes), first(anyValue, attributes)
		switch kind := first(anyType, attributes); {
		case name == "", kind == "file", kind == "submit":
			continue
		case (kind == "checkbox" || kind == "radio") && !strings.Contains(attributes, " checked"):
			continue
		case tag == "textarea":
			value = html.UnescapeString(strings.TrimPrefix(within, "\n"))
		case tag == "select":
			if value = first(chosen, within); !strings.Contains(within, " selected") {
				value = first(option, within)
			}
		}
		form.Add(name, value)
	}
	return form
}
