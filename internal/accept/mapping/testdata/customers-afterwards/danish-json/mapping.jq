.medarbejdere[] | {
  id: .medarbejderNummer,
  last_name: .navn.efternavn,
  first_name: .navn.fornavne,
  dob: .foedselsdato | date("DMY"),
  gender: .koen | gender,
  nationality: .statsborgerskab | country,
  doc_country: .rejsedokument.udstedelsesland | country,
  doc_number: .rejsedokument.nummer,
  doc_expire: .rejsedokument.udloeber | date("DMY"),
  home_airport: .naermesteLufthavn,
  email: .privatMail,
  phone: .mobil | phone
}
