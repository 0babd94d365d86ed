-- What a write came to, in the words of `outcomeSchema` in db/schema/write.ts. Before, workers stored the
-- HTTP answer itself in status, body and etag; gateways still read that where a row has no outcome.
-- The type is json and not jsonb because it keeps the order of a record's fields.
alter table writes add column outcome json;

update writes set outcome = '{"kind": "failed"}' where status = 500;
create index writes_failed on writes (finished_at) where outcome->>'kind' = 'failed';
drop index writes_faulty;

-- Gateways of the former release run until they are restarted, and read nothing but status, body and
-- etag. This fills them in. A later release drops it together with these three columns.
create function answer_former_gateways() returns trigger language plpgsql as $$
declare
  kind constant text := new.outcome->>'kind';
  errors constant json := new.outcome->'errors';
  texts text[];
  message text;
begin
  new.etag := new.outcome->>'etag';
  new.status := case kind
    when 'created' then 201 when 'deleted' then 204 when 'missing' then 404
    when 'outdated' then 412 when 'invalid' then 422 when 'failed' then 500 else 200 end;
  if new.status < 300 then
    new.body := case when kind <> 'deleted' then
      format('{"success":true,"data":%s,"meta":{"generated_at":%s}}',
        new.outcome->'record', new.outcome->'at') end;
    return new;
  end if;
  texts := array(select value
    from json_each(errors) as field (name, list), json_array_elements_text(list) as text (value));
  message := case kind
    when 'missing' then 'Resource not found.' when 'outdated' then 'Precondition Failed'
    when 'failed' then 'Server Error'
    else texts[1] || case cardinality(texts) when 1 then '' when 2 then ' (e 1 altro errore)'
      else format(' (e %s altri errori)', cardinality(texts) - 1) end end;
  new.body := format('{"success":false,"message":%s%s%s}', to_json(message),
    ',"errors":' || errors::text, ',"data":' || (new.outcome->'record')::text);
  return new;
end $$;
create trigger answer_former_gateways before update of outcome on writes for each row
  when (new.outcome is not null) execute function answer_former_gateways();
