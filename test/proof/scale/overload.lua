-- READ with another number each time. Each caller waits up to twice PAUSE milliseconds before the next.
local pause, read, asked = tonumber(os.getenv("PAUSE")), os.getenv("READ"), tonumber(os.getenv("FIRST"))

function request()
  asked = asked + 1
  return wrk.format("GET", read .. asked)
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
