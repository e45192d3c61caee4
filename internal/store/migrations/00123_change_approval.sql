-- +goose Up

-- oldest: 108

-- Whether the change that a booking waits for waits for an approver: gangway.PendingChange.Approval is why. An older
-- program beside this one leaves it as it is when the change is over, so the state counts, too.
ALTER TABLE booking ADD COLUMN change_to_approve BIGINT NOT NULL DEFAULT 0;
DROP INDEX booking_approval;
CREATE INDEX booking_approval ON booking (account, deadline, id)
	WHERE state = 'approval_required' OR state = 'change_pending' AND change_to_approve > 0;
