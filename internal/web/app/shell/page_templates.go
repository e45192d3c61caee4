package shell

import (
	"fmt"
	"html/template"
	"sync"
	"time"
)

// pageTemplates are the templates of pages. Each is parsed when it is first shown, so that a program starts at once,
// and again for each clock that was moved forward, which few accounts have.
type pageTemplates struct {
	of map[string]pageSource // by page

	mu   sync.Mutex
	made map[pageAhead]*template.Template
}

// A pageSource parses a page.
type pageSource struct {
	timed bool // it goes by the clock of the account that it shows, and not by real time
	parse func(now func() time.Time) (*template.Template, error)
}

// A pageAhead is a page, and by how much the clock by which it goes is ahead of real time.
type pageAhead struct {
	name string
	by   time.Duration
}

// pagesKept is how many are kept at most: there are about 100 pages.
const pagesKept = 200

// page returns a page by the clock of an account.
func (sh *Shell) page(name string, ahead time.Duration) (*template.Template, error) {
	source, ok := sh.templates.of[name]
	if !ok {
		return nil, fmt.Errorf("show page: there is no template %q", name)
	}
	if !source.timed {
		ahead = 0
	}
	sh.templates.mu.Lock()
	defer sh.templates.mu.Unlock()
	key := pageAhead{name, ahead}
	if set, ok := sh.templates.made[key]; ok {
		return set, nil
	}
	set, err := source.parse(func() time.Time { return sh.Now().Add(ahead) })
	if err != nil {
		return nil, fmt.Errorf("read template %s: %w", name, err)
	}
	if len(sh.templates.made) >= pagesKept || sh.templates.made == nil {
		sh.templates.made = map[pageAhead]*template.Template{}
	}
	sh.templates.made[key] = set
	return set, nil
}
