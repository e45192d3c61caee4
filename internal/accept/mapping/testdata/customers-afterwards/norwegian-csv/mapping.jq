.[] | {
  id: .Ansattnr,
  last_name: .Etternavn,
  first_name: .Fornavn,
  dob: .["Fødselsdato"] | date("DMY"),
  gender: {M: "M", K: "F"}[.["Kjønn"]],
  nationality: .Statsborgerskap | country,
  doc_country: .["Utstedt i"] | country,
  doc_number: .Passnr,
  doc_expire: .["Pass utløper"] | date("DMY"),
  home_airport: .Hjemmeflyplass | airport,
  email: .["E-post privat"],
  phone: .Mobiltelefon | phone
}
