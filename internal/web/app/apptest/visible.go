package apptest

import (
	"fmt"
	"strconv"

	"github.com/chromedp/chromedp"
)

// VisibleRows loads the page anew in a window of that size and counts the elements that are wholly in it without
// scrolling. It waits for the first of them.
func VisibleRows(b *Tab, width, height int64, selector string) int {
	b.t.Helper()
	b.Do(chromedp.EmulateViewport(width, height))
	b.Read(`document.before = true; location.reload(); ""`)
	b.Until(fmt.Sprintf(`!document.before && document.querySelector(%q) !== null`, selector))
	n, err := strconv.Atoi(b.Read(fmt.Sprintf(`String([...document.querySelectorAll(%q)].filter(e => {
		const r = e.getBoundingClientRect();
		return r.height > 0 && r.top >= 0 && r.bottom <= innerHeight;
	}).length)`, selector)))
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}
