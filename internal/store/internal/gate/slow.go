package gate

import (
	"context"
	"log/slog"
	"regexp"
	"strings"
	"time"
)

// A slowLog tells which statements take long. The zero value tells of none.
type slowLog struct {
	from time.Duration // 0: never
	log  *slog.Logger
}

// TellSlow has statements logged that take at least as long.
func (g *Guard) TellSlow(from time.Duration, log *slog.Logger) { g.slow = slowLog{from, log} }

// statementWords is how many bytes of a statement are logged.
const statementWords = 120

var literal = regexp.MustCompile(`'[^']*'`)

// note logs a statement that took long: its first words, without literals. Its arguments are never logged.
func (s slowLog) note(ctx context.Context, statement string, took time.Duration) {
	if s.from == 0 || took < s.from {
		return
	}
	words := strings.Join(strings.Fields(literal.ReplaceAllString(statement, "'…'")), " ")
	if len(words) > statementWords {
		words = strings.ToValidUTF8(words[:statementWords], "") + "…"
	}
	s.log.WarnContext(ctx, "a statement was slow", "statement", words, "took", took)
}
