package shell

import (
	"fmt"
	"html/template"
	"sync"
	"time"
)

// aheadPages are the pages for accounts whose clock was moved forward, each made when it is first shown: few
// accounts have such a clock, and each move of it makes another.
type aheadPages struct {
	read map[string]func(now func() time.Time) (*template.Template, error) // by page, of those that go by that clock

	mu   sync.Mutex
	made map[aheadPage]*template.Template
}

// An aheadPage is a page, and by how much the clock by which it goes is ahead.
type aheadPage struct {
	name string
	by   time.Duration
}

// aheadKept is how many are kept at most.
const aheadKept = 100

// page returns a page by the clock of an account.
func (sh *Shell) page(name string, ahead time.Duration) (*template.Template, error) {
	set, ok := sh.pages[name]
	if !ok {
		return nil, fmt.Errorf("show page: there is no template %q", name)
	}
	read := sh.ahead.read[name]
	if ahead == 0 || read == nil {
		return set, nil
	}
	sh.ahead.mu.Lock()
	defer sh.ahead.mu.Unlock()
	key := aheadPage{name, ahead}
	if set, ok := sh.ahead.made[key]; ok {
		return set, nil
	}
	set, err := read(func() time.Time { return sh.Now().Add(ahead) })
	if err != nil {
		return nil, fmt.Errorf("read template %s: %w", name, err)
	}
	if len(sh.ahead.made) >= aheadKept || sh.ahead.made == nil {
		sh.ahead.made = map[aheadPage]*template.Template{}
	}
	sh.ahead.made[key] = set
	return set, nil
}
