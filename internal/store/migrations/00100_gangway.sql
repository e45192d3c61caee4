-- +goose Up

-- oldest: 100

-- This is the whole schema of version 0.1.0. One text serves SQLite and PostgreSQL; migration_text.go lists the few
-- words that differ. Identifiers and JSON are text, times are milliseconds since 1970, yes and no are 1 and 0. "Folded"
-- text is in lower case without accents. Columns named doc hold JSON.
--
-- The account comes first in each key and index of customers' data, since every statement asks within one account. The
-- order of the indexes matters: between two that fit equally well, SQLite takes by order.

-- Customers and accounts
-- ======================

-- A customer is a company.
CREATE TABLE customer (
	id         TEXT COLLATE_BYTES PRIMARY KEY,
	name       TEXT COLLATE_BYTES NOT NULL,
	created_at BIGINT NOT NULL
);

-- An account is one environment of a customer: the scope of all its data.
CREATE TABLE account (
	id          TEXT COLLATE_BYTES PRIMARY KEY,
	customer    TEXT COLLATE_BYTES NOT NULL REFERENCES customer (id),
	environment TEXT COLLATE_BYTES NOT NULL CHECK (environment IN ('production', 'development')),
	settings    TEXT COLLATE_BYTES NOT NULL, -- JSON
	removing    BIGINT NOT NULL DEFAULT 0, -- since when the customer is being removed; 0: it is not
	ahead       BIGINT NOT NULL DEFAULT 0, -- milliseconds by which the account's clock is ahead of real time
	ahead_to    BIGINT NOT NULL DEFAULT 0, -- the value that an advance in progress gives ahead
	UNIQUE (customer, environment)
);
CREATE INDEX account_removing ON account (customer, id) WHERE removing > 0;
CREATE INDEX account_ahead ON account (id) WHERE ahead > 0;

-- A credential lets a customer's program in: an API key, or a login of the report.
CREATE TABLE credential (
	id         TEXT COLLATE_BYTES PRIMARY KEY, -- the name of a login
	kind       TEXT COLLATE_BYTES NOT NULL CHECK (kind IN ('api_key', 'report_login')),
	account    TEXT COLLATE_BYTES NOT NULL REFERENCES account (id),
	shown      TEXT COLLATE_BYTES NOT NULL, -- the first characters of a key
	hash       TEXT COLLATE_BYTES NOT NULL, -- of the key, or of the login's password
	created_at BIGINT NOT NULL,
	revoked_at BIGINT NOT NULL DEFAULT 0,
	used_at    BIGINT NOT NULL DEFAULT 0 -- to the minute
);
CREATE INDEX credential_account ON credential (account, kind, created_at, id);
CREATE INDEX credential_hash ON credential (hash);

-- A secret of an account, such as a supplier's token, is sealed with the operator's key.
CREATE TABLE secret (
	account    TEXT COLLATE_BYTES NOT NULL,
	name       TEXT COLLATE_BYTES NOT NULL,
	sealed     TEXT COLLATE_BYTES NOT NULL,
	changed_at BIGINT NOT NULL,
	PRIMARY KEY (account, name)
);

-- People
-- ======

-- A person signs in and belongs to one customer.
CREATE TABLE person (
	id         TEXT COLLATE_BYTES PRIMARY KEY,
	customer   TEXT COLLATE_BYTES NOT NULL REFERENCES customer (id),
	email      TEXT COLLATE_BYTES NOT NULL UNIQUE,
	name       TEXT COLLATE_BYTES NOT NULL,
	role       TEXT COLLATE_BYTES NOT NULL CHECK (role IN ('booker', 'approver', 'admin')),
	password   TEXT COLLATE_BYTES NOT NULL, -- hash
	created_at BIGINT NOT NULL,
	disabled   BIGINT NOT NULL DEFAULT 0, -- since when; 0: the person may sign in
	round      BIGINT NOT NULL DEFAULT 0 -- sessions of another round are over
);
CREATE INDEX person_customer ON person (customer, email);

-- A session of the web application stores the round in which the person signed in, so that all can end at once.
CREATE TABLE session (
	token   TEXT COLLATE_BYTES PRIMARY KEY,
	data    TEXT COLLATE_BYTES NOT NULL,
	expires BIGINT NOT NULL
);
CREATE INDEX session_expires ON session (expires);

-- A familiar place is one from which the person has signed in before: a stranger's guesses cannot lock them out there.
CREATE TABLE familiar (
	person  TEXT COLLATE_BYTES NOT NULL REFERENCES person (id) ON DELETE CASCADE,
	place   TEXT COLLATE_BYTES NOT NULL, -- hash of a network or of a browser's mark
	seen_at BIGINT NOT NULL,
	PRIMARY KEY (person, place)
);

-- The form key signs forms if the operator gives no key: at most one row.
CREATE TABLE form_key (
	id    INTEGER NOT NULL PRIMARY KEY,
	value TEXT COLLATE_BYTES NOT NULL
);

-- What customers send
-- ===================

-- Each record names its source ("upload" or a feed), when that last had it (last_seen, to within a day), and the run
-- that changed it last (generation). If several sources have the record, one owns the row; the versions of the others
-- wait in outranked, one JSON object a line. traced is the version whose traces are written (see "Traces").

-- An idempotency row keeps the answer to an upload, so that a repeated upload gets the same.
CREATE TABLE idempotency (
	account    TEXT COLLATE_BYTES NOT NULL,
	route      TEXT COLLATE_BYTES NOT NULL,
	key        TEXT COLLATE_BYTES NOT NULL,
	body_hash  TEXT COLLATE_BYTES NOT NULL,
	answer     TEXT COLLATE_BYTES NOT NULL,
	created_at BIGINT NOT NULL,
	PRIMARY KEY (account, route, key)
);
CREATE INDEX idempotency_created ON idempotency (account, created_at);
CREATE INDEX idempotency_old ON idempotency (created_at);

-- A traveller is a person who flies.
CREATE TABLE traveller (
	account    TEXT COLLATE_BYTES NOT NULL,
	key        TEXT COLLATE_BYTES NOT NULL,
	surname    TEXT COLLATE_BYTES NOT NULL,
	given      TEXT COLLATE_BYTES NOT NULL,
	doc        TEXT COLLATE_BYTES NOT NULL,
	version    INTEGER NOT NULL,
	seen_at    BIGINT NOT NULL DEFAULT 0, -- when the retention job first saw the record; 0: not yet
	traced     BIGINT NOT NULL DEFAULT 0,
	source     TEXT COLLATE_BYTES NOT NULL DEFAULT 'upload',
	last_seen  BIGINT NOT NULL DEFAULT 0,
	generation BIGINT NOT NULL DEFAULT 0,
	outranked  TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	PRIMARY KEY (account, key)
);
CREATE INDEX traveller_name ON traveller (account, surname, given);
CREATE INDEX traveller_untraced ON traveller (account, key) WHERE traced <> version;
CREATE INDEX traveller_fed ON traveller (account, source, key) WHERE source <> 'upload';
CREATE INDEX traveller_outranked ON traveller (account, key) WHERE outranked <> '';

-- A traveller is found by how any word of the name begins, as sent and as printed on tickets.
CREATE TABLE traveller_word (
	account TEXT COLLATE_BYTES NOT NULL,
	word    TEXT COLLATE_BYTES NOT NULL, -- folded
	key     TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, word, key),
	FOREIGN KEY (account, key) REFERENCES traveller (account, key) ON DELETE CASCADE
);
CREATE INDEX traveller_word_key ON traveller_word (account, key, word);

-- Words are written after an upload is answered, a few hundred travellers at a time. A row lists travellers without.
CREATE TABLE unworded (
	account   TEXT COLLATE_BYTES NOT NULL,
	id        TEXT COLLATE_BYTES NOT NULL,
	keys      TEXT COLLATE_BYTES NOT NULL, -- JSON; empty: all travellers after after_key
	after_key TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, id)
);

-- A travel request asks for a flight or a hotel, or both.
CREATE TABLE travel_request (
	account        TEXT COLLATE_BYTES NOT NULL,
	request_id     TEXT COLLATE_BYTES NOT NULL,
	sub_request_id TEXT COLLATE_BYTES NOT NULL,
	starts         TEXT COLLATE_BYTES NOT NULL, -- date of the flight, or of the hotel if there is no flight
	hotel_from     TEXT COLLATE_BYTES NOT NULL, -- check-in date; empty without a hotel
	vessel         TEXT COLLATE_BYTES NOT NULL, -- folded
	doc            TEXT COLLATE_BYTES NOT NULL,
	version        INTEGER NOT NULL,
	handled_at     BIGINT NOT NULL DEFAULT 0,
	handled_by     TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	handled_note   TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	undated        TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- what has no date yet: "flight", "hotel", "both" or empty
	seen_at        BIGINT NOT NULL DEFAULT 0,
	traced         BIGINT NOT NULL DEFAULT 0,
	source         TEXT COLLATE_BYTES NOT NULL DEFAULT 'upload',
	last_seen      BIGINT NOT NULL DEFAULT 0,
	generation     BIGINT NOT NULL DEFAULT 0,
	outranked      TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	PRIMARY KEY (account, request_id, sub_request_id)
);
CREATE INDEX travel_request_undated ON travel_request (account, undated, request_id) WHERE undated <> '';
CREATE INDEX travel_request_day ON travel_request (account, starts, request_id, sub_request_id);
CREATE INDEX travel_request_night ON travel_request (account, hotel_from, request_id, sub_request_id);
CREATE INDEX travel_request_untraced ON travel_request (account, request_id, sub_request_id) WHERE traced <> version;
CREATE INDEX travel_request_fed ON travel_request
	(account, source, request_id, sub_request_id) WHERE source <> 'upload';
CREATE INDEX travel_request_outranked ON travel_request (account, request_id, sub_request_id) WHERE outranked <> '';

-- A crew change is a vessel, a port, a day, and who joins and leaves.
CREATE TABLE crew_change (
	account     TEXT COLLATE_BYTES NOT NULL,
	key         TEXT COLLATE_BYTES NOT NULL,
	vessel      TEXT COLLATE_BYTES NOT NULL, -- folded
	change_date TEXT COLLATE_BYTES NOT NULL,
	doc         TEXT COLLATE_BYTES NOT NULL,
	version     INTEGER NOT NULL,
	dropped     TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- JSON: members that a later upload left out
	moved       TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- JSON: where a coordinator moved it; empty: it was not moved
	seen_at     BIGINT NOT NULL DEFAULT 0,
	traced      BIGINT NOT NULL DEFAULT 0,
	source      TEXT COLLATE_BYTES NOT NULL DEFAULT 'upload',
	last_seen   BIGINT NOT NULL DEFAULT 0,
	generation  BIGINT NOT NULL DEFAULT 0,
	outranked   TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	PRIMARY KEY (account, key)
);
CREATE INDEX crew_change_vessel ON crew_change (account, vessel, change_date);
CREATE INDEX crew_change_day ON crew_change (account, change_date, vessel, key);
CREATE INDEX crew_change_untraced ON crew_change (account, key) WHERE traced <> version;
CREATE INDEX crew_change_fed ON crew_change (account, source, key) WHERE source <> 'upload';
CREATE INDEX crew_change_outranked ON crew_change (account, key) WHERE outranked <> '';

-- A hand-off belongs to no account until a person who has signed in claims it.
CREATE TABLE handoff (
	token_hash TEXT COLLATE_BYTES PRIMARY KEY,
	doc        TEXT COLLATE_BYTES NOT NULL,
	created_at BIGINT NOT NULL,
	network    TEXT COLLATE_BYTES NOT NULL DEFAULT '' -- an IPv4 address, or half of an IPv6 one
);
CREATE INDEX handoff_created ON handoff (created_at);

-- Anybody can send hand-offs, so the bytes that wait are counted by network and minute, and bounded.
CREATE TABLE handoff_waiting (
	network TEXT COLLATE_BYTES NOT NULL, -- empty: all networks together
	minute  BIGINT NOT NULL, -- since 1970; 0: the row that counting locks
	bytes   BIGINT NOT NULL,
	PRIMARY KEY (network, minute)
);
CREATE INDEX handoff_waiting_minute ON handoff_waiting (minute);

-- Searches
-- ========

-- A search is what a person asked for, and the offers.
CREATE TABLE search (
	account    TEXT COLLATE_BYTES NOT NULL,
	id         TEXT COLLATE_BYTES NOT NULL,
	by_whom    TEXT COLLATE_BYTES NOT NULL,
	created_at BIGINT NOT NULL,
	doc        TEXT COLLATE_BYTES NOT NULL,
	traced     BIGINT NOT NULL DEFAULT 0,
	PRIMARY KEY (account, id)
);
CREATE INDEX search_by ON search (account, by_whom, created_at);
CREATE INDEX search_old ON search (created_at);
CREATE INDEX search_untraced ON search (account, id) WHERE traced = 0;

-- A search session is one process asking suppliers. It and its findings last minutes, name nobody, and let other
-- replicas show results as they arrive.
CREATE TABLE search_session (
	account TEXT COLLATE_BYTES NOT NULL,
	key     TEXT COLLATE_BYTES NOT NULL, -- what is searched
	holder  TEXT COLLATE_BYTES NOT NULL, -- the process that searches
	lease   BIGINT NOT NULL, -- until when one process owns the search
	expires BIGINT NOT NULL, -- from then on the search is repeated
	found   INTEGER NOT NULL, -- number of findings
	size    BIGINT NOT NULL, -- their bytes
	ended   INTEGER NOT NULL, -- 1: no finding follows
	PRIMARY KEY (account, key)
);
CREATE INDEX search_session_old ON search_session (account, expires);

CREATE TABLE search_finding (
	account TEXT COLLATE_BYTES NOT NULL,
	key     TEXT COLLATE_BYTES NOT NULL,
	place   INTEGER NOT NULL, -- order of arrival, from 1
	doc     TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, key, place),
	FOREIGN KEY (account, key) REFERENCES search_session (account, key) ON DELETE CASCADE
);

-- Bookings
-- ========

-- A booking is one person's journey. Its columns are what lists are filtered and ordered by; doc is the whole.
-- Some indexes end with columns that filters compare, so that a page reads rows only for bookings that fit.
CREATE TABLE booking (
	account        TEXT COLLATE_BYTES NOT NULL,
	id             TEXT COLLATE_BYTES NOT NULL,
	locator        TEXT COLLATE_BYTES NOT NULL UNIQUE,
	state          TEXT COLLATE_BYTES NOT NULL CHECK (state IN ('approval_required', 'confirmed',
		'issued', 'change_pending', 'refund_pending', 'cancelled', 'declined')),
	version        INTEGER NOT NULL,
	passenger      TEXT COLLATE_BYTES NOT NULL, -- folded "last first"
	vessel         TEXT COLLATE_BYTES NOT NULL, -- folded
	change_key     TEXT COLLATE_BYTES NOT NULL,
	search         TEXT COLLATE_BYTES NOT NULL,
	request        TEXT COLLATE_BYTES NOT NULL, -- identifiers of the travel request; empty without one
	sub_request    TEXT COLLATE_BYTES NOT NULL,
	departs        TEXT COLLATE_BYTES NOT NULL, -- local date of the first flight
	tickets        TEXT COLLATE_BYTES NOT NULL, -- separated by spaces
	created_at     BIGINT NOT NULL,
	created_by     TEXT COLLATE_BYTES NOT NULL,
	acted_at       BIGINT NOT NULL, -- latest action
	ticket_by      BIGINT NOT NULL, -- ticketing deadline; 0: none
	hold_until     BIGINT NOT NULL,
	check_at       BIGINT NOT NULL, -- when the automated user checks it next; 0: never
	doc            TEXT COLLATE_BYTES NOT NULL,
	supplier_order TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- the supplier's name, a space, and the supplier's order
	supplier       TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	attention      BIGINT NOT NULL DEFAULT 0, -- since when it needs a person; 0: it does not
	erased_at      BIGINT NOT NULL DEFAULT 0, -- 0: its passenger is known
	deadline       BIGINT NOT NULL DEFAULT 0, -- gangway.Booking.Deadline; 0: it waits for nothing
	traced         BIGINT NOT NULL DEFAULT 0,
	PRIMARY KEY (account, id)
);
CREATE INDEX booking_acted ON booking (account, acted_at);
CREATE INDEX booking_check ON booking (check_at);
CREATE INDEX booking_order ON booking (account, supplier_order);
CREATE INDEX booking_to_erase ON booking (account, departs, id) WHERE erased_at = 0;
CREATE INDEX booking_newest ON booking (account, created_at DESC, id DESC);
CREATE INDEX booking_in_state ON booking (account, state, created_at DESC, id DESC);
CREATE INDEX booking_of_change ON booking (account, change_key, created_at DESC, id DESC);
CREATE INDEX booking_of_search ON booking (account, search, created_at DESC, id DESC);
CREATE INDEX booking_of_request ON booking (account, request, sub_request, id);
CREATE INDEX booking_deadline ON booking (account, deadline, id) WHERE deadline > 0;
CREATE INDEX booking_approval ON booking (account, deadline, id) WHERE state = 'approval_required';
CREATE INDEX booking_person ON booking (account, attention, id) WHERE attention > 0;
CREATE INDEX booking_held ON booking
	(account, change_key, request, search, id) WHERE state IN ('approval_required', 'confirmed');
CREATE INDEX booking_untraced ON booking (account, id) WHERE traced = 0;
CREATE INDEX booking_named ON booking (account, passenger, departs DESC, id DESC, state, vessel, created_by);
CREATE INDEX booking_aboard ON booking
	(account, vessel, created_at DESC, id DESC, state, departs, created_by, passenger);
CREATE INDEX booking_made_by ON booking (account, created_by, created_at DESC, id DESC, state, departs);
CREATE INDEX booking_leaving ON booking (account, departs, id, state);
CREATE INDEX booking_check_of ON booking (account, check_at) WHERE check_at > 0;

-- A ticket finds its booking by number, digits only.
CREATE TABLE booking_ticket (
	account TEXT COLLATE_BYTES NOT NULL,
	number  TEXT COLLATE_BYTES NOT NULL,
	booking TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, number, booking)
);

-- A reference is what others call a booking: airline locators, and the customer's identifier of the crew change. a to z
-- are in upper case.
CREATE TABLE booking_reference (
	account   TEXT COLLATE_BYTES NOT NULL,
	reference TEXT COLLATE_BYTES NOT NULL,
	booking   TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, reference, booking)
);

-- These are the vessels that the account's bookings name, folded. Words are looked for here, and not in all bookings.
CREATE TABLE booking_vessel (
	account TEXT COLLATE_BYTES NOT NULL,
	vessel  TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, vessel)
);

-- An action is one change of a booking, with the booking as it was then.
-- action_told has all columns that the report shows, so that it reads no snapshot.
CREATE TABLE action (
	account  TEXT COLLATE_BYTES NOT NULL,
	booking  TEXT COLLATE_BYTES NOT NULL,
	seq      INTEGER NOT NULL,
	name     TEXT COLLATE_BYTES NOT NULL,
	at       BIGINT NOT NULL,
	by_whom  TEXT COLLATE_BYTES NOT NULL,
	note     TEXT COLLATE_BYTES NOT NULL,
	snapshot TEXT COLLATE_BYTES NOT NULL, -- the booking after the action, without passport or contact details
	by_name  TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	changed  BIGINT NOT NULL DEFAULT 0, -- by which transaction: see report_changed.go
	PRIMARY KEY (account, booking, seq)
);
CREATE INDEX action_told ON action (account, at, booking, seq, name, by_whom, by_name);
CREATE INDEX action_changed ON action (account, changed, booking, seq);

-- An intent is written before a supplier is called, and closed with the outcome. Each slot has at most one open intent.
CREATE TABLE intent (
	account    TEXT COLLATE_BYTES NOT NULL,
	id         TEXT COLLATE_BYTES NOT NULL,
	booking    TEXT COLLATE_BYTES NOT NULL,
	slot       TEXT COLLATE_BYTES NOT NULL, -- the booking, or a member of a search
	kind       TEXT COLLATE_BYTES NOT NULL,
	by_whom    TEXT COLLATE_BYTES NOT NULL,
	doc        TEXT COLLATE_BYTES NOT NULL,
	open       INTEGER NOT NULL,
	outcome    TEXT COLLATE_BYTES NOT NULL, -- "", "done", or the reason in words
	created_at BIGINT NOT NULL,
	lease      BIGINT NOT NULL, -- until when one process owns it
	supplier   TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	passenger  TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- of intents to book: folded "last first"
	traced     BIGINT NOT NULL DEFAULT 0,
	PRIMARY KEY (account, id)
);
CREATE UNIQUE INDEX intent_open ON intent (account, slot) WHERE open = 1;
CREATE INDEX intent_due ON intent (open, lease);
CREATE INDEX intent_booking ON intent (account, booking, created_at);
CREATE INDEX intent_old ON intent (created_at) WHERE open = 0 AND doc <> '{}';
CREATE INDEX intent_untraced ON intent (account, id) WHERE traced = 0;

-- A batch is one order for many bookings ("Book all"). It survives its process, and all replicas see its progress.
CREATE TABLE batch (
	account    TEXT COLLATE_BYTES NOT NULL,
	id         TEXT COLLATE_BYTES NOT NULL,
	kind       TEXT COLLATE_BYTES NOT NULL, -- what is done to each item
	search     TEXT COLLATE_BYTES NOT NULL,
	by_id      TEXT COLLATE_BYTES NOT NULL,
	by_whom    TEXT COLLATE_BYTES NOT NULL,
	by_name    TEXT COLLATE_BYTES NOT NULL,
	created_at BIGINT NOT NULL,
	pending    INTEGER NOT NULL, -- items without an outcome
	lease      BIGINT NOT NULL, -- until when one process owns it
	holder     TEXT COLLATE_BYTES NOT NULL, -- that process
	change_key TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	PRIMARY KEY (account, id)
);
CREATE INDEX batch_due ON batch (lease) WHERE pending > 0;
CREATE INDEX batch_old ON batch (created_at);
CREATE INDEX batch_of_search ON batch (account, search, created_at);
CREATE INDEX batch_of_change ON batch (account, change_key) WHERE pending > 0;

-- An item is one booking of a batch. The intent with the booking's identifier says whether a supplier was asked.
CREATE TABLE batch_item (
	account TEXT COLLATE_BYTES NOT NULL,
	batch   TEXT COLLATE_BYTES NOT NULL,
	booking TEXT COLLATE_BYTES NOT NULL,
	place   INTEGER NOT NULL,
	member  INTEGER NOT NULL,
	doc     TEXT COLLATE_BYTES NOT NULL,
	state   TEXT COLLATE_BYTES NOT NULL CHECK (state IN ('open', 'done', 'unanswered', 'refused', 'busy')),
	outcome TEXT COLLATE_BYTES NOT NULL, -- the reason in words, unless it is done
	traced  BIGINT NOT NULL DEFAULT 0,
	PRIMARY KEY (account, batch, booking),
	FOREIGN KEY (account, batch) REFERENCES batch (account, id) ON DELETE CASCADE
);
CREATE INDEX batch_item_booking ON batch_item (account, booking);
CREATE INDEX batch_item_untraced ON batch_item (account, batch, booking) WHERE traced = 0;

-- A supplier stores its own documents here, and scans them by how their identifiers begin.
CREATE TABLE supplier_document (
	account   TEXT COLLATE_BYTES NOT NULL,
	id        TEXT COLLATE_BYTES NOT NULL,
	reference TEXT COLLATE_BYTES NOT NULL,
	version   INTEGER NOT NULL,
	doc       TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, id),
	UNIQUE (account, reference)
);

-- Traces
-- ======

-- Erasure finds all of a person's records by traces. A mark is a hash of one of the record's match keys
-- (gangway.Identity.MatchKeys). Traces are written after the records, so erasure also reads the untraced records.

CREATE TABLE traveller_trace (
	account TEXT COLLATE_BYTES NOT NULL,
	mark    BIGINT NOT NULL,
	key     TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, mark, key),
	FOREIGN KEY (account, key) REFERENCES traveller (account, key) ON DELETE CASCADE
) WITHOUT_ROWID;
CREATE INDEX traveller_trace_of ON traveller_trace (account, key);

CREATE TABLE travel_request_trace (
	account        TEXT COLLATE_BYTES NOT NULL,
	mark           BIGINT NOT NULL,
	request_id     TEXT COLLATE_BYTES NOT NULL,
	sub_request_id TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, mark, request_id, sub_request_id),
	FOREIGN KEY (account, request_id, sub_request_id)
		REFERENCES travel_request (account, request_id, sub_request_id) ON DELETE CASCADE
) WITHOUT_ROWID;
CREATE INDEX travel_request_trace_of ON travel_request_trace (account, request_id, sub_request_id);

CREATE TABLE crew_change_trace (
	account TEXT COLLATE_BYTES NOT NULL,
	mark    BIGINT NOT NULL,
	key     TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, mark, key),
	FOREIGN KEY (account, key) REFERENCES crew_change (account, key) ON DELETE CASCADE
) WITHOUT_ROWID;
CREATE INDEX crew_change_trace_of ON crew_change_trace (account, key);

CREATE TABLE search_trace (
	account TEXT COLLATE_BYTES NOT NULL,
	mark    BIGINT NOT NULL,
	id      TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, mark, id),
	FOREIGN KEY (account, id) REFERENCES search (account, id) ON DELETE CASCADE
) WITHOUT_ROWID;
CREATE INDEX search_trace_of ON search_trace (account, id);

CREATE TABLE booking_trace (
	account TEXT COLLATE_BYTES NOT NULL,
	mark    BIGINT NOT NULL,
	id      TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, mark, id),
	FOREIGN KEY (account, id) REFERENCES booking (account, id) ON DELETE CASCADE
) WITHOUT_ROWID;
CREATE INDEX booking_trace_of ON booking_trace (account, id);

CREATE TABLE intent_trace (
	account TEXT COLLATE_BYTES NOT NULL,
	mark    BIGINT NOT NULL,
	id      TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, mark, id),
	FOREIGN KEY (account, id) REFERENCES intent (account, id) ON DELETE CASCADE
) WITHOUT_ROWID;
CREATE INDEX intent_trace_of ON intent_trace (account, id);

CREATE TABLE batch_item_trace (
	account TEXT COLLATE_BYTES NOT NULL,
	mark    BIGINT NOT NULL,
	batch   TEXT COLLATE_BYTES NOT NULL,
	booking TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, mark, batch, booking),
	FOREIGN KEY (account, batch, booking) REFERENCES batch_item (account, batch, booking) ON DELETE CASCADE
) WITHOUT_ROWID;
CREATE INDEX batch_item_trace_of ON batch_item_trace (account, batch, booking);

-- Pulls
-- =====

-- What waits to be pulled has one row per booking, so that a pull costs what it returns.
CREATE TABLE waiting (
	account  TEXT COLLATE_BYTES NOT NULL,
	booking  TEXT COLLATE_BYTES NOT NULL,
	from_seq INTEGER NOT NULL, -- the first action that waits
	to_seq   INTEGER NOT NULL, -- the last
	since    BIGINT NOT NULL, -- when the first was made: the place in the queue
	latest   BIGINT NOT NULL, -- when the last was made: the place in an answer
	pull     TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- the pull whose answer is being written
	taken    INTEGER NOT NULL DEFAULT 0, -- the last action in that pull
	PRIMARY KEY (account, booking)
);
CREATE INDEX waiting_pull ON waiting (account, pull, since, booking);

-- A pull is an answer that can be read again by its name.
CREATE TABLE pull (
	account    TEXT COLLATE_BYTES NOT NULL,
	id         TEXT COLLATE_BYTES NOT NULL,
	number     BIGINT NOT NULL, -- order in which pulls began, from 1
	created_at BIGINT NOT NULL,
	bookings   INTEGER NOT NULL,
	actions    INTEGER NOT NULL,
	written    INTEGER NOT NULL, -- 1: its actions are final: it has a name, or the whole answer was written
	lease      BIGINT NOT NULL, -- until when the answer may still be written
	PRIMARY KEY (account, id)
);
CREATE UNIQUE INDEX pull_number ON pull (account, number);
CREATE INDEX pull_open ON pull (account, lease) WHERE written = 0;

-- The bookings of a pull, with the actions that it returned of each.
CREATE TABLE pull_booking (
	account  TEXT COLLATE_BYTES NOT NULL,
	pull     TEXT COLLATE_BYTES NOT NULL,
	place    INTEGER NOT NULL, -- in the answer, from 1
	booking  TEXT COLLATE_BYTES NOT NULL,
	from_seq INTEGER NOT NULL,
	to_seq   INTEGER NOT NULL,
	PRIMARY KEY (account, pull, place)
);

-- Outlets
-- =======

-- An outlet delivers actions to one customer system.
CREATE TABLE outlet (
	account       TEXT COLLATE_BYTES NOT NULL,
	id            TEXT COLLATE_BYTES NOT NULL,
	secrets       TEXT COLLATE_BYTES NOT NULL, -- JSON: signing secrets, newest first
	off           INTEGER NOT NULL,
	off_reason    TEXT COLLATE_BYTES NOT NULL,
	created_at    BIGINT NOT NULL,
	failing_since BIGINT NOT NULL DEFAULT 0, -- first failed attempt since the last success; 0: none
	held_until    BIGINT NOT NULL DEFAULT 0, -- the customer asked for quiet until then
	credentials   TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- sealed settings; empty: none
	name          TEXT COLLATE_BYTES NOT NULL DEFAULT 'default',
	kind          TEXT COLLATE_BYTES NOT NULL DEFAULT 'endpoint', -- of the transport
	settings      TEXT COLLATE_BYTES NOT NULL DEFAULT '{}', -- JSON, with null for each sealed setting
	states        TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- separated by commas; empty: all
	mapping       TEXT COLLATE_BYTES NOT NULL DEFAULT '',
	format        TEXT COLLATE_BYTES NOT NULL DEFAULT 'json',
	batch         BIGINT NOT NULL DEFAULT 0, -- milliseconds; 0: each action is delivered by itself
	paused        INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (account, id)
);
CREATE UNIQUE INDEX outlet_name ON outlet (account, name);

-- A delivery is one action for one outlet. Delivered rows are in neither the index of due nor of parked ones, so that
-- these stay small.
CREATE TABLE delivery (
	account  TEXT COLLATE_BYTES NOT NULL,
	outlet   TEXT COLLATE_BYTES NOT NULL,
	booking  TEXT COLLATE_BYTES NOT NULL,
	seq      INTEGER NOT NULL,
	id       TEXT COLLATE_BYTES NOT NULL, -- the webhook-id
	state    TEXT COLLATE_BYTES NOT NULL CHECK (state IN ('due', 'done', 'parked')),
	made_at  BIGINT NOT NULL,
	done_at  BIGINT NOT NULL,
	attempts INTEGER NOT NULL,
	body     TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- what the mapping made; empty: the record itself
	batch    TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- the document that carries several; empty: none
	PRIMARY KEY (account, outlet, booking, seq)
);
CREATE INDEX delivery_booking ON delivery (account, booking);
CREATE INDEX delivery_made ON delivery (account, made_at, booking, seq, outlet);
CREATE INDEX delivery_due ON delivery (account, outlet, made_at) WHERE state = 'due';
CREATE INDEX delivery_parked ON delivery (account, outlet, made_at) WHERE state = 'parked';

-- A lane is the queue of one booking at one outlet: its deliveries leave one after another.
CREATE TABLE lane (
	account  TEXT COLLATE_BYTES NOT NULL,
	outlet   TEXT COLLATE_BYTES NOT NULL,
	booking  TEXT COLLATE_BYTES NOT NULL, -- empty: all bookings of an outlet that batches
	pending  INTEGER NOT NULL, -- deliveries neither done nor parked
	due      BIGINT NOT NULL, -- when the oldest is attempted next
	tries    INTEGER NOT NULL, -- failed attempts of the oldest
	first_at BIGINT NOT NULL, -- first failed attempt of the oldest; 0: none
	lease    BIGINT NOT NULL, -- until when one replica owns the queue
	holder   TEXT COLLATE_BYTES NOT NULL, -- the replica, a stroke, and its worker
	PRIMARY KEY (account, outlet, booking)
);
CREATE INDEX lane_due ON lane (account, outlet, due) WHERE pending > 0;

-- An attempt is kept for 30 days.
CREATE TABLE attempt (
	account    TEXT COLLATE_BYTES NOT NULL,
	outlet     TEXT COLLATE_BYTES NOT NULL,
	booking    TEXT COLLATE_BYTES NOT NULL,
	seq        INTEGER NOT NULL,
	at         BIGINT NOT NULL,
	took_ms    BIGINT NOT NULL,
	status     INTEGER NOT NULL, -- HTTP status; 0: no answer
	answer     TEXT COLLATE_BYTES NOT NULL, -- its first 2 KiB, or why there was none
	webhook_id TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- the attempt's own, if a replay has changed delivery.id
	PRIMARY KEY (account, outlet, booking, seq, at)
);
CREATE INDEX attempt_newest ON attempt (account, outlet, at);
CREATE INDEX attempt_webhook_id ON attempt (account, webhook_id) WHERE webhook_id <> '';

-- A replica that delivers changes its row every second. If the row stays unchanged, others take over its queues.
CREATE TABLE replica (
	id   TEXT COLLATE_BYTES NOT NULL PRIMARY KEY, -- begins with machine and process
	beat BIGINT NOT NULL
);

-- A notice is the latest that the account's admins were told of an outlet, so that only one replica tells them.
CREATE TABLE outlet_notice (
	account        TEXT COLLATE_BYTES NOT NULL,
	outlet         TEXT COLLATE_BYTES NOT NULL,
	news           TEXT COLLATE_BYTES NOT NULL, -- empty: the admins were told nothing
	since          BIGINT NOT NULL, -- when that trouble began
	told_at        BIGINT NOT NULL,
	well_since     BIGINT NOT NULL, -- since when the outlet works again, if the admins were not told; 0: it does not
	parked         INTEGER NOT NULL DEFAULT 0, -- 1: the admins know of parked deliveries
	parked_told_at BIGINT NOT NULL DEFAULT 0,
	PRIMARY KEY (account, outlet)
);

-- A mail to an admin that the mail server has not accepted yet.
CREATE TABLE outlet_mail (
	account TEXT COLLATE_BYTES NOT NULL,
	id      TEXT COLLATE_BYTES NOT NULL,
	outlet  TEXT COLLATE_BYTES NOT NULL,
	person  TEXT COLLATE_BYTES NOT NULL,
	news    TEXT COLLATE_BYTES NOT NULL,
	since   BIGINT NOT NULL,
	told_at BIGINT NOT NULL,
	due     BIGINT NOT NULL, -- a replica that sends the mail moves this forward
	tries   INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (account, id)
);

-- Feeds
-- =====

-- A feed fetches records from a customer's system.
CREATE TABLE feed (
	account TEXT COLLATE_BYTES NOT NULL REFERENCES account (id),
	name    TEXT COLLATE_BYTES NOT NULL,
	doc     TEXT COLLATE_BYTES NOT NULL, -- JSON, without secrets
	secrets TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- sealed
	version BIGINT NOT NULL, -- of doc: see feed_version
	due     BIGINT NOT NULL, -- when it is fetched next; 0: never
	lease   BIGINT NOT NULL DEFAULT 0, -- until when one process owns it
	holder  TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- that process
	have    TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- the customer's name for the answer we have (ETag)
	size    BIGINT NOT NULL DEFAULT 0, -- records in the last good run
	good_at BIGINT NOT NULL DEFAULT 0, -- when that run was
	failing BIGINT NOT NULL DEFAULT 0, -- since when no run went well; 0: the last one did
	PRIMARY KEY (account, name)
);
CREATE INDEX feed_due ON feed (due, account, name) WHERE due > 0;

-- The earlier versions of a feed, to go back to.
CREATE TABLE feed_version (
	account TEXT COLLATE_BYTES NOT NULL,
	feed    TEXT COLLATE_BYTES NOT NULL,
	version BIGINT NOT NULL,
	doc     TEXT COLLATE_BYTES NOT NULL,
	made_at BIGINT NOT NULL,
	by_whom TEXT COLLATE_BYTES NOT NULL,
	by_name TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, feed, version),
	FOREIGN KEY (account, feed) REFERENCES feed (account, name) ON DELETE CASCADE
);

-- A run fetches a feed once. The next holder of the feed continues a run that was interrupted.
CREATE TABLE feed_run (
	account TEXT COLLATE_BYTES NOT NULL,
	feed    TEXT COLLATE_BYTES NOT NULL,
	id      BIGINT NOT NULL, -- the generation of the records it changes
	began   BIGINT NOT NULL,
	ended   BIGINT NOT NULL DEFAULT 0, -- 0: it runs, or was interrupted
	created BIGINT NOT NULL DEFAULT 0, -- records, so far
	updated BIGINT NOT NULL DEFAULT 0,
	removed BIGINT NOT NULL DEFAULT 0,
	failed  INTEGER NOT NULL DEFAULT 0,
	doc     TEXT COLLATE_BYTES NOT NULL DEFAULT '{}', -- JSON: the rest of the run
	remarks TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- on records that were refused or corrected
	PRIMARY KEY (account, feed, id),
	FOREIGN KEY (account, feed) REFERENCES feed (account, name) ON DELETE CASCADE
);
CREATE INDEX feed_run_began ON feed_run (began);

-- Documents are kept for some days as they came, one portion a row.
CREATE TABLE feed_document (
	account      TEXT COLLATE_BYTES NOT NULL,
	feed         TEXT COLLATE_BYTES NOT NULL,
	run          BIGINT NOT NULL,
	place        INTEGER NOT NULL, -- among the documents of the run, from 0
	portion      INTEGER NOT NULL, -- of the document, from 0
	name         TEXT COLLATE_BYTES NOT NULL,
	content_type TEXT COLLATE_BYTES NOT NULL,
	doc          TEXT COLLATE_BYTES NOT NULL, -- compressed
	PRIMARY KEY (account, feed, run, place, portion),
	FOREIGN KEY (account, feed, run) REFERENCES feed_run (account, feed, id) ON DELETE CASCADE
);

-- An arrival is a file or mail whose run has ended and which was not put away yet.
CREATE TABLE feed_arrival (
	account TEXT COLLATE_BYTES NOT NULL,
	feed    TEXT COLLATE_BYTES NOT NULL,
	key     TEXT COLLATE_BYTES NOT NULL, -- how the transport names it
	run     BIGINT NOT NULL,
	failed  INTEGER NOT NULL,
	report  TEXT COLLATE_BYTES NOT NULL,
	answer  TEXT COLLATE_BYTES NOT NULL, -- to a mail; empty: none is due
	PRIMARY KEY (account, feed, key),
	FOREIGN KEY (account, feed) REFERENCES feed (account, name) ON DELETE CASCADE
);

-- Report
-- ======

-- The report has one row per booking, flight and refund, written together with the booking. OData orders null first,
-- as SQLite does.

CREATE TABLE report_booking (
	account                    TEXT COLLATE_BYTES NOT NULL,
	booking_id                 TEXT COLLATE_BYTES NOT NULL,
	locator                    TEXT COLLATE_BYTES NOT NULL,
	state                      TEXT COLLATE_BYTES NOT NULL,
	co2_emissions_kg           BIGINT, -- grams
	co2_forced                 BIGINT, -- grams, with radiative forcing
	mileage_km                 BIGINT, -- metres
	created_at                 BIGINT NOT NULL,
	departure_at               BIGINT,
	arrival_at                 BIGINT,
	cancelled_at               BIGINT,
	first_origin               TEXT COLLATE_BYTES,
	last_destination           TEXT COLLATE_BYTES,
	full_route                 TEXT COLLATE_BYTES,
	total_connection_duration  BIGINT, -- minutes
	no_show                    INTEGER,
	reject_reason              TEXT COLLATE_BYTES,
	rejected_at                BIGINT,
	approved_at                BIGINT,
	payment_method             TEXT COLLATE_BYTES,
	frequent_flyer_number_used INTEGER NOT NULL,
	passenger_last_name        TEXT COLLATE_BYTES,
	passenger_first_name       TEXT COLLATE_BYTES,
	terms_fare_type            TEXT COLLATE_BYTES,
	vessel_name                TEXT COLLATE_BYTES,
	vessel_flag                TEXT COLLATE_BYTES,
	price_total                BIGINT, -- thousandths
	price_currency             TEXT COLLATE_BYTES,
	created_by_user_name       TEXT COLLATE_BYTES,
	approved_by_user_name      TEXT COLLATE_BYTES,
	rejected_by_user_name      TEXT COLLATE_BYTES,
	cancelled_by_user_name     TEXT COLLATE_BYTES,
	custom_fields_map          TEXT COLLATE_BYTES,
	flight_numbers             TEXT COLLATE_BYTES,
	pnrs                       TEXT COLLATE_BYTES,
	fare_plating_carriers      TEXT COLLATE_BYTES,
	airline_names              TEXT COLLATE_BYTES,
	ticket_numbers             TEXT COLLATE_BYTES,
	invoice_numbers            TEXT COLLATE_BYTES,
	refund_total               BIGINT, -- thousandths
	refund_currency            TEXT COLLATE_BYTES,
	search                     TEXT COLLATE_BYTES NOT NULL, -- the folded texts that $search reads
	members                    TEXT COLLATE_BYTES NOT NULL, -- the whole row as the report writes it, without braces
	changed                    BIGINT NOT NULL, -- by which transaction: see report_changed.go
	PRIMARY KEY (account, booking_id)
);
CREATE INDEX report_booking_state ON report_booking
	(account, state, created_at, booking_id, price_currency, price_total);
ON_SQLITE CREATE INDEX report_booking_departure ON report_booking (account, departure_at, booking_id);
ON_POSTGRES CREATE INDEX report_booking_departure ON report_booking (account, departure_at NULLS FIRST, booking_id);
CREATE INDEX report_booking_changed ON report_booking (account, changed, booking_id);
CREATE INDEX report_booking_created ON report_booking
	(account, created_at, booking_id, state, vessel_name, passenger_last_name, price_currency, price_total);

CREATE TABLE report_segment (
	account                TEXT COLLATE_BYTES NOT NULL,
	booking_id             TEXT COLLATE_BYTES NOT NULL,
	number                 BIGINT NOT NULL,
	state                  TEXT COLLATE_BYTES NOT NULL,
	created_at             BIGINT NOT NULL,
	leg                    BIGINT NOT NULL,
	flight_number          TEXT COLLATE_BYTES NOT NULL,
	carrier                TEXT COLLATE_BYTES,
	carrier_name           TEXT COLLATE_BYTES,
	operating_carrier      TEXT COLLATE_BYTES,
	operating_carrier_name TEXT COLLATE_BYTES,
	origin                 TEXT COLLATE_BYTES NOT NULL,
	destination            TEXT COLLATE_BYTES NOT NULL,
	departure_at           BIGINT,
	arrival_at             BIGINT,
	cabin                  TEXT COLLATE_BYTES,
	aircraft               TEXT COLLATE_BYTES,
	mileage_km             BIGINT, -- metres
	co2_emissions_kg       BIGINT, -- grams
	co2_forced             BIGINT, -- grams, with radiative forcing
	vessel_name            TEXT COLLATE_BYTES,
	search                 TEXT COLLATE_BYTES NOT NULL, -- see report_booking
	members                TEXT COLLATE_BYTES NOT NULL,
	changed                BIGINT NOT NULL,
	gone                   INTEGER NOT NULL, -- 1: the booking no longer has such a flight
	PRIMARY KEY (account, booking_id, number)
);
CREATE INDEX report_segment_created ON report_segment (account, created_at, booking_id, number);
CREATE INDEX report_segment_changed ON report_segment (account, changed, booking_id, number);

CREATE TABLE report_refund (
	account           TEXT COLLATE_BYTES NOT NULL,
	booking_id        TEXT COLLATE_BYTES NOT NULL,
	asked_at          BIGINT,
	settled_at        BIGINT,
	awaited           INTEGER NOT NULL,
	voided            INTEGER NOT NULL,
	promised_total    BIGINT, -- thousandths, like all amounts
	refund_total      BIGINT,
	returned_total    BIGINT,
	outstanding_total BIGINT,
	kept_total        BIGINT,
	refund_currency   TEXT COLLATE_BYTES,
	search            TEXT COLLATE_BYTES NOT NULL,
	members           TEXT COLLATE_BYTES NOT NULL,
	changed           BIGINT NOT NULL,
	gone              INTEGER NOT NULL, -- 1: the booking no longer has a refund
	PRIMARY KEY (account, booking_id)
);
ON_SQLITE CREATE INDEX report_refund_asked ON report_refund (account, asked_at, booking_id);
ON_POSTGRES CREATE INDEX report_refund_asked ON report_refund (account, asked_at NULLS FIRST, booking_id);
CREATE INDEX report_refund_changed ON report_refund (account, changed, booking_id);

-- A build rewrites all report rows of an account, booking by booking.
CREATE TABLE report_build (
	account TEXT COLLATE_BYTES PRIMARY KEY REFERENCES account (id),
	fresh   INTEGER NOT NULL, -- 1: some bookings have no row yet
	reached TEXT COLLATE_BYTES NOT NULL DEFAULT '' -- the last booking that was written
);

-- Logs
-- ====

-- An audit entry is written in the transaction of the change it records, and never changed. It outlives the rows that
-- it names, so it has no foreign keys.
CREATE TABLE audit (
	id          TEXT COLLATE_BYTES PRIMARY KEY, -- orders entries of the same instant
	at          BIGINT NOT NULL,
	customer    TEXT COLLATE_BYTES NOT NULL, -- empty: no customer
	environment TEXT COLLATE_BYTES NOT NULL, -- empty: none, or both
	by_whom     TEXT COLLATE_BYTES NOT NULL, -- e-mail, "command", "key key_…", "system" or "unknown"
	by_name     TEXT COLLATE_BYTES NOT NULL,
	came_from   TEXT COLLATE_BYTES NOT NULL,
	what        TEXT COLLATE_BYTES NOT NULL,
	was         TEXT COLLATE_BYTES NOT NULL, -- JSON: what changed, before
	became      TEXT COLLATE_BYTES NOT NULL -- JSON: what changed, after
);
CREATE INDEX audit_at ON audit (at, id);
CREATE INDEX audit_customer ON audit (customer, at, id);
CREATE INDEX audit_by ON audit (customer, by_whom, at, id);
CREATE INDEX audit_what ON audit (customer, what, at, id);

-- A logged request is one call of a customer's program, kept for 30 days. Identifiers are in the order of time.
CREATE TABLE logged_request (
	account  TEXT COLLATE_BYTES NOT NULL REFERENCES account (id),
	id       TEXT COLLATE_BYTES NOT NULL,
	at       BIGINT NOT NULL,
	took_ms  BIGINT NOT NULL,
	method   TEXT COLLATE_BYTES NOT NULL,
	path     TEXT COLLATE_BYTES NOT NULL, -- of the endpoint; empty: no such address
	status   BIGINT NOT NULL,
	api_key  TEXT COLLATE_BYTES NOT NULL, -- its identifier
	received BIGINT NOT NULL, -- bytes of the body on the wire
	sent     BIGINT NOT NULL, -- bytes of the answer
	details  TEXT COLLATE_BYTES NOT NULL DEFAULT '', -- the whole address, and what was wrong
	PRIMARY KEY (account, id)
);
CREATE INDEX logged_request_refused ON logged_request (account, id) WHERE status >= 400;

-- Bodies are sealed and kept for a day, if the account asks for it.
CREATE TABLE request_body (
	account TEXT COLLATE_BYTES NOT NULL REFERENCES account (id),
	id      TEXT COLLATE_BYTES NOT NULL,
	body    TEXT COLLATE_BYTES NOT NULL,
	answer  TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, id)
);

-- The state of an account's request log. A transaction that writes to the log locks this row.
CREATE TABLE request_log (
	account    TEXT COLLATE_BYTES PRIMARY KEY REFERENCES account (id),
	missing    BIGINT NOT NULL DEFAULT 0, -- requests that could not be logged
	missing_at BIGINT NOT NULL DEFAULT 0, -- the latest of them
	erased_at  BIGINT NOT NULL DEFAULT 0 -- the latest erasure of a person
);

-- Schema
-- ======

-- A program that starts on a schema newer than it knows reads here whether it may (migration_oldest.go).
CREATE TABLE schema_oldest (
	version BIGINT NOT NULL PRIMARY KEY, -- the migration's number
	oldest  BIGINT NOT NULL -- number of the oldest schema whose programs can run on it
);

-- SQLite assumes that all indexes find equally few rows. These statistics stop it from taking an index that has all
-- columns, but finds all rows of an account, for the rows of one booking. PostgreSQL finds out by itself.
ON_SQLITE ANALYZE sqlite_schema;
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('action', 'sqlite_autoindex_action_1', '1000000 100000 3 1');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('action', 'action_told', '1000000 100000 2 1 1 1 1 1');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('action', 'action_changed', '1000000 100000 2 1 1');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('delivery', 'sqlite_autoindex_delivery_1', '1000000 100000 50000 3 1');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('delivery', 'delivery_booking', '1000000 100000 6');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('delivery', 'delivery_made', '1000000 100000 2 2 1 1');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('delivery', 'delivery_due', '10000 1000 1000 2');
ON_SQLITE INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('delivery', 'delivery_parked', '10000 1000 1000 2');
ON_SQLITE ANALYZE sqlite_schema;
