package mapping

import (
	"strings"
)

// Common names of fields, as crew systems give them in several languages, reduced
// as bare does. A name that means one thing in one system and another in the next
// is not here: it is for a program to say.

// personNames are how travellers' fields are called.
const personNames = `
last_name: lastname surname family last surnam lstnam lstnme familyname famname lname lastnames surnames familyn seafarersurname crewlastname
  passengerlastname paxlastname nachname familienname zuname apellido apellidos primerapellido sobrenome apelido
  ultimonome nomdefamille nomfamille cognome achternaam familienaam etternavn efternavn efternamn nazwisko
  sukunimi soyad soyadi prezime familia surnameasinpassport lastnameperpassport nafn
first_name: firstname givenname given first fstnam fstnme givnam givennames forename forenames firstnames fname christianname firstandmiddlename
  firstmiddlename givenn seafarerfirstname crewfirstname passengerfirstname paxfirstname vorname vornamen
  rufname nombres nombre prenom prenoms primeironome nomepropio voornaam voornamen fornavn fornavne fornamn imie
  imiona etunimi adi ime imya
full_name: fullname wholename crewname seafarername seafarer employeename passengername paxname travellername
  travelername personname namen nameofseafarer nameofcrew crewmembername crewmember nombrecompleto nomecompleto
  nomcomplet nomecognome vollername vollstandigername fullstandignavn volledigenaam imieinazwisko
  nachnamevorname namevorname surnamefirstname surnamegivennames lastnamefirstname namecomplete
dob: dob dateofbirth birthdate birthday birthdt dtbirth dateofbrth birth bdate born dobirth geburtsdatum
  geburtstag gebdatum gebdat geborenam gebdt fechadenacimiento fechanacimiento fecnacimiento fnacimiento
  nacimiento fnac datadenascimento datanascimento nascimento datedenaissance datenaissance naissance nele
  datadinascita datanascita nascita geboortedatum gebdatum fodselsdato fodt fodselsdag fodelsedatum
  dataurodzenia urodzony syntymaaika dogumtarihi datumrodjenja datarozhdeniya
nationality: nationality nationalities nation citizenship citizen natl nat natcode nationalitycode
  countryofcitizenship nationalityiso natlty staatsangehorigkeit staatsangehoerigkeit nationalitat nationalitaet
  staatsburgerschaft nacionalidad nacionalidade nationalite nazionalita cittadinanza nationaliteit nasjonalitet
  statsborgerskap nationalitet narodowosc obywatelstwo kansalaisuus uyruk uyrugu drzavljanstvo grazhdanstvo
gender: gender sex sexcode gendercode geschlecht geschl anrede sexo genero sexe genre civilite sesso geslacht
  kjonn kon plec sukupuoli cinsiyet cinsiyeti spol pol
doc_country: doccountry documentcountry passportcountry passportissuecountry passportissuingcountry
  issuingcountry countryofissue issuecountry issuingstate passportissuingstate passportissuedby
  passportcountryofissue ppcountry pptcountry ppissuecountry ppissue passportstate documentissuingcountry
  documentcountryofissue passportnationality docissuecountry ausstellungsland passland ausstellerland
  ausstellenderstaat ausgestelltin paisemision paisdeemision paisexpedicion paisdeexpedicion paispasaporte
  paisemissor paisdeemissao paispassaporte paysdelivrance paysdemission payspasseport paesedirilascio
  paeserilascio paesepassaporte landvanafgifte landvanuitgifte utstedelsesland utstederland passutstedtland
  udstedelsesland utfardandeland krajwydania krajwydaniapaszportu
doc_number: docnumber pasnum pasno documentnumber documentno docno passport passportnumber passportno passportnr passportnum
  passno passnr passnumber passnum pptno pptnumber ppno ppnumber ppnr pp ppt traveldocumentnumber traveldocument
  traveldocumentno traveldocno iddocumentnumber passportid passnummer passnr reisepassnummer reisepassnr
  reisepass pasaporte numeropasaporte numerodepasaporte nopasaporte npasaporte
  numpasaporte nrpasaporte passaporte numeropassaporte numerodepassaporte numerodopassaporte npassaporte
  nrpassaporte passeport numeropasseport numerodepasseport nopasseport npasseport numpasseport passaporto
  numeropassaporto numerodipassaporto npassaporto paspoort paspoortnummer paspoortnr documentnummer
  passnummer pasnummer pasnr passinummer paszport numerpaszportu
  nrpaszportu passinnumero pasaportno brojpasosa nomerpasporta
doc_expire: docexpire docexpiredate docexpiry documentexpiry documentexpirydate docexpirydate documentvaliduntil
  documentvalidto passportexpiry passportexpirydate passportexpire passportexpires passportexp passportexpdate
  passportexpiration passportexpirationdate passportvalid passportvaliduntil passportvalidto passportvalidity
  passportdateofexpiry passporttodate passportenddate passportuntil passexpiry passexp passexpire passexpirydate
  ppexpiry ppexp ppexpires ppexpirydate ppvaliduntil ppvalid pptexpiry pptexp expiry expirydate expdate expire
  expires expiration expirationdate expdt dateofexpiry validuntil validto validtill validthru gultigbis
  gueltigbis ablaufdatum passgultigbis passgueltigbis reisepassgultigbis reisepassgueltigbis passablaufdatum
  passablauf ausweisgultigbis gultigkeit ablauf passgultig caducidad fechacaducidad fechadecaducidad
  caducidadpasaporte vencimiento fechavencimiento fechadevencimiento vencimientopasaporte validezpasaporte
  validade datadevalidade datavalidade validadepassaporte validadedopassaporte vencimentopassaporte
  dateexpiration datedexpiration expirationpasseport datevalidite datedevalidite validitepasseport scadenza
  datascadenza datadiscadenza scadenzapassaporto geldigtot vervaldatum paspoortgeldigtot verloopdatum utlopsdato
  utloper gyldigtil passutloper passgyldigtil udlobsdato datawaznosci waznydo terminwaznosci
  datawaznoscipaszportu waznoscpaszportu giltigttill utgangsdatum
home_airport: homeairport homeairportcode nearestairport closestairport airport airportcode homeairportiata iata
  iatacode departureairport localairport homeap baseairport airporthome heimatflughafen flughafen abflughafen
  aeropuerto aeropuertoorigen aeropuertocercano aeropuertodeorigen aeroporto aeroportodeorigem aeroportoorigem
  aeroportocasa aeroport aeroportdedepart aeroportdomicile aeroportodipartenza luchthaven hjemmeflyplass
  flyplass naermesteflyplass lufthavn lotnisko lotniskodomowe hemflygplats gateway homegateway gatewayairport
  homecity homeport
email: email emailaddress emailaddr mail mailaddress emails privateemail personalemail workemail eml correo
  correoelectronico correoe courriel adressemail adresseemail emailadresse mailadresse postaelettronica epost
  epostadresse enderecodeemail adresemail
phone: phone phonenumber phoneno telephone telephoneno telephonenumber tel telno mobile mobileno mobilenumber
  mobilephone cell cellphone cellular contactno contactnumber gsm msisdn phonemobile telefon telefonnummer
  telefonnr handy handynummer handynr mobil mobilnummer mobiltelefon rufnummer telefono movil celular
  telefonomovil telefone telemovel telemobile portable numerotelephone cellulare numeroditelefono telefoon
  telefoonnummer mobiel mobielnummer telefonnummer numertelefonu komorka puhelin
id: id crewid pin workerid workerno workernumber empno employeeid employeeno employeenumber empid empno empcode personid personnelid personnelno
  personnelnumber staffid staffno seafarerid seafarerno crewno crewcode crewnumber crewidnumber travellerid
  travelerid passengerid hrid externalid extid personalnummer personalnr persnr pernr mitarbeiternummer
  mitarbeiternr mitarbeiterid codigoempleado numeroempleado idempleado codigotripulante idtripulante matricula
  matricule numeromatricule codicedipendente codice personeelsnummer personeelsnr ansattnr ansattnummer
  medarbejdernr anstallningsnummer numerpracownika idpracownika
`

// falseFriends are names that look like one of ours and mean something else, by that field.
var falseFriends = map[string]string{"numerodocumento": "doc_number", "numerodedocumento": "doc_number",
	"nrodocumento": "doc_number", "dni": "doc_number", "numerodni": "doc_number", "nationalid": "doc_number",
	"nationalidno": "doc_number", "nationalidnumber": "doc_number", "idcardno": "doc_number",
	"idcardnumber": "doc_number", "ausweisnummer": "doc_number", "ausweisnr": "doc_number", "ausweis": "doc_number",
	"joiningairport": "home_airport", "joinairport": "home_airport"}

// requestNames are how the other fields of travel requests are called.
const requestNames = `
externalInfo.requestId: requestid requestno requestnumber requestref travelrequest travelrequestid
  travelrequestno travelrequestnumber reqid reqno requisitionno requisition orderno trno trid tripid tripno
  tripnumber reference ref refno anforderungsnummer antragsnummer reiseantrag reiseantragsnummer auftragsnummer
  vorgangsnummer solicitud numerosolicitud numerodesolicitud idsolicitud solicitacao numerosolicitacao
  numerodasolicitacao demande numerodemande numerodedemande richiesta numerorichiesta aanvraagnummer aanvraag
  foresporsel reisekrav bestillingsnr numerwniosku wniosek
externalInfo.subRequestId: subrequestid subrequest subid subno subreqid subrequestno leg legno lineno linenumber
  itemno positionsnummer position posnr
externalInfo.additionalInfo: additionalinfo
traveler.customFields: customfields
flight.origin: origin from fromairport departure departureairport departurecity depairport depport fromcode
  fromcity originairport startairport embarkationairport abflugort abflughafen von abflug startflughafen origen
  aeropuertoorigen aeropuertosalida desde salida origem aeroportoorigem de partida aeroportdepart depart
  villedepart lieudedepart partenza aeroportopartenza da vertrekluchthaven vertrek avreise fra avreiseflyplass
  avrejse skad wylot lotniskowylotu
flight.destination: destination to toairport arrival arrivalairport arrivalcity arrairport tocode tocity
  destairport dest destinationairport zielort ziel zielflughafen nach destino aeropuertodestino aeroportodestino
  hasta llegada chegada aeroportarrivee arrivee villearrivee destinazione arrivo aeroportoarrivo bestemming
  aankomst ankomst til destinasjon dokad przylot lotniskoprzylotu cel
flight.date: date traveldate flightdate departuredate depdate dateofdeparture dateoftravel flydate reisedatum
  abflugdatum flugdatum abreisedatum abreise fechaviaje fechadeviaje fechasalida fechadesalida fechavuelo
  datadaviagem dataviagem datadepartida datavoo datevoyage datedevoyage datedepart datededepart datevol
  datadiviaggio dataviaggio datapartenza datavolo reisdatum vertrekdatum reisedato avreisedato datapodrozy
  datawylotu
flight.intermediateAirports: intermediateairports via stops stopovers
hotel.location: location hotel hotellocation hotelcity hotelname accommodation hotelort unterkunft hotelciudad
  alojamiento hospedagem hebergement lieuhotel alloggio albergo
hotel.checkIn: checkin checkindate hotelcheckin hotelfrom hotelstart hotelarrival checkindt hotelvon anreise
  anreisedatum fechaentrada entrada datadeentrada datearriveehotel
hotel.checkOut: checkout checkoutdate hotelcheckout hoteluntil hotelto hotelend hoteldeparture hotelbis
  abreisehotel fechasalidahotel saida datadesaida datedeparthotel
details.rank: rank position title rang dienstgrad funktion rango cargo puesto grade fonction grado stilling
  stanowisko
details.remarks: remarks remark comment comments note notes bemerkung bemerkungen kommentar observaciones
  observacoes remarques osservazioni opmerkingen merknad uwagi
details.vehicle.name: vessel vesselname ship shipname vehicle vehiclename unit schiff schiffsname buque
  nombrebuque barco embarcacion navio nomedonavio navire nomnavire nave nomenave schip scheepsnaam skip
  skipsnavn fartoy statek nazwastatku
details.vehicle.flag: flag vesselflag flagstate flagcountry shipflag vehicleflag flagge schiffsflagge bandera
  bandeira pavillon bandiera vlag flagg bandera
details.vehicle.vehicleType: vehicletype vesseltype unittype schiffstyp tipobuque
`

// crewNames are how the fields of crew changes are called.
const crewNames = `
vessel: vessel vesselname ship shipname unit unitname vsl vslname schiff schiffsname buque nombrebuque barco
  embarcacion navio nomedonavio navire nomnavire nomdunavire nave nomenave schip scheepsnaam skip skipsnavn
  fartoy skib statek nazwastatku
flag: flag vesselflag flagstate flagcountry shipflag flagge schiffsflagge flaggenstaat bandera bandeira pavillon
  bandiera vlag flagg
change_date: changedate crewchangedate crewchange dateofchange ccdate date changeon wechseldatum ablosedatum
  abloesedatum wechsel fechacambio fechadecambio fecharelevo datadatroca datatroca datareleve datechangement
  datedereleve datacambio datawymiany wisseldatum mannskapsskifte skiftedato
travel_request_id: travelrequestid travelrequest requestid requestno crewchangeid crewchangeno ccid eventid
  changeid relievingid
side: side onoff signonoff direction action movement type status signtype joinleave event activity movementtype
  onoffsigner onsigneroffsigner signonsignoff richtung anabmusterung anab bewegung movimiento
  embarquedesembarque movimento mouvement movimentotipo beweging retning kierunek
arrive: arrive arrives arrival arrivaldate arrivedate arriveby joindate joiningdate signondate signon embarkdate
  embarkationdate ankunft ankunftsdatum anmusterung llegada fechallegada fechaembarque embarque chegada
  datadeembarque arrivee datearrivee arrivo dataarrivo aankomst ankomst ankomstdato przyjazd
depart: depart departs departure departuredate departdate departafter leavedate leavingdate signoffdate signoff
  disembarkdate disembarkationdate abreise abreisedatum abmusterung salida fechasalida fechadesembarque
  desembarque saida datadedesembarque departdate datedepart partenza datapartenza vertrek avreise avreisedato
  wyjazd
`

// crewLists are how the lists of a crew change's members are called.
const crewLists = `
onsigners: onsigners onsigner onsigning joiners joining signon signingon embarking embark embarks on oncoming
  anmusternde anmusterung embarcan embarques embarques embarquants montants
offsigners: offsigners offsigner offsigning leavers leaving signoff signingoff disembarking disembark disembarks
  off offgoing abmusternde abmusterung desembarcan desembarques debarquants descendants
members: members crew crewmembers persons people seafarers tripulantes besatzung crewlist equipage equipaggio
  mannschaft
`

// sides are how tables of crew changes say who joins and who leaves, folded and bare.
var sides = byWord(map[string]string{
	"onsigners": `on onsigner onsigners onsigning join joiner joining joins signon signson signingon embark embarks
			embarking embarkation so son in i an anmusterung anmusternd einstieg embarca embarque embarquement
			embarco imbarco sube alta montant aanmonstering pamonstring pamonstrer zaokretowanie 1`,
	"offsigners": `off offsigner offsigners offsigning leave leaver leaving leaves signoff signsoff signingoff
			disembark disembarks disembarking disembarkation soff out o ab abmusterung abmusternd ausstieg
			desembarca desembarque debarquement desembarco sbarco baja descendant afmonstering avmonstring
			avmonstrer wyokretowanie 2`,
})

// byWord returns what each word stands for, of a table of words by what they stand for.
func byWord(table map[string]string) map[string]string {
	m := map[string]string{}
	for of, words := range table {
		for w := range strings.FieldsSeq(words) {
			m[w] = of
		}
	}
	return m
}

// containers are the names of objects within a record whose members are the
// record's own, and what is to be read before the members' names.
var containers = byWord(map[string]string{
	"": `person personal personaldata personaldetails personalinfo personalinformation data details basic
			general profile identity employee employeedetails crew crewmember seafarer traveller traveler
			passenger pax member attributes properties fields record contact contacts contactdetails contactinfo
			contactdata communication kontakt persona person personalien stammdaten datospersonales
			dadospessoais donneespersonnelles datipersonali contacto contato home homeaddress person1 content
			info birth personne tripulante`,
	"passport": `passport passports traveldocument traveldocuments document documents iddocument doc docs pass
			reisepass ausweis pasaporte passaporte passeport passaporto paspoort paszport reisedokument`,
	"name":     `name names personname fullname`,
	"flight":   `flight flights flug vuelo voo vol volo vlucht travel journey trip routing itinerary reise`,
	"hotel":    `hotel hotels accommodation unterkunft`,
	"vehicle":  `vehicle vessel ship schiff buque navio navire nave details.vehicle`,
	"external": `externalinfo external reference request`,
})

// within are the names that mean something else in a container than outside.
var within = map[string]string{
	"passportnumber": "doc_number", "passportno": "doc_number", "passportnr": "doc_number", "passportid": "doc_number",
	"passportnummer": "doc_number", "passportnumero": "doc_number", "passportcountry": "doc_country",
	"passportissuingcountry": "doc_country", "passportissuer": "doc_country", "passportissuedby": "doc_country",
	"passportcountrycode": "doc_country", "passportcountryofissue": "doc_country", "passportstate": "doc_country",
	"passportissuecountry": "doc_country", "passportland": "doc_country", "passportpais": "doc_country",
	"passportexpiry": "doc_expire", "passportexpirydate": "doc_expire", "passportexpires": "doc_expire",
	"passportvaliduntil": "doc_expire", "passportvalidto": "doc_expire", "passportexpirationdate": "doc_expire",
	"passportdateofexpiry": "doc_expire", "passportexpiration": "doc_expire", "passportexpire": "doc_expire",
	"passportto": "doc_expire", "passportgultigbis": "doc_expire", "passportnationality": "",
	"namelast": "last_name", "namefamily": "last_name", "namesurname": "last_name", "namefamilyname": "last_name",
	"namelastname": "last_name", "namefirst": "first_name", "namegiven": "first_name", "namegivenname": "first_name",
	"namegivennames": "first_name", "namefirstname": "first_name", "namefull": "full_name", "namefullname": "full_name",
	"nametext":   "full_name",
	"flightfrom": "flight.origin", "flightto": "flight.destination", "flightdate": "flight.date",
	"flightdepart": "flight.date", "flightdeparture": "flight.date", "flightday": "flight.date",
	"hotelcity": "hotel.location", "hotelname": "hotel.location", "hotelfrom": "hotel.checkIn",
	"hotelto": "hotel.checkOut", "hotelplace": "hotel.location", "hotelarrival": "hotel.checkIn",
	"hoteldeparture": "hotel.checkOut",
	"vehiclename":    "details.vehicle.name", "vehicleflag": "details.vehicle.flag",
	"vehicletype": "details.vehicle.vehicleType",
	"externalid":  "externalInfo.requestId", "externalnumber": "externalInfo.requestId",
}
