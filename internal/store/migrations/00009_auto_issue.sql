-- +goose Up

-- From now on people choose for each hold whether system issues the booking, and
-- the default is no unless the account says otherwise. Earlier holds keep what they
-- had: their account's setting, which meant yes if it was not given. They are
-- looked at right away, because they are now issued before the price ends. A
-- document begins with "{" and is never empty.
UPDATE booking
SET doc = '{"auto_issue":true,' || substr(doc, 2), check_at = 1
WHERE state IN ('approval_required', 'confirmed', 'change_pending')
	AND account IN (SELECT id FROM account WHERE settings NOT LIKE '%"keep_unissued":true%')
	AND doc NOT LIKE '%"supplier":"manual","order":%';

-- The same for bookings that are just being held.
UPDATE intent
SET doc = '{"booking":{"auto_issue":true,' || substr(doc, 13)
WHERE open = 1 AND kind = 'book' AND doc LIKE '{"booking":{"id":%'
	AND account IN (SELECT id FROM account WHERE settings NOT LIKE '%"keep_unissued":true%')
	AND doc NOT LIKE '%"supplier":"manual","order":%';
