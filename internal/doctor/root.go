package doctor

import (
	"fmt"
	"strings"
)

// A part is a part of the interface that was examined, and the fault of its first answer; empty: it had none.
type part struct{ id, fault string }

// The faults of a first answer that are not the flow's.
const (
	faultNoConnection = "no connection"
	faultUntrusted    = "untrusted"
	faultLate         = "late"
)

// faultOf sorts a call that had no answer that could be read: calls of the same sort fail for the same reason.
func (e *examination) faultOf(c *Call) string {
	h := e.hostOf(c)
	switch {
	case c.answered() && (c.Part != "b5" || c.accepted()):
		return ""
	case c.status == 0 && h != nil && h.untrusted != nil && h.certificate == nil:
		return faultUntrusted
	case c.status == 0 && h != nil && !h.connected:
		return faultNoConnection
	case c.timedOut:
		return faultLate
	case c.status >= 300:
		return statusWords(c.status)
	}
	return c.Error
}

func statusWords(status int) string { return fmt.Sprintf("status %d", status) }

// because says that a check could not be judged, and which other check tells why. What was
// found before stays.
func (c *Check) because(root, detail string) {
	if c.Verdict == Fine && len(c.Findings) == 0 {
		c.Verdict, c.Because, c.detail = NotTried, root, detail
	}
}

// tellOnce has each fault told once. Where no flow could be asked, the host or its certificate is
// to be mended; where all of them fail alike, the first tells it; and where a flow failed as an
// earlier one did now and then, that one does.
func (e *examination) tellOnce() {
	alike := len(e.parts) > 1
	for _, p := range e.parts {
		alike = alike && p.fault != "" && p.fault == e.parts[0].fault
	}
	for i, p := range e.parts {
		c := e.find(p.id + ".answer")
		if p.fault == "" || c.Verdict != Wrong {
			continue
		}
		root, detail := e.unsteady[p.fault], ""
		switch {
		case p.fault == faultNoConnection:
			root = "host.connection"
		case p.fault == faultUntrusted:
			root = "tls.certificate"
		case root == "" && alike && i > 0:
			root, detail = e.parts[0].id+".answer", "it fails in the same way"
		}
		if root != "" {
			c.Verdict, c.Findings = Fine, nil
			c.because(root, detail)
		}
	}
	for i := range e.report.Checks {
		if c := &e.report.Checks[i]; c.Because != "" {
			e.nameRoot(c)
		}
	}
}

// nameRoot names the check that stands in the way of another one in the end.
func (e *examination) nameRoot(c *Check) {
	for range e.report.Checks {
		root := e.find(c.Because)
		if root == nil || root.Because == "" {
			break
		}
		c.Because = root.Because
	}
	words := "Because of " + c.Because
	if c.detail != "" {
		words += ": " + strings.TrimSuffix(c.detail, ".")
	}
	c.Findings = []Finding{{Message: words + "."}}
}

func (e *examination) find(id string) *Check {
	for i := range e.report.Checks {
		if e.report.Checks[i].ID == id {
			return &e.report.Checks[i]
		}
	}
	return nil
}
