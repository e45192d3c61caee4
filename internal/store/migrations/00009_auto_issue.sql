-- +goose Up

-- Whether system issues a booking is chosen for each hold from now on, and a
-- hold begins with no unless the account says so. Holds from before keep what
-- they had: their account's setting, under which nothing given meant yes. They
-- are looked at at once, since they are issued before the price ends now. A
-- document begins with "{" and is never empty.
UPDATE booking
SET doc = '{"auto_issue":true,' || substr(doc, 2), check_at = 1
WHERE state IN ('approval_required', 'confirmed', 'change_pending')
	AND account IN (SELECT id FROM account WHERE settings NOT LIKE '%"keep_unissued":true%')
	AND doc NOT LIKE '%"supplier":"manual","order":%';

-- The same for those that are being held just now.
UPDATE intent
SET doc = '{"booking":{"auto_issue":true,' || substr(doc, 13)
WHERE open = 1 AND kind = 'book' AND doc LIKE '{"booking":{"id":%'
	AND account IN (SELECT id FROM account WHERE settings NOT LIKE '%"keep_unissued":true%')
	AND doc NOT LIKE '%"supplier":"manual","order":%';
