package gangway

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// TestNamesAsAirlinesPrintThem has real names as they are printed in passports.
func TestNamesAsAirlinesPrintThem(t *testing.T) {
	tests := []struct {
		name        string
		nationality Country
		want        string // empty: cannot be written
	}{
		{"Santos", "PH", "SANTOS"},
		{"Ma. Teresa", "PH", "MA TERESA"},
		{"dela  Cruz\t", "PH", "DELA CRUZ"},
		{"O'Brien-Smith", "IE", "OBRIEN SMITH"},
		{"O’Brien", "IE", "OBRIEN"},
		{"Cruz, Jr.", "PH", "CRUZ JR"},
		{"Müller", "DE", "MUELLER"},
		{"Mu\u0308ller", "DE", "MUELLER"},
		{"Strauß", "DE", "STRAUSS"},
		{"Åse Bjørnø", "NO", "AASE BJOERNOE"},
		{"Ægir Þórðarson", "IS", "AEGIR THORDARSON"},
		{"Núñez", "ES", "NUNEZ"},
		{"Wałęsa", "PL", "WALESA"},
		{"Đặng Thị Hương", "VN", "DANG THI HUONG"},
		{"Șerban Țuțea", "RO", "SERBAN TUTEA"},
		{"IJsbrand Ĳssel", "NL", "IJSBRAND IJSSEL"},
		{"Yıldız İnönü", "TR", "YILDIZ INOENUE"},
		{"ＴＡＮＡＫＡ", "JP", "TANAKA"},

		{"Константинопольский Вознесенский", "RU", "KONSTANTINOPOLSKII VOZNESENSKII"},
		{"Щукин Фёдор Объедков", "RU", "SHCHUKIN FEDOR OBIEEDKOV"},
		{"Юлия Эйхе", "", "IULIIA EIKHE"},
		{"Єгор Їжак Йосип Юрій Яна", "UA", "YEHOR YIZHAK YOSYP YURII YANA"},
		{"Сергій Зінов’єв", "", "SERHII ZINOVIEV"},
		{"Ґалаґан", "UA", "GALAGAN"},
		{"Никита Эрнст", "UA", "NIKITA ERNST"}, // no Ukrainian name has this letter
		{"Ігар Бабрыковіч", "BY", "IHAR BABRYKOVICH"},
		{"Сёмуха Ўладзімір", "BY", "SIOMUKHA ULADZIMIR"},
		{"Щерев Христо", "BG", "SHTEREV KHRISTO"},
		{"Ѓорѓи Ќосев Џамбаз Цветан Христов", "MK", "GJORGJI KJOSEV DJAMBAZ CVETAN HRISTOV"},
		{"Ђорђе Жикић Шљивић Чоловић Џепина", "RS", "DORDE ZIKIC SLJIVIC COLOVIC DZEPINA"},
		{"Драган", "RS", "DRAGAN"},
		{"Ђура Хаџић", "", "DURA HADZIC"},

		{"محمد", "EG", "MXHMD"},
		{"محمود عبد الرحيم", "EG", "MXHMWD EBD ALRXHYM"},
		{"فاطمة", "EG", "FAXTTMXAH"},
		{"حمّاد", "EG", "XHMMAD"},
		{"مرتضی", "IR", "MRTXDZXYA"},

		{"王小明", "CN", ""},
		{"นันทวัฒน์", "TH", ""},
		{"김민준", "KR", ""},
		{"Παπαδόπουλος", "GR", ""},
		{"Cohen כהן", "IL", ""},
		{"Santos3", "PH", ""},
		{"M?ller", "DE", ""},
		{"M\ufffdller", "DE", ""},
		{"-", "PH", ""},
		{"", "PH", ""},
		{"\u200b", "PH", ""},
	}
	for _, tt := range tests {
		got, ok := WriteName(tt.name, tt.nationality)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("WriteName(%q, %s) = %q, %v; want %q", tt.name, tt.nationality, got, ok, tt.want)
		}
	}
}

// TestTablesOfDoc9303 checks the tables of ICAO Doc 9303 part 3, section 6, entry
// by entry, by Unicode number. (040C is KJ in Macedonian only, which alone has it.)
func TestTablesOfDoc9303(t *testing.T) {
	for _, line := range strings.Fields(`
		00C0=A 00C1=A 00C2=A 00C3=A 00C4=AE 00C5=AA 00C6=AE 00C7=C 00C8=E 00C9=E 00CA=E 00CB=E 00CC=I 00CD=I 00CE=I 00CF=I
		00D0=D 00D1=N 00D2=O 00D3=O 00D4=O 00D5=O 00D6=OE 00D8=OE 00D9=U 00DA=U 00DB=U 00DC=UE 00DD=Y 00DE=TH
		0100=A 0102=A 0104=A 0106=C 0108=C 010A=C 010C=C 010E=D 0110=D 0112=E 0114=E 0116=E 0118=E 011A=E 011C=G 011E=G 0120=G 0122=G
		0124=H 0126=H 0128=I 012A=I 012C=I 012E=I 0130=I 0131=I 0132=IJ 0134=J 0136=K 0139=L 013B=L 013D=L 013F=L 0141=L
		0143=N 0145=N 0147=N 014A=N 014C=O 014E=O 0150=O 0152=OE 0154=R 0156=R 0158=R 015A=S 015C=S 015E=S 0160=S
		0162=T 0164=T 0166=T 0168=U 016A=U 016C=U 016E=U 0170=U 0172=U 0174=W 0176=Y 0178=Y 0179=Z 017B=Z 017D=Z 1E9E=SS 00DF=SS

		0401=E 0402=D 0404=IE 0405=DZ 0406=I 0407=I 0408=J 0409=LJ 040A=NJ 040C=KJ 040E=U 040F=DZ 0410=A 0411=B 0412=V 0413=G 0414=D 0415=E
		0416=ZH 0417=Z 0418=I 0419=I 041A=K 041B=L 041C=M 041D=N 041E=O 041F=P 0420=R 0421=S 0422=T 0423=U 0424=F 0425=KH 0426=TS 0427=CH
		0428=SH 0429=SHCH 042A=IE 042B=Y 042D=E 042E=IU 042F=IA 046A=U 0474=Y 0490=G 0492=G 04BA=C

		0621=XE 0622=XAA 0623=XAE 0624=U 0625=I 0626=XI 0627=A 0628=B 0629=XTA 062A=T 062B=XTH 062C=J 062D=XH 062E=XKH 062F=D 0630=XDH
		0631=R 0632=Z 0633=S 0634=XSH 0635=XSS 0636=XDZ 0637=XTT 0638=XZZ 0639=E 063A=G 0641=F 0642=Q 0643=K 0644=L 0645=M 0646=N 0647=H
		0648=W 0649=XAY 064A=Y 0671=XXA 0679=XXT 067C=XRT 067E=P 0681=XKE 0685=XXH 0686=XC 0688=XXD 0689=XDR 0691=XXR 0693=XRR 0696=XRX
		0698=XJ 069A=XXS 06A9=XKK 06AB=XXK 06AD=XNG 06AF=XGG 06BA=XNN 06BC=XXN 06BE=XDO 06C0=XYH 06C1=XXG 06C2=XGE 06C3=XTG 06CC=XYA
		06CD=XXY 06D0=Y 06D2=XYB 06D3=XBE`) {
		number, want, _ := strings.Cut(line, "=")
		var r rune
		for _, digit := range number {
			r = r<<4 + rune(strings.IndexRune("0123456789ABCDEF", digit))
		}
		if got, _ := WriteName("T"+string(r)+"T", ""); got != "T"+want+"T" {
			t.Errorf("U+%s %c within TT is written %q; want %q", number, r, got, want)
		}
		for _, mark := range "\u064b\u064c\u064d\u064e\u064f\u0650\u0652\u0670" {
			if got, _ := WriteName("T"+string([]rune{r, mark})+"T", ""); got != "T"+want+"T" {
				t.Errorf("%c with the sign %U is written %q; want %q, signs are not written", r, mark, got, want)
			}
		}
	}
}

// TestWhatTheTablesExcept checks the tables' exceptions for single languages.
func TestWhatTheTablesExcept(t *testing.T) {
	for _, tt := range []struct {
		nationality Country
		letters     string // letter and transliteration, in the middle of a name
		first       string // the same, at its beginning
	}{
		{"UA", "Г=H И=Y Є=IE Ї=I Й=I Ю=IU Я=IA", "Є=YE Ї=YI Й=Y Ю=YU Я=YA И=Y"},
		{"BY", "Г=H Ё=IO", "Г=H Ё=IO Ю=IU"},
		{"BG", "Щ=SHT Г=G", "Щ=SHT"},
		{"MK", "Ѓ=GJ Ќ=KJ Х=H Ц=C Џ=DJ Ж=ZH", "Ѓ=GJ"},
		{"RS", "Ж=Z Х=H Ц=C Ч=C Ш=S Џ=DZ Ћ=C Ђ=D", "Ж=Z"},
		{"RU", "Г=G И=I Ё=E Щ=SHCH Ж=ZH Х=KH", "Ю=IU Я=IA Й=I"},
	} {
		for where, list := range map[string]string{"Т": tt.letters, "": tt.first} {
			for _, pair := range strings.Fields(list) {
				letter, want, _ := strings.Cut(pair, "=")
				if where != "" {
					want = "T" + want
				}
				if got, _ := WriteName(where+letter+"Т", tt.nationality); got != want+"T" {
					t.Errorf("%s of %s after %q is written %q; want %q", letter, tt.nationality, where, got, want+"T")
				}
			}
		}
	}
}

var onTicket = regexp.MustCompile(`^[A-Z]+( [A-Z]+)*$`)

// TestWrittenNamesAreOfTicketLetters checks any text that anybody might send.
func TestWrittenNamesAreOfTicketLetters(t *testing.T) {
	countries := []Country{"", "RU", "UA", "BY", "BG", "MK", "RS", "DE", "EG"}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(
			rapid.String(),
			rapid.StringOf(rapid.RuneFrom([]rune("AÄÅOÖUÜaäößëùŒØñÐ "+
				"'’-.,\u0308\u030a\u0301\u0323\u0306\u0653\u0654\u0655\u0651\u064eЕЁИЙІЇГЃКЌУЎЯьابةيوەہے"))),
			rapid.StringOf(rapid.RuneFrom(nil, unicode.Latin, unicode.Cyrillic, unicode.Arabic, unicode.Mn)),
		).Draw(t, "name")
		nationality := rapid.SampledFrom(countries).Draw(t, "nationality")
		got, ok := WriteName(name, nationality)
		if ok != (got != "") || ok && !onTicket.MatchString(got) {
			t.Fatalf("WriteName(%q) = %q, %v; want A to Z and single spaces", name, got, ok)
		}
		if again, _ := WriteName(got, nationality); again != got {
			t.Fatalf("WriteName(%q) = %q; what is written stays as it is", got, again)
		}
		whole, _ := WriteName(norm.NFC.String(name), nationality)
		if apart, _ := WriteName(norm.NFD.String(name), nationality); whole != apart {
			t.Fatalf("%q composed is %q, decomposed %q", name, whole, apart)
		}
		for _, longest := range []int{1, 5, 20} {
			if cut := cutName(got, longest); ok && (len(cut) > longest || !onTicket.MatchString(cut)) {
				t.Fatalf("cutName(%q, %d) = %q", got, longest, cut)
			}
		}
	})
}

// TestEveryLetterIsTheSameWithItsMarksApart goes through all letters of the
// scripts that have a table.
func TestEveryLetterIsTheSameWithItsMarksApart(t *testing.T) {
	for _, script := range []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Arabic} {
		for _, nationality := range []Country{"", "UA", "MK"} {
			eachRune(script, func(r rune) {
				whole, _ := WriteName("T"+string(r)+"T", nationality)
				apart, _ := WriteName("T"+norm.NFD.String(string(r))+"T", nationality)
				if whole != apart {
					t.Errorf("%c (%U) is written %q, with its marks apart %q", r, r, whole, apart)
				}
			})
		}
	}
}

func eachRune(table *unicode.RangeTable, do func(rune)) {
	for _, r := range table.R16 {
		for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
			do(c)
		}
	}
	for _, r := range table.R32 {
		for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
			do(c)
		}
	}
}

func TestTicketProblems(t *testing.T) {
	long := Traveller{LastName: "Wolfeschlegelsteinhausen", FirstName: "Maria Alexandra Theodora"}
	got := long.TicketProblems(20)
	want := []NameProblem{{"last_name", 24, 20, "WOLFESCHLEGELSTEINHA"}, {"first_name", 24, 20, "MARIA ALEXANDRA"}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("TicketProblems(20) = %+v; want %+v", got, want)
	}
	if got := long.TicketProblems(0); got != nil {
		t.Errorf("TicketProblems(0) = %+v; want none without a limit", got)
	}
	chinese := Traveller{LastName: "王", FirstName: "Xiaoming"}
	if got := chinese.TicketProblems(20); len(got) != 1 || got[0] != (NameProblem{Field: "last_name"}) {
		t.Errorf("TicketProblems = %+v; want the last name", got)
	}
	chinese.OnTicket.Last = "WANG"
	if got := chinese.TicketProblems(20); got != nil || chinese.TicketName() != (TicketName{"WANG", "XIAOMING"}) {
		t.Errorf("with a name typed for the ticket: %+v, %+v; want WANG, XIAOMING and no problem", chinese.TicketName(),
			got)
	}
	if got := (Traveller{LastName: "Suharto"}).TicketProblems(20); got != nil {
		t.Errorf("a missing first name is %+v; want no problem", got)
	}
}
