package files

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"
)

// writePackage writes what makes a workbook of its parts (Open Packaging Conventions, ISO/IEC 29500-2):
// the workbook itself, which has contents and refers to the parts in their order as rId1, rId2 …, who
// made it, and the list of all. Parts without a relation are only listed.
func writePackage(z *zip.Writer, about About, parts []part, contents string) error {
	main := part{"xl/workbook.xml", spreadsheet + "sheet.main+xml", ""}
	core := part{"docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml", ""}
	var list, relations strings.Builder
	for i, p := range append([]part{main, core}, parts...) {
		if p.content != "" {
			fmt.Fprintf(&list, `<Override PartName="/%s" ContentType="%s"/>`, p.path, p.content)
		}
		if p.relation != "" {
			fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="%s" Target="/%s"/>`, i-1, relationships+p.relation,
				p.path)
		}
	}
	const packageNamespace = "http://schemas.openxmlformats.org/package/2006/"
	for _, file := range []struct{ path, text string }{
		{main.path, `<workbook ` + mainNamespace + ` xmlns:r="` + strings.TrimSuffix(relationships, "/") + `">` +
			`<bookViews><workbookView/></bookViews>` + contents + `</workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packageNamespace + `relationships">` +
			relations.String() + `</Relationships>`},
		{core.path, fmt.Sprintf(`<cp:coreProperties xmlns:cp="%smetadata/core-properties" `+
			`xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" `+
			`xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>%s</dc:title><dc:creator>Gangway</dc:creator>`+
			`<dcterms:created xsi:type="dcterms:W3CDTF">%s</dcterms:created></cp:coreProperties>`, packageNamespace,
			appendXML(nil, about.Title), created(about.Made))},
		{"_rels/.rels", `<Relationships xmlns="` + packageNamespace + `relationships"><Relationship Id="rId1" Type="` +
			relationships + `officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="` + packageNamespace +
			`relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`},
		{"[Content_Types].xml", `<Types xmlns="` + packageNamespace + `content-types"><Default Extension="rels" ` +
			`ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ` +
			`ContentType="application/xml"/>` + list.String() + `</Types>`},
	} {
		if err := write(z, file.path, xmlHead+file.text); err != nil {
			return err
		}
	}
	return nil
}

// write adds a file.
func write(z *zip.Writer, path, text string) error {
	w, err := z.Create(path)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}
