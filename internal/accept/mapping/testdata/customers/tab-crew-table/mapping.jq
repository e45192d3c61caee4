. | group_by([.Vessel, .["CC Date"]])[] | {
  vessel: .[0].Vessel,
  flag: .[0].Flag,
  change_date: .[0]["CC Date"] | date("DMY"),
  onsigners: [.[] | select(.["On/Off"] == "ON") | {
    last_name: .Surname,
    first_name: .["Given Name(s)"],
    dob: .DOB | date("DMY"),
    gender: .Sex,
    nationality: .["Nat."] | country,
    doc_country: .["PPT Country"] | country,
    doc_number: .["PPT No"],
    doc_expire: .["PPT Expiry"] | date("DMY"),
    home_airport: .Airport
  }],
  offsigners: [.[] | select(.["On/Off"] == "OFF") | {
    last_name: .Surname,
    first_name: .["Given Name(s)"],
    dob: .DOB | date("DMY"),
    gender: .Sex,
    nationality: .["Nat."] | country,
    doc_country: .["PPT Country"] | country,
    doc_number: .["PPT No"],
    doc_expire: .["PPT Expiry"] | date("DMY"),
    home_airport: .Airport
  }]
}
