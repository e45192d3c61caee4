.[] | {
  id: .["Pers.-Nr."],
  last_name: .Name,
  first_name: .Vorname,
  dob: .["Geb.-Datum"] | date("DMY"),
  gender: .["Geschl."] | gender,
  nationality: .["Staatsang."] | country,
  doc_country: .Ausstellungsland | country,
  doc_number: .["Reisepass-Nr."],
  doc_expire: .["Pass gültig bis"] | date("DMY"),
  home_airport: .Abflughafen | airport,
  email: .["E-Mail"]
}
