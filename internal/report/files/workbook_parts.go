package files

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gangway/internal/report"
)

// A part is a file within a workbook: where it is, what it is, and how the workbook refers to it.
type part struct{ path, content, relation string }

// Parts that every workbook has. Relations begin as those of ISO/IEC 29500 do.
const (
	spreadsheet   = "application/vnd.openxmlformats-officedocument.spreadsheetml."
	relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	mainNamespace = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	xmlHead       = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
)

var stylesPart = part{"xl/styles.xml", spreadsheet + "styles+xml", "styles"}

// Styles of cells, by their place in the part of styles.
const (
	plain = iota
	heading
	instantStyle
	dayStyle
	integerStyle
	moneyStyle
	measureStyle
	wrapped
	title
)

// styles is the part of styles. An instant is shown to the second, in an order that sorts as text
// does too.
const styles = xmlHead + `<styleSheet ` + mainNamespace + `>` +
	`<numFmts count="4"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/>` +
	`<numFmt numFmtId="167" formatCode="yyyy\-mm\-dd"/>` +
	`<numFmt numFmtId="165" formatCode="#,##0.00#"/><numFmt numFmtId="166" formatCode="#,##0.0##"/></numFmts>` +
	`<fonts count="3"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>` +
	`<font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/><family val="2"/></font>` +
	`<font><b/><sz val="14"/><name val="Calibri"/><family val="2"/></font></fonts>` +
	`<fills count="3"><fill><patternFill patternType="none"/></fill>` +
	`<fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid">` +
	`<fgColor rgb="FF0F5E6B"/><bgColor indexed="64"/></patternFill></fill></fills>` +
	`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
	`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
	`<cellXfs count="9"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
	`<xf numFmtId="0" fontId="1" fillId="2" borderId="0" xfId="0" applyFont="1" applyFill="1"/>` +
	`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="167" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="3" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1">` +
	`<alignment vertical="top" wrapText="1"/></xf>` +
	`<xf numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>` +
	`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

// styleOf returns the style of a column's numbers: amounts of money have no unit, as another column has
// their currency.
func styleOf(c report.Column) int {
	switch {
	case c.Kind == report.Instant:
		return instantStyle
	case c.Kind == report.Day:
		return dayStyle
	case c.Kind == report.Integer:
		return integerStyle
	case c.Kind == report.Decimal && c.Unit == "":
		return moneyStyle
	case c.Kind == report.Decimal:
		return measureStyle
	}
	return plain
}

// beginSheet begins another sheet of rows, with its head.
func (b *Workbook) beginSheet(first []report.Row) (err error) {
	name := b.name
	if b.sheet != nil {
		name += " " + strconv.Itoa(len(b.sheets)+1)
		if err := b.endSheet(); err != nil {
			return err
		}
	} else {
		b.widths = widths(b.columns, first)
	}
	b.sheets = append(b.sheets, sheet{name, 1})
	if b.sheet, err = b.zip.Create(sheetPath(len(b.sheets))); err != nil {
		return err
	}
	var head strings.Builder
	selected := map[bool]string{true: ` tabSelected="1"`}[len(b.sheets) == 1]
	fmt.Fprintf(&head, xmlHead+`<worksheet %s><sheetViews><sheetView%s workbookViewId="0"><pane ySplit="1" `+
		`topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`+
		`<sheetFormatPr defaultRowHeight="15"/><cols>`, mainNamespace, selected)
	for i, width := range b.widths {
		fmt.Fprintf(&head, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, i+1, i+1, width)
	}
	head.WriteString(`</cols><sheetData><row r="1">`)
	for i, c := range b.columns {
		head.WriteString(textCell(b.letters[i], 1, heading, c.Name))
	}
	head.WriteString(`</row>`)
	_, err = io.WriteString(b.sheet, head.String())
	return err
}

// endSheet ends the sheet with its filters, and with what each column means. Numbers that are texts, as
// those of tickets are, are none of Excel's concern.
func (b *Workbook) endSheet() error {
	var end strings.Builder
	all := "A1:" + b.letters[len(b.letters)-1] + strconv.Itoa(b.sheets[len(b.sheets)-1].rows)
	fmt.Fprintf(&end, `</sheetData><autoFilter ref="%s"/><dataValidations count="%d">`, all, len(b.columns))
	for i, c := range b.columns {
		fmt.Fprintf(&end, `<dataValidation allowBlank="1" showInputMessage="1" promptTitle="%s" prompt="%s" `+
			`sqref="%s1"/>`, appendXML(nil, shortened(c.Name, 32)), appendXML(nil, shortened(meaning(c), 255)), b.letters[i])
	}
	fmt.Fprintf(&end, `</dataValidations><ignoredErrors><ignoredError sqref="%s" numberStoredAsText="1"/>`+
		`</ignoredErrors></worksheet>`, all)
	_, err := io.WriteString(b.sheet, end.String())
	return err
}

// meaning says what a column's values are.
func meaning(c report.Column) string {
	said := c.About
	if c.Kind == report.Instant {
		said += " In UTC."
	}
	if c.Unit != "" {
		said += " Unit: " + c.Unit + "."
	}
	return said
}

// shortened returns a text of so many characters at most.
func shortened(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// widths returns how wide columns are, in characters: as wide as their heads with the sign of the
// filter, and as what the first rows have in them.
func widths(columns []report.Column, first []report.Row) []int {
	all := make([]int, len(columns))
	for i, c := range columns {
		wide := utf8.RuneCountInString(c.Name) + 4
		switch c.Kind {
		case report.Instant:
			wide = max(wide, 20)
		case report.Day, report.Decimal, report.Integer:
			wide = max(wide, 12)
		case report.Text:
			for _, row := range first {
				text, _ := row[i].(string)
				wide = max(wide, min(utf8.RuneCountInString(text)+2, 50))
			}
		}
		all[i] = wide
	}
	return all
}

// textCell returns a cell with a text.
func textCell(column string, row, style int, text string) string {
	return fmt.Sprintf(`<c r="%s%d" s="%d" t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, column, row, style,
		appendXML(nil, text))
}

// sheetPath is where the n-th sheet is.
func sheetPath(n int) string { return fmt.Sprintf("xl/worksheets/sheet%d.xml", n) }

// writeParts writes what is not a sheet of rows.
func (b *Workbook) writeParts(about About) error {
	rows := len(b.sheets)
	if err := write(b.zip, sheetPath(rows+1), b.aboutSheet(about)); err != nil {
		return err
	}
	b.sheets = append(b.sheets, sheet{name: "About"})
	var parts []part
	var list, names strings.Builder
	for i, s := range b.sheets {
		parts = append(parts, part{sheetPath(i + 1), spreadsheet + "worksheet+xml", "worksheet"})
		fmt.Fprintf(&list, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, s.name, i+1, i+1)
		if i < rows {
			last := b.letters[len(b.letters)-1]
			fmt.Fprintf(&names, `<definedName name="_xlnm._FilterDatabase" localSheetId="%d" hidden="1">'%s'!$A$1:$%s$%d`+
				`</definedName><definedName name="_xlnm.Print_Titles" localSheetId="%d">'%s'!$1:$1</definedName>`,
				i, s.name, last, s.rows, i, s.name)
		}
	}
	if err := write(b.zip, stylesPart.path, styles); err != nil {
		return err
	}
	return writePackage(b.zip, about, append(parts, stylesPart), `<sheets>`+list.String()+`</sheets><definedNames>`+
		names.String()+`</definedNames>`)
}

// aboutSheet says what the workbook is, and what its columns mean.
func (b *Workbook) aboutSheet(about About) string {
	var s strings.Builder
	fmt.Fprintf(&s, xmlHead+`<worksheet %s><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="1" width="28" `+
		`customWidth="1"/><col min="2" max="2" width="100" customWidth="1"/></cols><sheetData>`, mainNamespace)
	row := 0
	line := func(styleA, styleB int, a, b string) {
		row++
		fmt.Fprintf(&s, `<row r="%d">%s`, row, textCell("A", row, styleA, a))
		if b != "" {
			s.WriteString(textCell("B", row, styleB, b))
		}
		s.WriteString(`</row>`)
	}
	line(title, plain, about.Title, "")
	for _, f := range append(about.Facts, b.limits()...) {
		line(wrapped, wrapped, f.Name, f.Value)
	}
	row++
	line(heading, heading, "Column", "Meaning")
	for _, c := range b.columns {
		line(wrapped, wrapped, c.Name, meaning(c))
	}
	return s.String() + `</sheetData></worksheet>`
}

// limits says where Excel had no room.
func (b *Workbook) limits() (facts []Fact) {
	if n := len(b.sheets); n > 1 {
		facts = append(facts, Fact{"Sheets", fmt.Sprintf("A sheet of Excel has room for %d rows: the rows are in %d "+
			"sheets.", b.most, n)})
	}
	if b.cut > 0 {
		facts = append(facts, Fact{"Cut", fmt.Sprintf("A cell of Excel has room for %d characters: %d longer texts "+
			"are cut, with … at their end. The CSV file has them whole.", cellText, b.cut)})
	}
	return facts
}

// created writes an instant as properties of documents have it.
func created(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05Z") }
