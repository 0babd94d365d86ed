-- Restaurants take turns: the upload with the lowest turn is made next.
alter table photo_uploads add turn integer not null default 0;
create index photo_uploads_by_turn on photo_uploads (turn);
