-- Sends the requests of the file that the argument names, again and again. In the file a line with the
-- length in bytes stands before each request, and a line feed after it.
local requests = {}
local last = 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for length in file:lines() do
    requests[#requests + 1] = file:read(tonumber(length))
    file:read(1)
  end
  file:close()
end

function request()
  last = last % #requests + 1
  return requests[last]
end

-- Times are in microseconds.
function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '{"requests":%d,"duration":%d,"p50":%d,"p99":%d,"p999":%d,"failed":%d,"refused":%d}\n',
    summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9),
    e.connect + e.read + e.write + e.timeout, e.status
  ))
end
