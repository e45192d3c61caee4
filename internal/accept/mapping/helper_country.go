package mapping

import (
	"strconv"
	"strings"
	"sync"

	"gangway/internal/gangway"

	"golang.org/x/text/language"
)

// moreCountryNames are what countries and their people are called beside the
// short names: codes that are in use without being ISO's, common and former
// names, demonyms, and what the languages call them in which crew systems are
// mostly written, for the countries that most seafarers are from. One with a dot in front is an abbreviation that
// people write with dots.
const moreCountryNames = `
AD Andorran|AE .UAE UAE Emirati Emirates Emirian|AF Afghan Afghani|AG Antiguan Barbudan Antigua|AI Anguillian
AL Albanian Albanien Albanie|AM Armenian Armenien|AO Angolan
AR Argentine Argentinian Argentinean Argentinien Argentinie Argentino Argentina|AS American_Samoan
AT Austrian Oesterreich Osterreich Autriche|AU Australian Australien Australie|AW Aruban|AX Aland_Islands Aland
AZ Azerbaijani Azeri Aserbaidschan|BA .BIH Bosnian Bosnia Bosnia-Herzegovina Bosnien Bosnia_Herzegovina
BB Barbadian Bajan|BD Bangladeshi Bangladesch|BE Belgian Belgien Belgique Belgie Belgio Belgica|BF Burkinabe
BG Bulgarian Bulgarien Bulgarie Bulgarije Bulgarije Bulgarisch|BH Bahraini|BI Burundian|BJ Beninese|BM Bermudian
BN Brunei Bruneian|BO Bolivian Plurinational_State_of_Bolivia
BR Brazilian Brasil Brasilien Bresil Brasile Brasileiro Brasileira Brasilianisch|BS Bahamian The_Bahamas
BT Bhutanese|BW Botswanan Motswana|BY Belarusian Byelorussian Belorussia Weissrussland|BZ Belizean
CA Canadian Kanada Canadien|CD .DRC Congo_Kinshasa DR_Congo DRC Democratic_Republic_of_the_Congo|CF Central_African
CG Congolese Congo_Brazzaville Republic_of_the_Congo|CH Swiss Schweiz Suisse Svizzera Suiza
CI Ivory_Coast Ivorian Cote_dIvoire|CK Cook_Islander|CL Chilean Chileno|CM Cameroonian Kamerun Cameroun
CN .PRC Chinese PRC Peoples_Republic_of_China China_PR Chine Cina Kina Chinesisch
CO Colombian Kolumbien Colombie Colombiano Colombiana|CR Costa_Rican|CU Cuban Kuba
CV Cape_Verde Cape_Verdean Cabo_Verdean Kap_Verde|CW Curacaoan|CY Cypriot Zypern Chypre Cipro Chipre Kypros
CZ Czech Czech_Republic Tschechien Tschechische_Republik
DE German Deutschland Allemagne Alemania Alemanha Germania Duitsland Tyskland Niemcy Deutsch deutsch D
DE .BRD .FRG BRD Federal_Republic_of_Germany|DJ Djiboutian
DK Danish Dane Daenemark Danemark Dinamarca Danimarca Denemarken Danmark Dania Danisch|DM Dominica_Islander
DO Dominican|DZ Algerian Algerien|EC Ecuadorian Ecuadorean|EE Estonian Estland Estonie
EG Egyptian Aegypten Agypten Egypte|ER Eritrean
ES Spanish Spaniard Spanien Espana Espagne Spagna Espanha Spanje Spania Hiszpania Espanol Espanola|ES Spanisch
ET Ethiopian|FI Finnish Finn Finnland Finlande Suomi|FJ Fijian|FK Falkland_Islander
FM Micronesian Federated_States_of_Micronesia|FO Faroese Faeroe_Islands
FR French Frankreich Francia Franca Frankrijk Frankrike Frankrig Francja Francais Francaise Franzosisch
FR Franzoesisch|GA Gabonese
GB .UK .GB UK British Briton Great_Britain Britain England English Scottish Welsh Northern_Irish Northern_Ireland
GB Scotland Wales United_Kingdom_of_Great_Britain_and_Northern_Ireland Grossbritannien
GB Vereinigtes_Konigreich Vereinigtes_Koenigreich Royaume-Uni Reino_Unido Regno_Unito Verenigd_Koninkrijk
GB Storbritannia Storbritannien Wielka_Brytania Britisch|GD Grenadian|GE Georgian Georgien
GH Ghanaian Ghanian Ghanesisch|GI Gibraltarian|GL Greenlandic|GM Gambian The_Gambia|GN Guinean
GQ Equatorial_Guinean
GR Greek Griechenland Grece Grecia Griekenland Hellas Hellenic Grecja Griechisch Hellenic_Republic|GT Guatemalan
GU Guamanian|GW Bissau-Guinean|GY Guyanese|HK .HK Hong_Kong_SAR Hongkong|HN Honduran
HR Croatian Croat Kroatien Croatie Croacia Hrvatska Kroatie Kroatia Chorwacja Croazia Kroatisch|HT Haitian
HU Hungarian Ungarn Hongrie Hungria|ID Indonesian Indonesien Indonesie Indonesisch
IE Irish Irland Irlande Irlanda Republic_of_Ireland|IL Israeli|IM Manx
IN Indian Indien Inde Indias Indie Indisch India|IQ Iraqi|IR Iranian Islamic_Republic_of_Iran Persian
IS Icelandic Icelander Island Islande Islandia
IT Italian Italien Italie Italia Wlochy Italiano Italiana Italienisch|JM Jamaican|JO Jordanian
JP Japanese Japon Giappone Japonia|KE Kenyan Kenia|KG Kyrgyz|KH Cambodian Khmer Kambodscha|KI I-Kiribati
KM Comoran Comorian|KN Kittitian|KP North_Korea North_Korean DPRK
KR .ROK South_Korea South_Korean Korea Korean Republic_of_Korea Korea_Republic_of Korea_Rep Sudkorea Suedkorea
KW Kuwaiti|KY Caymanian|KZ Kazakh Kazakhstani Kasachstan|LA Laotian Lao Lao_PDR|LB Lebanese Libanon
LC Saint_Lucian St_Lucia|LI Liechtensteiner|LK Sri_Lankan Ceylon|LR Liberian|LS Basotho Mosotho
LT Lithuanian Litauen Lituanie Litouwen Litwa|LU Luxembourger Luxemburg
LV Latvian Lettland Lettonie Letland Letonia Lotwa Lettisch|LY Libyan|MA Moroccan Marokko Maroc
MC Monegasque Monegasque|MD Moldovan Moldavia Republic_of_Moldova|ME Montenegrin Crna_Gora Montenegrinisch
MG Malagasy|MH Marshallese Marshall_Islander|MK Macedonian Macedonia FYROM|ML Malian
MM Burmese Burma Birma Myanmarese Birmanie Birmania|MN Mongolian|MO Macau Macanese|MR Mauritanian|MT Maltese Malte
MU Mauritian|MV Maldivian|MW Malawian|MX Mexican Mexiko Mexique Mexicano|MY Malaysian|MZ Mozambican|NA Namibian
NE Nigerien|NG Nigerian|NI Nicaraguan
NL Dutch Holland The_Netherlands Niederlande Pays-Bas Paises_Bajos Paises_Baixos Paesi_Bassi Nederland
NL Holandia Nederlands Niederlandisch Niederlaendisch
NO Norwegian Norwegen Norvege Noruega Norvegia Noorwegen Norge Norwegia Norsk Norwegisch|NP Nepali Nepalese
NR Nauruan|NZ .NZ New_Zealander Neuseeland Kiwi|OM Omani|PA Panamanian Panameno Panamena|PE Peruvian Peruano Peruana
PG .PNG Papua_New_Guinean
PH Filipino Filipina Philippine Pilipinas The_Philippines Phillipines Philippinen Filipinas Filippine
PH Filippinene Filipijnen Filippinerne Filipiny Pilipino Philippinisch Philippino Philipines RP|PK Pakistani
PL Polish Pole Polen Pologne Polonia Polska Polnisch Polska Polak Polka|PR Puerto_Rican
PS Palestinian State_of_Palestine|PT Portuguese Portogallo Portugalia Portugiesisch Portugues Portuguesa|PW Palauan
PY Paraguayan|QA Qatari
RO Romanian Rumanian Rumanien Rumaenien Roumanie Rumania Roemenie Romenia Rumunia Rumanisch Rumaenisch
RS Serbian Serb Serbien Serbie|RU Russian Russian_Federation Russland Russie Rusia Rusland Rosja Russisch Russo
RW Rwandan|SA .KSA Saudi Saudi_Arabian KSA|SB Solomon_Islander|SC Seychellois|SD Sudanese
SE Swedish Swede Schweden Suede Suecia Svezia Zweden Sverige Szwecja Svensk Schwedisch
SG Singaporean Singapur Singapour|SI Slovenian Slovene Slowenien|SK Slovak Slovakian Slowakei Slovak_Republic
SL Sierra_Leonean Sierra_Leonian|SN Senegalese|SO Somali|SR Surinamese|SS South_Sudanese|ST Sao_Tomean
SV Salvadoran|SY Syrian Syrian_Arab_Republic|SZ Swazi Swaziland|TD Chadian|TG Togolese|TH Thai Thailander|TJ Tajik
TL East_Timor Timorese|TM Turkmen|TN Tunisian Tunesien|TO Tongan
TR .TC Turkish Turk Turkey Turkei Tuerkei Turquie Turquia Turchia Turkije Tyrkia Turcja Turkisch Tuerkisch
TT Trinidadian Trinidad Tobagonian|TV Tuvaluan|TW .ROC Taiwanese Chinese_Taipei|TZ Tanzanian United_Republic_of_Tanzania
UA Ukrainian Ukrainien The_Ukraine Ucrania Ucraina Oekraine Ukraina Ukrainisch|UG Ugandan
US .USA .US USA American United_States_of_America Vereinigte_Staaten Etats-Unis Estados_Unidos
US Stati_Uniti Verenigde_Staten|UY Uruguayan|UZ Uzbek Uzbekistani|VA Vatican Vatican_City
VC Vincentian St_Vincent Saint_Vincent|VE Venezuelan Bolivarian_Republic_of_Venezuela|VG .BVI British_Virgin_Islands
VI US_Virgin_Islands|VN Vietnam Vietnamese Socialist_Republic_of_Viet_Nam|VU Ni-Vanuatu|WS Samoan|XK Kosovo
YE Yemeni|ZA .RSA South_African Sudafrika Suedafrika RSA|ZM Zambian|ZW Zimbabwean`

// countryForms are the codes, names and demonyms of countries, folded.
var countryForms = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.SplitSeq(strings.TrimSpace(moreCountryNames), "\n") {
		for entry := range strings.SplitSeq(line, "|") {
			names := strings.Fields(entry)
			if !gangway.Country(names[0]).Assigned() {
				continue
			}
			for _, name := range names[1:] {
				dots := name[:len(name)-len(strings.TrimLeft(name, "."))]
				m[dots+countryForm(strings.ReplaceAll(name, "_", " "))] = names[0]
			}
		}
	}
	for _, c := range gangway.Countries() {
		region, err := language.ParseRegion(string(c))
		if err != nil {
			continue // held by a test
		}
		code := string(c)
		m[countryForm(c.Name())] = code
		m[strings.ToLower(region.ISO3())] = code
		if n := region.M49(); n > 0 {
			m[strconv.Itoa(n)] = code
			m[strconv.Itoa(1000 + n)[1:]] = code
		}
		m[strings.ToLower(code)] = code
	}
	return m
})

// countryForm brings a country's name into the form in which they are compared.
func countryForm(text string) string {
	return strings.TrimSpace(strings.NewReplacer("'", "", "’", "", ".", "", "(", "", ")", "", ",", "", "-", " ").
		Replace(gangway.Fold(text)))
}

// countryOf returns the code of a country that is written in whatever way.
func countryOf(text string) string {
	text = strings.TrimSpace(text)
	if len(text) == 2 && gangway.Country(text).Assigned() {
		return text
	}
	form := countryForm(text)
	if isDotted(text, form) {
		form = "." + strings.ReplaceAll(form, " ", "")
	}
	if code, ok := countryForms()[form]; ok {
		return code
	}
	return text
}

// isDotted reports whether a text is an abbreviation with dots: T.C. is Turkey, and TC the code of other islands.
func isDotted(text, form string) bool {
	return strings.Contains(text, ".") && len(strings.ReplaceAll(form, " ", "")) < 4
}

func guessCountry(text string) (made, unsure string) {
	if made = countryOf(text); isDotted(made, countryForm(made)) {
		unsure = dottedGuess
	}
	return made, unsure
}
