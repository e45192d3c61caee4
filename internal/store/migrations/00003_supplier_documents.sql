-- +goose Up

-- Every supplier stores its own documents here, apart for each account. They are
-- scanned by how their ids begin.
CREATE TABLE supplier_document (
	account   TEXT    NOT NULL,
	id        TEXT    COLLATE_BYTES NOT NULL,
	reference TEXT    NOT NULL,
	version   INTEGER NOT NULL,
	doc       TEXT    NOT NULL,
	PRIMARY KEY (account, id),
	UNIQUE (account, reference)
);
INSERT INTO supplier_document (account, id, reference, version, doc)
SELECT account, id, reference, version, doc FROM simulated_order;
DROP TABLE simulated_order;
