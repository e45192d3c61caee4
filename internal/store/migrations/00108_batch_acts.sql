-- +goose Up

-- oldest: 108

-- The booking that an item of a batch acts on. An older program would take such a batch for one that makes bookings, so
-- it cannot work beside.
ALTER TABLE batch_item ADD COLUMN IF NOT EXISTS acts_on TEXT COLLATE_BYTES NOT NULL DEFAULT '';
