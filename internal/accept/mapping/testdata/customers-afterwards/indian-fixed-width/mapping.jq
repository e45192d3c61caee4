.[] | {
  externalInfo: {requestId: .["REQ-NO"]},
  traveler: {
    id: .["INDOS-NO"],
    lastName: .SURNAME,
    firstName: .["GIVEN-NAME"],
    gender: .SEX | gender,
    dob: .["BIRTH-DT"] | date("DMY"),
    nationality: .NATLY | country,
    docNumber: .["PPT-NO"],
    docCountry: .["PPT-ISS-CTRY"] | country,
    docExpireDate: .["PPT-VALID-UPTO"] | date("DMY")
  },
  flight: {
    origin: .["FROM-STN"],
    destination: .["TO-STN"],
    date: .["TRVL-DT"] | date("DMY")
  },
  details: {vehicle: {name: .["VSL-NAME"]}}
}
