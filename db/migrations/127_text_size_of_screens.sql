-- The least size of the type of a screen.
alter table screens add column text_size text not null default 'normal'
  check (text_size in ('small', 'normal', 'large'));
