.[] | {
  externalInfo: {requestId: .["Nr wniosku"]},
  traveler: {
    lastName: .["Nazwisko i imię"] | family_name,
    firstName: .["Nazwisko i imię"] | given_names,
    dob: .["Data ur."] | date("DMY"),
    gender: ({M: "M", K: "F"}[.["Płeć"]]),
    nationality: .Obywatelstwo,
    docCountry: .["Kraj paszportu"],
    docNumber: .["Paszport seria i nr"],
    docExpireDate: .["Paszport ważny do"] | date("DMY")
  },
  flight: {
    origin: .["Wylot z"],
    destination: .["Przylot do"],
    date: .["Data wylotu"] | date("DMY")
  },
  details: {vehicle: {name: .Statek}}
}
