package mapping

import (
	"strings"
	"testing"

	"gangway/internal/gangway"
)

// The built-in mapping, without a program.
func TestCommonNamesAreUnderstood(t *testing.T) {
	for _, tt := range []struct {
		name string
		flow gangway.Flow
		doc  string
		want string
	}{
		{"our own shape", gangway.TravellersFlow, `[{"last_name":"Cruz","first_name":"Ana","dob":"1985-02-01","rank":"AB"}]`,
			`{"dob":"1985-02-01","first_name":"Ana","last_name":"Cruz","rank":"AB"}`},
		{"English", gangway.TravellersFlow,
			"Surname,Given Names,Date of Birth,Sex,Nationality,Passport No.,Expiry Date,Issuing Country\n" +
				"Cruz,Ana,1 Feb 1985,Female,Filipino,P1,31 Dec 2030,PHL\n",
			`{"dob":"1985-02-01","doc_country":"PH","doc_expire":"2030-12-31","doc_number":"P1","first_name":"Ana","gender":"F","last_name":"Cruz","nationality":"PH"}`},
		{"German", gangway.TravellersFlow,
			"Nachname;Vorname;Geburtsdatum;Geschlecht;Reisepassnummer\n" +
				"Müller;Jürgen;01.02.1985;männlich;C1234567\n",
			`{"dob":"1985-02-01","doc_number":"C1234567","first_name":"Jürgen","gender":"M","last_name":"Müller"}`},
		{"Spanish", gangway.TravellersFlow,
			"Apellidos;Nombre;Fecha de nacimiento;N.º de pasaporte;Nacionalidad\n" +
				"García;Eva;31/12/1985;PAB1234;ES\n",
			`{"dob":"1985-12-31","first_name":"Eva","last_name":"García","nationality":"ES","N.º de pasaporte":"PAB1234"}`},
		{"men are H, so women are M, also where M comes first", gangway.TravellersFlow,
			"Apellidos;Nombre;Sexo\nGarcía;Eva;M\nRuiz;Luis;H\n",
			`{"first_name":"Eva","gender":"F","last_name":"García"}` + "\n" +
				`{"first_name":"Luis","gender":"M","last_name":"Ruiz"}`},
		{"women are F, so men are M", gangway.TravellersFlow, "Apellidos;Nombre;Sexo\nRuiz;Luis;M\nGarcía;Eva;F\n",
			`{"first_name":"Luis","gender":"M","last_name":"Ruiz"}` + "\n" +
				`{"first_name":"Eva","gender":"F","last_name":"García"}`},
		{"a Spanish M alone may be either", gangway.TravellersFlow, "Apellidos;Nombre;Sexo\nRuiz;Luis;M\n",
			`{"first_name":"Luis","gender":"M (mujer or masculino)","last_name":"Ruiz"}`},
		{"a Portuguese M is a man", gangway.TravellersFlow, "Sobrenome;Sexo;Nacionalidade\nSilva;M;PT\n",
			`{"gender":"M","last_name":"Silva","nationality":"PT"}`},
		{"men are H in French, too", gangway.TravellersFlow, "Nom;Prénom;Sexe\nRoux;Luc;H\nRoux;Eva;F\n",
			`{"first_name":"Luc","gender":"M","last_name":"Roux"}` + "\n" +
				`{"first_name":"Eva","gender":"F","last_name":"Roux"}`},
		{"a date that may be two stays as it is", gangway.TravellersFlow, "surname,dob\nCruz,01/02/1985\n",
			`{"dob":"01/02/1985","last_name":"Cruz"}`},
		{"whole names that say which is which", gangway.TravellersFlow,
			"name,id\n\"CRUZ, Ana\",1\nAna CRUZ,2\nAna Cruz,3\n",
			`{"first_name":"Ana","id":"1","last_name":"CRUZ"}` + "\n" + `{"first_name":"Ana","id":"2","last_name":"CRUZ"}` + "\n" +
				`{"id":"3","full_name":"Ana Cruz"}`},
		{"a name beside a first name is the last", gangway.TravellersFlow, "Name;Vorname\nMüller;Eva\n",
			`{"first_name":"Eva","last_name":"Müller"}`},
		{"nested", gangway.TravellersFlow,
			`[{"person":{"name":{"family":"Cruz","given":"Ana"}},"passport":{"number":"P1","country":"PHL","expiry":"2030-01-01"},"contact":{"email":"a@b.example"}}]`,
			`{"doc_country":"PH","doc_expire":"2030-01-01","doc_number":"P1","email":"a@b.example","first_name":"Ana","last_name":"Cruz"}`},
		{"a list within", gangway.TravellersFlow, `{"data":{"count":1,"items":[{"surname":"Cruz","firstName":"Ana"}]}}`,
			`{"first_name":"Ana","last_name":"Cruz"}`},
		{"OData", gangway.TravellersFlow, `{"@odata.context":"x","value":[{"LastName":"Cruz","FirstName":"Ana"}]}`,
			`{"first_name":"Ana","last_name":"Cruz"}`},
		{"a document element with one", gangway.TravellersFlow, `<?xml version="1.0"?><crew><m id="7"><last_name>Cruz</last_name><first_name>Ana</first_name></m></crew>`,
			`{"first_name":"Ana","id":"7","last_name":"Cruz"}`},
		{"SOAP", gangway.TravellersFlow, `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><r:FindResponse xmlns:r="x"><r:Person>` +
			`<r:Surname>Cruz</r:Surname><r:FirstName>Ana</r:FirstName><r:Dob>1985-02-01</r:Dob></r:Person></r:FindResponse></s:Body></s:Envelope>`,
			`{"dob":"1985-02-01","first_name":"Ana","last_name":"Cruz"}`},
		{"a flat travel request", gangway.TravelRequestsFlow,
			"Request No,Surname,First Name,From,To,Travel Date,Vessel,Flag\n" +
				"R1,Cruz,Ana,Manila,SIN,2026-12-01,MV A,Panama\n",
			`{"details":{"vehicle":{"flag":"PA","name":"MV A"}},"externalInfo":{"requestId":"R1"},"flight":{"date":"2026-12-01","destination":"SIN","origin":"MNL"},"traveler":{"firstName":"Ana","lastName":"Cruz"}}`},
		{"B3 without externalInfo", gangway.TravelRequestsFlow, `[{"requestId":"R1","traveler":{"lastName":"Cruz","firstName":"Ana"},"hotel":{"location":"SIN"}}]`,
			`{"externalInfo":{"requestId":"R1"},"hotel":{"location":"SIN"},"traveler":{"firstName":"Ana","lastName":"Cruz"}}`},
		{"a crew change", gangway.CrewChangesFlow, `[{"vessel":"MV A","changeDate":"2026-12-01","joiners":[{"surname":"Cruz","givenName":"Ana","arrive":{"port":"SIN","date":"2026-11-30"}}]}]`,
			`{"change_date":"2026-12-01","onsigners":[{"arrive":{"date":"2026-11-30","port":"SIN"},"first_name":"Ana","last_name":"Cruz"}],"vessel":"MV A"}`},
		{"a table of crew changes", gangway.CrewChangesFlow,
			"Ship,Date,On/Off,Surname,First name\nMV A,2026-12-01,ON,Cruz,Ana\nMV B,2026-12-01,on,Li,Wei\n" +
				"MV A,2026-12-01,OFF,Berg,Ola\n",
			`{"change_date":"2026-12-01","offsigners":[{"first_name":"Ola","last_name":"Berg"}],"onsigners":[{"first_name":"Ana","last_name":"Cruz"}],"vessel":"MV A"}` + "\n" +
				`{"change_date":"2026-12-01","onsigners":[{"first_name":"Wei","last_name":"Li"}],"vessel":"MV B"}`},
		{"a row without a side", gangway.CrewChangesFlow,
			"vessel,change_date,side,last_name,first_name\nMV A,2026-12-01,x,Cruz,Ana\n",
			`line 2: its side must be on or off`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := made(t, "", tt.flow, tt.doc); got != tt.want {
				t.Fatalf("of %s\n got %s\nwant %s", tt.doc, got, tt.want)
			}
		})
	}
}

// TestEveryFieldIsFoundByItsName goes by the table of travellers: a column called as a member arrives there, in each
// flow, also where nobody has thought of other names for it yet.
func TestEveryFieldIsFoundByItsName(t *testing.T) {
	for flow, where := range map[gangway.Flow]func(string) string{gangway.TravellersFlow: strings.ToLower,
		gangway.CrewChangesFlow: strings.ToLower, gangway.TravelRequestsFlow: inTraveler} {
		for _, m := range gangway.UploadedTraveller.Members {
			if got := vocabularies()[flow].targets[bare(m.Name)]; got != where(m.Name) {
				t.Errorf("%s: a column %q is read as %q; want %q", flow, m.Name, got, where(m.Name))
			}
		}
	}
}
