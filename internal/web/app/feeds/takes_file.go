package feeds

import "strings"

// TakesFile reports whether an address takes a form with a file in it: a sample to set a feed up by,
// or a document for one.
func TakesFile(path string) bool {
	rest, ours := strings.CutPrefix(path, "/settings/feeds/")
	name, page, _ := strings.Cut(rest, "/")
	return ours && (rest == "new" || name != "" && (page == "edit" || page == "upload"))
}
