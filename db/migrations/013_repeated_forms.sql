-- Whether a token's value was sent to the browser since its form was last sent: a browser that sends the
-- form again has dropped the answer to the first one. The value is therefore kept, sealed as it is,
-- until its two minutes are over; a worker takes it out then.
alter table token_reveals add column shown boolean not null default false;
create index token_reveals_sealed on token_reveals (created_at) where sealed is not null;
