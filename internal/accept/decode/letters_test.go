package decode

import (
	"errors"
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
	"Danish":    "Efternavn;Fornavn;Fødselsdato\nSørensen;Åse;1\nKjær;Bjørn;2\nØstergård;Ærø;3\nSkov;Mæ;4\n",
	"Swedish":   "Efternamn;Förnamn\nÅström;Björn\nÖberg;Åke\nSjöö;Märta\n",
	"Icelandic": "Nafn\nGuðrún Þórðardóttir\nÝmir Sæþórsson\nÞór\n",
	"Italian":   "Cognome;Nome;Città\nNiccolò;Libertà;Forlì\nD'Agrò;Giosuè;Cefalù\n",
	"Polish":    "Nazwisko;Imię\nKowalska;Małgorzata\nWiśniewski;Stanisław\nŻak;Łucja\n",
	"Croatian":  "Prezime;Ime\nKovačić;Željko\nHorvatić;Đurđa\n",
	"Turkish":   "Soyadı;Adı\nYıldırım;Ayşe\nÖzdoğan;Işıl\nŞahin;İbrahim\n",
}

func inCharset(t *testing.T, name string, chars *charmap.Charmap) []byte {
	doc, err := chars.NewEncoder().String(lists[name])
	if err != nil {
		t.Fatal(name, err)
	}
	return []byte(doc)
}

// TestLettersDecide: a list whose encoding nothing names is read by the letters of its words, and says what may be
// wrong; a Western one is never taken for another, without a word.
func TestLettersDecide(t *testing.T) {
	for _, tt := range []struct {
		list  string
		chars *charmap.Charmap
		as    string
		says  string
	}{
		{"Russian", charmap.Windows1251, "windows-1251", "Its letters were taken for windows-1251: if names"},
		{"Ukrainian", charmap.Windows1251, "windows-1251", "Its letters were taken for windows-1251: if names"},
		{"Bulgarian", charmap.Windows1251, "windows-1251", "Its letters were taken for windows-1251: if names"},
		{"capitals", charmap.Windows1251, "windows-1251", "Its letters were taken for windows-1251: if names"},
		{"Russian", charmap.KOI8R, "koi8-r", "Its letters were taken for koi8-r: if names"},
		{"Russian", charmap.ISO8859_5, "iso-8859-5", "Its letters were taken for iso-8859-5: if names"},
		{"Russian", charmap.CodePage866, "ibm866", "Its letters were taken for ibm866: if names"},
		{"Greek", charmap.Windows1253, "windows-1253", "Its letters were taken for windows-1253: if names"},
		{"Greek capitals", charmap.Windows1253, "windows-1253", "Its letters were taken for windows-1253: if names"},
		{"Polish", charmap.Windows1250, "windows-1252", "for windows-1252, and may be windows-1250: if names"},
		{"Croatian", charmap.Windows1250, "windows-1252", "for windows-1252, and may be windows-1250: if names"},
		{"Turkish", charmap.Windows1254, "windows-1252", "for windows-1252, and may be windows-1254: if names"},
		{"German", charmap.Windows1252, "windows-1252", ""},
		{"French", charmap.Windows1252, "windows-1252", ""},
		{"Spanish", charmap.Windows1252, "windows-1252", ""},
		{"Portuguese", charmap.Windows1252, "windows-1252", ""},
		{"Danish", charmap.Windows1252, "windows-1252", ""},
		{"Swedish", charmap.Windows1252, "windows-1252", ""},
		{"Italian", charmap.Windows1252, "windows-1252", ""},
		{"Icelandic", charmap.Windows1252, "windows-1252", "for windows-1252, and may be windows-1254"},
	} {
		d := readWhole(t, inCharset(t, tt.list, tt.chars), gangway.DocumentFormat{})
		doubts := d.Doubts()
		if d.Format.Encoding != tt.as || len(doubts) > 1 || (len(doubts) == 1) != (tt.says != "") ||
			len(doubts) == 1 && !strings.Contains(doubts[0].Message, tt.says) {
			t.Errorf("%s in %v is read as %s, and says %+v; want %s, and %q", tt.list, tt.chars, d.Format.Encoding,
				doubts, tt.as, tt.says)
		}
	}
}

// TestLettersThatAreNamedAreNotDoubted: whoever names the encoding is believed; so is UTF-8.
func TestLettersThatAreNamedAreNotDoubted(t *testing.T) {
	named := readWhole(t, inCharset(t, "Polish", charmap.Windows1250), gangway.DocumentFormat{Encoding: "windows-1250"})
	utf8 := readWhole(t, []byte(lists["Russian"]), gangway.DocumentFormat{})
	for _, d := range []*Document{named, utf8} {
		if doubts := d.Doubts(); doubts != nil {
			t.Errorf("%s is doubted: %+v", d.Format.Encoding, doubts)
		}
	}
}

// TestLettersFarDown: letters that begin at the end of what is read at once decide like others.
func TestLettersFarDown(t *testing.T) {
	const names = "id;last_name;first_name\n"
	row := "12345678;Cruz;Ana\n"
	doc := names + strings.Repeat(row, (readAtOnce-len(names))/len(row))
	doc += string(inCharset(t, "Russian", charmap.Windows1251))
	if d := readWhole(t, []byte(doc), gangway.DocumentFormat{}); d.Format.Encoding != "windows-1251" {
		t.Errorf("letters far down are read as %s", d.Format.Encoding)
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
		d := readWhole(t, []byte(tt.doc), gangway.DocumentFormat{Kind: gangway.CSVFormat, Delimiter: ";"})
		said := ""
		for _, doubt := range d.Doubts() {
			said += doubt.Message
		}
		if (said != "") != (tt.says != "") || !strings.Contains(said, tt.says) {
			t.Errorf("%s: %q; want %q", name, said, tt.says)
		}
	}
}

// readWhole reads a document to its end.
func readWhole(t *testing.T, doc []byte, as gangway.DocumentFormat) *Document {
	if as.Kind == "" {
		as.Kind = gangway.CSVFormat
	}
	d, err := Open(input("", doc), as, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	for {
		if _, err := d.Next(); errors.Is(err, io.EOF) {
			return d
		}
	}
}
