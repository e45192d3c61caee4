-- +goose Up

-- Seats that are held are few at any time. Who sends plans anew asks which of
-- them were booked for these, and reads this index alone.
CREATE INDEX booking_held ON booking (account, change_key, request, search, id) WHERE state IN ('approval_required', 'confirmed');
