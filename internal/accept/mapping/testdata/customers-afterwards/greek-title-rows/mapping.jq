.[] | {
  id: .CODE,
  last_name: .SURNAME,
  first_name: .NAME,
  dob: .["D.O.B."] | date("DMY"),
  gender: .SEX | gender,
  nationality: .["NAT."] | country,
  doc_country: .["P/P ISSUED BY"] | country,
  doc_number: .["PASSPORT No"],
  doc_expire: .["P/P EXPIRY"] | date("DMY"),
  home_airport: .["NEAREST AIRPORT"] | airport,
  phone: .["TEL."] | phone
}
