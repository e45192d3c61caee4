-- +goose Up

-- oldest: 105

-- A queue's lease ends by time. An older program never takes a queue whose lease is not 0, so it cannot work beside.
DROP TABLE replica;
