.ROSTER.SEAMAN | if type == "array" then .[] else . end | {
  id: .["@REC"],
  last_name: .["@SNAME"],
  first_name: .["@GNAME"],
  dob: .["@BDATE"] | date("DMY"),
  gender: .["@GENDER"] | gender,
  nationality: .DOC["@AUTH"] | country,
  doc_country: .DOC["@AUTH"] | country,
  doc_number: .DOC["@NO"],
  doc_expire: .DOC["@TO"] | date("DMY"),
  home_airport: .ADDR["@AIRPORT"]
}
