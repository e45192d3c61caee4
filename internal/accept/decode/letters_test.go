package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"gangway/internal/gangway"

	"golang.org/x/text/encoding/charmap"
)

// lists are crew lists as they are written in a language.
var lists = map[string]string{
	"Russian": "Фамилия;Имя;Дата рождения;Пол\nИванов;Сергей;01.02.1985;м\nКузнецова;Ольга;03.04.1990;ж\n",
	"Ukrainian": "Прізвище;Ім'я;Дата народження\nШевченко;Тарас;01.02.1985\nКовальчук;Наталія;03.04.1990\n" +
		"Їжакевич;Євген;05.06.1991\n",
	"Bulgarian": "Фамилия;Име\nДимитров;Георги\nИванова;Елена\nСтоянов;Петър\n",
	"capitals":  "id;last_name;first_name\n1;ИВАНОВ;СЕРГЕЙ\n2;ПЕТРОВ;АЛЕКСАНДР\n",
	"Greek": "Επώνυμο;Όνομα;Ημερομηνία γέννησης\nΠαπαδόπουλος;Γεώργιος;01.02.1985\n" +
		"Νικολάου;Ελένη;03.04.1990\n",
	"Greek capitals": "id;surname;name\n1;ΠΑΠΑΔΟΠΟΥΛΟΣ;ΓΕΩΡΓΙΟΣ\n2;ΝΙΚΟΛΑΟΥ;ΕΛΕΝΗ\n3;ΑΝΔΡΕΟΥ;ΚΩΣΤΑΣ\n",
	"German": "Pers-Nr;Nachname;Vorname;Gültig bis\n1;Müller;Jörg;01.02.2030\n2;Großmann;Änne;01.02.2030\n" +
		"3;Öztürk;Özgür;01.02.2030\n",
	"French":  "Nom;Prénom;Né(e) à\nLefèvre;Françoise;Orléans\nÉtienne;Zoë;Crécy\nAgnès;Noël;Nîmes\n",
	"Spanish": "Nombre;Apellidos;N.º;Año\nÁngel;Muñoz Ibáñez;1;¿?\nIñigo;Núñez;2;\nBegoña;Güell i Peña;3;\n",
	"Portuguese": "Nome;Função;Aprovação\nJoão;Capitão;não\nInês;Cozinheira;sim\nAntónio;Eletricista;não\n" +
		"Conceição;Médica;são\n",
	"Danish":     "Efternavn;Fornavn;Fødselsdato\nSørensen;Åse;1\nKjær;Bjørn;2\nØstergård;Ærø;3\nSkov;Mæ;4\n",
	"Swedish":    "Efternamn;Förnamn\nÅström;Björn\nÖberg;Åke\nSjöö;Märta\n",
	"Icelandic":  "Nafn\nGuðrún Þórðardóttir\nÝmir Sæþórsson\nÞór\n",
	"Italian":    "Cognome;Nome;Città\nNiccolò;Libertà;Forlì\nD'Agrò;Giosuè;Cefalù\n",
	"Polish":     "Nazwisko;Imię\nKowalska;Małgorzata\nWiśniewski;Stanisław\nŻak;Łucja\n",
	"Croatian":   "Prezime;Ime\nKovačić;Željko\nHorvatić;Đurđa\n",
	"dashes":     "id;last_name;first_name\n1;–;—\n",
	"Lithuanian": "Pavardė;Vardas\nPetrauskienė;Daivą\n",
	"one person": "id;last_name;first_name\n1;Иванов;Пётр\n",
	"Arabic":     "id;last_name;first_name\n1;محمد;علي\n2;حسن;عمر\n",
	"Turkish":    "Soyadı;Adı\nYıldırım;Ayşe\nÖzdoğan;Işıl\nŞahin;İbrahim\n",
}

func inCharset(t *testing.T, name string, chars *charmap.Charmap) string {
	doc, err := chars.NewEncoder().String(lists[name])
	must(t, err)
	return doc
}

// TestGuessesAreSaid: text that nothing names and that is not UTF-8 is read as Windows-1252, and three of its words say
// how it reads; text whose letters are mostly beyond ASCII is refused, with three words as each encoding reads them.
func TestGuessesAreSaid(t *testing.T) {
	for _, tt := range []struct {
		list  string
		chars *charmap.Charmap
		says  string // of the doubt, or of the refusal
	}{
		{"German", charmap.Windows1252, "as windows-1252: Gültig, Müller, Jörg"},
		{"French", charmap.Windows1252, "as windows-1252: Prénom, Né, à"},
		{"Spanish", charmap.Windows1252, "as windows-1252: º, Año, Ángel"},
		{"Portuguese", charmap.ISO8859_15, "as windows-1252: Função, Aprovação, João"},
		{"Danish", charmap.Windows1252, "as windows-1252: Fødselsdato, Sørensen, Åse"},
		{"Swedish", charmap.Macintosh, "as windows-1252: F\u0161rnamn, "},
		{"Italian", charmap.CodePage850, "as windows-1252: Citt…, Niccol•, Libert…"},
		{"German", charmap.CodePage437, "as windows-1252: G\ufffdltig, M\ufffdller, J”rg"},
		{"Danish", charmap.CodePage865, "as windows-1252: F›dselsdato, S›rensen, \ufffdse"},
		{"Icelandic", charmap.Windows1252, "Guðrún, Þórðardóttir, Ýmir; windows-1250: Guđrún, "},
		{"Polish", charmap.Windows1250, "Imiê, Ma³gorzata, Wiœniewski; windows-1250: Imię, "},
		{"Croatian", charmap.Windows1250, "windows-1250: Kovačić, "},
		{"Turkish", charmap.Windows1254, "windows-1254: Soyadı, Adı, Yıldırım"},
		{"dashes", charmap.Windows1252, "EOF"},
		{"Lithuanian", charmap.Windows1257, "as windows-1252: Pavardë, Petrauskienë, Daivà"},
		{"Russian", charmap.Windows1251, "; windows-1251: Фамилия, Имя, Дата; "},
		{"Ukrainian", charmap.Windows1251, "; windows-1251: Прізвище, "},
		{"capitals", charmap.Windows1251, "; windows-1251: ИВАНОВ, СЕРГЕЙ, ПЕТРОВ; "},
		{"one person", charmap.Windows1251, "; windows-1251: Иванов, Пётр; "},
		{"Russian", charmap.KOI8R, "; koi8-r: Фамилия, Имя, Дата; "},
		{"Russian", charmap.ISO8859_5, "; iso-8859-5: Фамилия, Имя, Дата"},
		{"Russian", charmap.CodePage866, "; cp866: Фамилия, Имя, Дата"},
		{"Greek", charmap.Windows1253, "; windows-1253: Επώνυμο, Όνομα, Ημερομηνία; "},
		{"Arabic", charmap.Windows1256, "; windows-1256: محمد, علي"},
	} {
		d, err := readWhole(t, text(inCharset(t, tt.list, tt.chars)), gangway.DocumentFormat{})
		said := fmt.Sprint(err)
		if doubts := d.Doubts(); len(doubts) == 1 {
			said = doubts[0].Message
		}
		foreign := strings.HasPrefix(tt.says, "; ") // else it is a doubt
		if !strings.Contains(said, tt.says) || d.Format.Encoding != "windows-1252" ||
			strings.Contains(said, "name it as \"encoding\" in the feed's format") != foreign {
			t.Errorf("%s in %v: %s; want %q", tt.list, tt.chars, said, tt.says)
		}
	}
}

// TestGuessesInAZip: of each document in a zip it is said that its encoding was guessed, and in which.
func TestGuessesInAZip(t *testing.T) {
	german := []byte(inCharset(t, "German", charmap.Windows1252))
	for _, names := range [][]string{{"a.csv"}, {"a.csv", "b.csv"}} {
		var entries []entry
		for _, name := range names {
			entries = append(entries, entry{name, bytes.NewReader(german)})
		}
		d, err := readWhole(t, zipped(entries...), gangway.DocumentFormat{})
		if doubts := d.Doubts(); err != io.EOF || len(doubts) != len(names) ||
			!strings.Contains(doubts[0].Message, "Müller") || len(names) == 2 && doubts[1].At.In != "b.csv" {
			t.Errorf("%s: %+v, %v; want a doubt about each", names, d.Doubts(), err)
		}
	}
}

// TestEncodingsThatAreNamed: whoever names the encoding is believed, also one of old systems; UTF-8 needs no name.
func TestEncodingsThatAreNamed(t *testing.T) {
	for name, chars := range map[string]*charmap.Charmap{"windows-1250": charmap.Windows1250,
		"cp437": charmap.CodePage437, "cp850": charmap.CodePage850,
		"CP852": charmap.CodePage852, "cp866": charmap.CodePage866,
		"cp037": charmap.CodePage037, "cp1047": charmap.CodePage1047, "cp1140": charmap.CodePage1140, "": nil} {
		list, lastName := "German", "Großmann"
		if name == "cp866" {
			list, lastName = "Russian", "Кузнецова"
		}
		written := lists[list]
		if chars != nil {
			written = inCharset(t, list, chars)
		}
		as := gangway.DocumentFormat{Kind: gangway.CSVFormat, Encoding: name}
		d, err := Open(text(written), as, Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		d.Next()
		item, err := d.Next()
		if got := fmt.Sprint(item.Value); err != nil || !strings.Contains(got, lastName) || d.Doubts() != nil {
			t.Errorf("%s: %s, %v, %+v; want %s and no doubt", name, got, err, d.Doubts(), lastName)
		}
		d.Close()
	}
}

// TestDeclaredCharsets: a charset that a Content-Type names is believed unless the text is valid UTF-8, and always
// where letters have several bytes; JSON of an unknown one is refused.
func TestDeclaredCharsets(t *testing.T) {
	for _, tt := range []struct{ kind, doc, want string }{
		{"application/json; charset=iso-8859-2", "[\"Ma\xb3gorzata\"]", "Małgorzata"},
		{"application/json; charset=iso-8859-1", `["Müller"]`, "Müller"},
		{"application/json; charset=gbk", "[\"\xc1\xaa\xcd\xa8\"]", "联通"},
		{"application/json; charset=utf-16le", "[\x00\"\x00:N\"\x00]\x00", "为"},
		{"application/json; charset=cp850", "[\"M\x81ller\"]", "Müller"},
		{"application/json; charset=klingon", `["Müller"]`, `its encoding "klingon" is unknown`},
	} {
		said := ""
		in := text(tt.doc)
		in.ContentType = tt.kind
		d, err := Open(in, gangway.DocumentFormat{}, Limits{})
		if err == nil {
			item, nextErr := d.Next()
			said = fmt.Sprint(item.Value, nextErr, d.Doubts())
		}
		if said += fmt.Sprint(err); !strings.Contains(said, tt.want) || strings.Contains(said, "was guessed") {
			t.Errorf("%s: %s; want %s", tt.kind, said, tt.want)
		}
	}
}

// TestLettersFarDown: letters that begin at the end of what is read at once decide like others.
func TestLettersFarDown(t *testing.T) {
	const names = "id;last_name;first_name\n"
	row := "12345678;Cruz;Ana\n"
	doc := names + strings.Repeat(row, (readAtOnce-len(names))/len(row))
	doc += inCharset(t, "Russian", charmap.Windows1251)
	if _, err := readWhole(t, text(doc), gangway.DocumentFormat{}); !strings.Contains(err.Error(), "Фамилия") {
		t.Errorf("letters far down: %v; want to be told to name the encoding", err)
	}
}

// TestTitleAboveATable: where a title is taken for the names of the columns, the row is named that seems to have them.
func TestTitleAboveATable(t *testing.T) {
	for name, tt := range map[string]struct {
		doc  string
		says string
	}{
		"a title":         {"Crew list\n\n\nNr;Nachname;Vorname\n1;Cruz;Ana\n2;Rey;Eva\n", `in row 4: set "header" to 4`},
		"names over data": {"Nr;Nachname;Vorname\n1;Cruz;Ana\n2;Rey;Eva\n", ""},
		"no names at all": {"Crew list\n1;Cruz;Ana\n2;Rey;Eva\n", ""},
		"empty names": {"Crew list;;;;\nVessel;Aurora;;;\nNr;Nachname;Vorname;Rang;Geb\n1;Cruz;Ana;Cook;1\n",
			`in row 3: set "header" to 3`},
		"a title's row is too far": {"Crew list\n" + strings.Repeat("\n", 9) + "Nr;Nachname;Vorname\n1;Cruz;Ana\n", ""},
		"one column":               {"name\nSantos\nCruz\n", ""},
	} {
		d, _ := readWhole(t, text(tt.doc), gangway.DocumentFormat{Kind: gangway.CSVFormat, Delimiter: ";"})
		said := ""
		for _, doubt := range d.Doubts() {
			said += doubt.Message
		}
		if (said != "") != (tt.says != "") || !strings.Contains(said, tt.says) {
			t.Errorf("%s: %q; want %q", name, said, tt.says)
		}
	}
}

// readWhole reads a document to its end, and returns why it ended.
func readWhole(t *testing.T, in Input, as gangway.DocumentFormat) (*Document, error) {
	if as.Kind == "" {
		as.Kind = gangway.CSVFormat
	}
	d, err := Open(in, as, Limits{})
	if err != nil {
		return &Document{Format: gangway.DocumentFormat{Encoding: "windows-1252"}}, err
	}
	t.Cleanup(func() { d.Close() })
	for {
		_, err := d.Next()
		if alone := new(RecordError); err != nil && !errors.As(err, &alone) {
			return d, err
		}
	}
}
