package report

// HotelRequirements has a row for each travel request that has a hotel in it, as it was last sent.
var HotelRequirements = Set{
	Name: "HotelRequirements", Key: []string{"RequestId", "SubRequestId"},
	Columns: []Column{
		{Name: "RequestId", SQL: "request_id", Always: true, About: "The customer's identifier of the travel request."},
		{Name: "SubRequestId", SQL: "sub_request_id", Always: true,
			About: "The customer's identifier of its part; empty if it has none."},
		{Name: "Location", SQL: "location", About: "Where the hotel is needed, as the customer says it."},
		{Name: "CheckIn", SQL: "check_in", Kind: Day, About: "First night."},
		{Name: "CheckOut", SQL: "check_out", Kind: Day, About: "The day after the last night."},
		{Name: "Nights", SQL: "nights", Kind: Integer, Unit: "nights",
			About: "How many; unknown unless both days are known."},
		{Name: "PassengerLastName", SQL: "passenger_last_name", About: "The traveller's family name."},
		{Name: "PassengerFirstName", SQL: "passenger_first_name", About: "The traveller's given names."},
		{Name: "VesselName", SQL: "vessel_name", About: "The vessel that the traveller works on."},
		{Name: "VesselFlag", SQL: "vessel_flag", About: "The vessel's flag, ISO 3166-1 alpha-2."},
		{Name: "HandledAt", SQL: "handled_at", Kind: Instant,
			About: "When somebody marked it as looked after; unknown: it is still to do."},
		{Name: "HandledByUser", SQL: "handled_by_user", About: "Who did."},
	},
	About: "One row for each travel request that a hotel is needed for.",
}
