package poll

import (
	"sync"

	"gangway/internal/accept/mapping"
	"gangway/internal/gangway"
)

// programs are the mappings that were compiled lately, by what they say: compiling one takes
// longer than mapping the few records of an answer that somebody waits for.
type programs struct {
	mu   sync.Mutex
	kept map[program]*mapping.Mapping
}

type program struct {
	text string
	flow gangway.Flow
}

// programsKept is how many are kept; when there are more, all are compiled again.
const programsKept = 100

// compile returns a mapping, which several may use at the same time. Invalid: it is no program.
func (p *programs) compile(text string, flow gangway.Flow) (*mapping.Mapping, error) {
	key := program{text, flow}
	p.mu.Lock()
	found := p.kept[key]
	p.mu.Unlock()
	if found != nil {
		return found, nil
	}
	compiled, err := mapping.Compile(text, flow)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept == nil || len(p.kept) >= programsKept {
		p.kept = map[program]*mapping.Mapping{}
	}
	p.kept[key] = compiled
	return compiled, nil
}
