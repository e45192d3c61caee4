package store

// A schemaTable describes a table: who owns its rows, and which of its columns
// say something about a traveller. Every new column has to be judged: a test
// reads the schema and fails for one that is not listed here.
//
// EraseTraveller and the erasing of old data empty the personal columns or
// delete their rows. Some of the others say something about the customer's own
// staff: who booked, and who signs in. They go with the person or the customer.
//
// Decided: docs/choices.md, "Erasure".
type schemaTable struct {
	table    string
	owner    owner
	personal string // separated by spaces
	other    string
}

// An owner says which column finds a customer's rows when the customer is removed.
type owner int

const (
	ofNobody   owner = iota // the rows are no customer's
	ofAccount               // by the column account
	ofCustomer              // by the column customer
	itself                  // the row is the customer, or its account
)

// keptTables are all tables of the schema. Their personal columns are:
//
//   - doc: the records as they came or as they were made
//   - outranked: other sources' versions of the same record; former: those before it moved
//   - news: whom an upload brought
//   - snapshot: the booking as the customer was told of it
//   - keys, names, words of customers and of people: they name somebody, or may
//
// A booking keeps the vessel and the identifiers of the travel request and crew
// change that it was made for: they name a ship and a journey. It also keeps
// tickets and locators, because the airline is paid by them. A person's own
// values are removed from all of these (erasure.OwnValues).
var keptTables = []schemaTable{
	{"traveller", ofAccount, "key surname given doc outranked",
		"account version seen_at traced source last_seen generation"},
	{"traveller_word", ofAccount, "word key", "account"},    // deleted with their traveller
	{"unworded", ofAccount, "keys after_key", "account id"}, // of what was just sent: gone within seconds
	// Hashes of personal values: the foreign key deletes them with their records.
	{"traveller_trace", ofNobody, "mark", "account key"},
	{"travel_request_trace", ofNobody, "mark", "account request_id sub_request_id"},
	{"crew_change_trace", ofNobody, "mark", "account key"},
	{"search_trace", ofNobody, "mark", "account id"},
	{"booking_trace", ofNobody, "mark", "account id"},
	{"intent_trace", ofNobody, "mark", "account id"},
	{"batch_item_trace", ofNobody, "mark", "account batch booking"},
	{"travel_request", ofAccount, "doc handled_note outranked",
		"account request_id sub_request_id starts hotel_from vessel version handled_at handled_by undated " +
			"seen_at traced source last_seen generation"},
	{"crew_change", ofAccount, "doc dropped outranked former news",
		"account key vessel change_date version moved seen_at traced source last_seen generation named moves gone " +
			"rules"},
	{"crew_change_question", ofNobody, "", "account older newer why answered"}, // deleted with its crew changes
	{"search", ofAccount, "doc", "account id by_whom created_at traced"},
	{"booking", ofAccount, "passenger doc",
		"account id locator state version vessel change_key search request sub_request departs tickets " +
			"created_at created_by acted_at ticket_by hold_until check_at supplier_order " +
			"supplier attention erased_at deadline traced needs issues_at misfit compare mailed change_to_approve"},
	{"booking_ending", ofAccount, "", "account booking ending at seen_at seen_by seen_name"},
	{"report_view", ofAccount, "", "account name query saved_by saved_by_name saved_at mailed_to mail_due"},
	{"shift_note", ofAccount, "words", "account at by_whom by_name"},
	{"booking_ticket", ofAccount, "", "account number booking"},
	{"booking_reference", ofAccount, "", "account reference booking"},
	{"booking_vessel", ofAccount, "", "account vessel"},
	{"report_booking", ofAccount,
		"passenger_last_name passenger_first_name reject_reason custom_fields_map search members",
		"account booking_id locator state co2_emissions_kg co2_forced mileage_km created_at departure_at arrival_at " +
			"cancelled_at first_origin last_destination full_route total_connection_duration no_show rejected_at " +
			"approved_at payment_method frequent_flyer_number_used terms_fare_type vessel_name vessel_flag " +
			"price_total price_currency created_by_user_name approved_by_user_name rejected_by_user_name " +
			"cancelled_by_user_name " +
			"flight_numbers pnrs fare_plating_carriers airline_names ticket_numbers invoice_numbers refund_total " +
			"refund_currency changed"},
	{"report_segment", ofAccount, "search members",
		"account booking_id number state created_at leg flight_number carrier carrier_name operating_carrier " +
			"operating_carrier_name origin destination departure_at arrival_at cabin aircraft mileage_km " +
			"co2_emissions_kg co2_forced vessel_name changed gone"},
	{"report_refund", ofAccount, "search members",
		"account booking_id asked_at settled_at awaited voided promised_total refund_total returned_total " +
			"outstanding_total kept_total refund_currency changed gone"},
	{"report_build", ofAccount, "", "account fresh reached"},
	{"report_period", ofAccount, "", "account period packed"}, // nobody's name
	{"report_mark", ofAccount, "", "account mark"},
	{"action", ofAccount, "note snapshot", "account booking seq name at by_whom by_name changed request"},
	{"intent", ofAccount, "doc outcome passenger",
		"account id booking slot kind by_whom open created_at lease supplier traced request"},
	{"batch", ofAccount, "",
		"account id kind search change_key by_id by_whom by_name created_at pending lease holder request"},
	{"batch_item", ofAccount, "doc outcome", "account batch booking place member state traced acts_on"},
	{"move_spent", ofAccount, "", "account id move_limit change_key root amount at"},
	{"supplier_document", ofAccount, "doc", "account id reference version"},
	{"attempt", ofAccount, "answer", "account outlet booking seq at took_ms status webhook_id"},
	{"search_finding", ofAccount, "", "account key place doc"}, // flights; only the place says who they are for
	{"search_session", ofAccount, "", "account key holder lease expires found size ended"},
	{"idempotency", ofAccount, "answer", "account route key body_hash created_at"},
	{"logged_request", ofAccount, "details", "account id at took_ms method path status api_key received sent"},
	{"request_body", ofAccount, "body answer", "account id"},
	{"request_log", ofAccount, "", "account missing missing_at erased_at"},
	{"handoff", ofNobody, "doc", "token_hash created_at network"},
	{"handoff_waiting", ofNobody, "", "network minute bytes"},
	{"session", ofNobody, "data", "token expires"},

	{"delivery", ofAccount, "body", "account outlet booking seq id state made_at done_at attempts batch"},
	{"lane", ofAccount, "", "account outlet booking pending due tries first_at lease holder"},
	{"waiting", ofAccount, "", "account booking from_seq to_seq since latest pull taken"},
	{"pull", ofAccount, "", "account id number created_at bookings actions written lease"},
	{"pull_booking", ofAccount, "", "account pull place booking from_seq to_seq"},
	{"feed_arrival", ofAccount, "report answer", "account feed key run failed"},
	{"feed_document", ofAccount, "name doc", "account feed run place portion content_type"},
	{"feed_run", ofAccount, "remarks", "account feed id began ended created updated removed failed doc"},
	{"feed_version", ofAccount, "", "account feed version doc made_at by_whom by_name"},
	{"feed", ofAccount, "", "account name doc secrets version due lease holder have size good_at failing"},
	{"outlet", ofAccount, "",
		"account id name kind settings credentials states mapping format batch paused secrets off off_reason " +
			"created_at failing_since held_until set_at resumed_at"},
	{"outlet_notice", ofAccount, "", "account outlet news since told_at well_since parked parked_told_at"},
	{"outlet_mail", ofAccount, "", "account id outlet person news since told_at due tries"},
	{"desk_mail", ofAccount, "", "account id person booking told_at due tries"},
	{"report_mail", ofAccount, "", "account id person report_view told_at due tries"},
	{"account_use", ofAccount, "", "account at"},
	{"port_agent", ofAccount, "", "account port name phone mail"},
	{"shared_link", ofAccount, "", "account id hash booking change_key made_at made_by made_name opened opened_at"},
	{"agent_list", ofAccount, "", "account id change_key sent_at sent_by sent_name sent_to outcome"},
	{"agent_list_row", ofAccount, "words", "account list booking"}, // erased with its booking
	{"secret", ofAccount, "", "account name sealed changed_at"},
	{"credential", ofAccount, "", "id kind account shown hash created_at revoked_at used_at name"},
	{"report_network", ofAccount, "", "account login network seen_at"},

	{"person", ofCustomer, "", "id customer email name role password created_at disabled round " +
		"mail_hour mail_zone mail_due no_ending_mails seen_at"},
	{"invitation", ofCustomer, "", "customer email name role token_hash created_at person round made_by"},
	{"familiar", ofNobody, "", "person place seen_at"}, // the foreign key deletes it with the person
	{"account", itself, "", "id customer environment settings removing ahead ahead_to silent_since"},
	{"customer", itself, "", "id name created_at"},

	// It says who erased what, so it outlives what was erased. Only the entry about an
	// erasure names the traveller, by the customer's identifier. A removed customer
	// leaves one entry, which records the removal.
	{"audit", ofCustomer, "", "id at customer environment by_whom by_name came_from what was became seq salt digest " +
		"hash"},
	{"audit_chain", ofCustomer, "", "customer seq hash removed removed_hash mac"},

	{"replica", ofNobody, "", "id machine version revision schema began seen"},
	{"form_key", ofNobody, "", "id value"},
	{"last_backup", ofNobody, "", "id at bytes"},
	{"restored", ofNobody, "", "id copied_at restored_at confirmed_at"},
	{"certificate", ofNobody, "", "name sealed lease tries"}, // of the installation
	{"schema_oldest", ofNobody, "", "version oldest"},
	{"goose_db_version", ofNobody, "", "id version_id is_applied tstamp"},
}

// personalTables are the tables with personal columns.
func personalTables() (list []string) {
	for _, t := range keptTables {
		if t.personal != "" {
			list = append(list, t.table)
		}
	}
	return list
}

// tablesOf are the tables whose rows are found by an owner's column.
func tablesOf(o owner) (list []string) {
	for _, t := range keptTables {
		if t.owner == o {
			list = append(list, t.table)
		}
	}
	return list
}
