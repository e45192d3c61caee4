package itinerary

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"
)

// The measures of a page, in millimetres.
const (
	margin = 18.0
	row    = 5.2
	clock  = 16.0 // the width of a time
	label  = 34.0 // the width of a fact's name
)

// A sheet is a PDF that is being written.
type sheet struct{ *fpdf.Fpdf }

// WritePDF writes p as a PDF of A4 pages.
func WritePDF(w io.Writer, p Paper) error {
	s := sheet{fpdf.New("P", "mm", "A4", "")}
	s.SetMargins(margin, margin, margin)
	s.SetAutoPageBreak(true, margin)
	s.AddUTF8FontFromBytes("Go", "", goregular.TTF)
	s.AddUTF8FontFromBytes("Go", "B", gobold.TTF)
	s.SetTitle(p.Title, true)
	s.SetCreator("Gangway", true)
	s.SetCreationDate(p.At)
	s.SetModificationDate(p.At)
	s.SetFooterFunc(func() {
		s.SetY(-margin + 4)
		s.font("", 8)
		s.text(0, 4, fmt.Sprintf("%s  Page %d", p.AsOf(), s.PageNo()))
	})
	s.AddPage()
	s.font("B", 16)
	s.text(0, 8, p.Title)
	if p.Unreal {
		s.font("B", 10)
		s.text(0, row, Unreal)
	}
	s.facts(p.Facts)
	for _, g := range p.Groups() {
		for i, t := range g.Trips {
			if s.keep(t); i == 0 && g.Name != "" {
				s.Ln(3)
				s.font("B", 13)
				s.text(0, 8, g.Name)
			}
			s.trip(t)
		}
	}
	if p.Remark != "" {
		s.Ln(3)
		s.text(0, row, p.Remark)
	}
	return s.Output(w)
}

// keep begins a page where a trip does not fit on what is left of this one.
func (s sheet) keep(t Trip) {
	_, height := s.GetPageSize()
	takes := row*float64(len(t.Lines)+len(t.Facts)+len(t.Warnings)+2) + 14
	if s.GetY()+takes > height-margin && s.GetY() > height/4 {
		s.AddPage()
	}
}

func (s sheet) trip(t Trip) {
	s.Ln(3)
	s.Line(margin, s.GetY(), 210-margin, s.GetY())
	s.Ln(2)
	s.font("B", 12)
	name := t.Name
	if !printable(name) { // and no ticket's form
		name = "The traveller"
	}
	s.text(0, 7, name)
	s.font("", 10)
	if t.Sent != "" && printable(t.Sent) {
		s.text(0, row, t.Sent)
	}
	s.font("B", 10)
	for _, warning := range t.Warnings {
		s.text(0, row, warning)
	}
	s.facts(t.Facts)
	for _, l := range t.Lines {
		switch {
		case l.Day:
			s.Ln(1)
			s.font("B", 10)
			s.text(0, row, l.At)
		case l.At == "":
			s.font("", 9)
			s.SetX(margin + clock)
			s.text(0, row, l.What)
		default:
			s.font("", 10)
			s.CellFormat(clock, row, l.At, "", 0, "", false, 0, "")
			s.text(0, row, l.What)
		}
	}
}

func (s sheet) facts(list []Fact) {
	for _, f := range list {
		s.font("", 10)
		s.CellFormat(label, row, s.known(f.Name), "", 0, "", false, 0, "")
		s.text(0, row, f.Value)
	}
}

func (s sheet) font(style string, size float64) { s.SetFont("Go", style, size) }

// text writes a paragraph of the font's letters.
func (s sheet) text(width, height float64, words string) {
	s.MultiCell(width, height, s.known(words), "", "L", false)
}

// known is a text with a question mark for each letter that the font lacks, which would be an empty box.
func (s sheet) known(words string) string {
	return strings.Map(func(r rune) rune {
		if !letter(r) {
			return '?'
		}
		return r
	}, norm.NFC.String(words))
}

// printable reports whether the font has all letters of a text.
func printable(words string) bool {
	return !strings.ContainsFunc(norm.NFC.String(words), func(r rune) bool { return !letter(r) })
}

var regular = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(goregular.TTF) })

// letter reports whether the font has a letter. Marks that are put on letters it cannot place.
func letter(r rune) bool {
	f, err := regular()
	if err != nil || r >= 0x300 && r < 0x370 {
		return false
	}
	g, err := f.GlyphIndex(nil, r)
	return err == nil && g != 0
}
