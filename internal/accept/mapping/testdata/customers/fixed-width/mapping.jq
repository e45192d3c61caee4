.[] | {
  id: .EMPNO,
  last_name: .SURNAM,
  first_name: .FSTNAM,
  dob: .BRTDAT | date("YMD"),
  gender: .SEXCOD,
  nationality: .NATCOD | country,
  doc_country: .NATCOD | country,
  doc_number: .PASNUM,
  doc_expire: .PASEXP | date("YMD"),
  home_airport: .HOMAPT
}
