-- Reads that nobody has asked for before: the store is asked for each. Each caller waits up to twice PAUSE milliseconds before the next.
local pause, asked = tonumber(os.getenv("PAUSE")), tonumber(os.getenv("FIRST"))

function request()
  asked = asked + 1
  return wrk.format("GET", "/api/economic/v1/list-global-tenders?page_size=20&min_value=" .. asked)
end

if pause > 0 then
  function delay()
    return math.random(0, 2 * pause)
  end
end

function done(summary)
  local errors = summary.errors
  print(string.format(
    '{"asked":%d,"seconds":%f,"refused":%d,"broken":%d}',
    summary.requests, summary.duration / 1e6, errors.status, errors.connect + errors.read + errors.write + errors.timeout
  ))
end
