import { WINDOW_SECONDS } from './plan-limits.js';

/** The first number of the script's reply. */
export const TAKE_STATUS = { refused: 0, admitted: 1, unknown: 2, late: 3 };

/**
 * Takes a request from an account's windows, stored in the hash KEYS[1], or only merges PostgreSQL's counts.
 *
 * ARGV:
 * 1. 1 to take, 0 to merge only
 * 2. to 4. the limits of minute, hour and day, empty for unlimited
 * 5. the server's run id; counts of an earlier run are stale
 * 6. the time after which the caller no longer waits
 * 7. to 12. if PostgreSQL was asked: count and age in ms of its minute, hour and day, empty if none runs
 *
 * Returns {status, now, minute used, minute resets at, hour …, day …}, times in UTC epoch milliseconds. `unknown` means
 * that a window is missing here and PostgreSQL may have it. Counts to settle with PostgreSQL follow, once a tenth of a
 * limit is unsettled: for each window the unsettled count and the window's age, -1 if none runs.
 *
 * The script is atomic, because Redis runs one at a time. It uses Redis's clock, because the clocks of replicas differ.
 */
export const TAKE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if now > (tonumber(ARGV[6]) or now) then return { ${String(TAKE_STATUS.late)}, now } end
local windows = {
  { name = 'minute', length = ${String(WINDOW_SECONDS.minute * 1000)} },
  { name = 'hour', length = ${String(WINDOW_SECONDS.hour * 1000)} },
  { name = 'day', length = ${String(WINDOW_SECONDS.day * 1000)} },
}
local told = ARGV[7] ~= nil
local stored = redis.call('HMGET', KEYS[1], 'life', 'minute_start', 'minute_count', 'minute_unsettled',
  'hour_start', 'hour_count', 'hour_unsettled', 'day_start', 'day_count', 'day_unsettled', 'settling_until')
local same_life = stored[1] == ARGV[5]

-- Until PostgreSQL has replied, its counts are unknown, so concurrent requests ask it as well.
local settling_until = same_life and tonumber(stored[11]) or 0
local full, missing = false, not told and now < settling_until and settling_until <= now + 1000
for i, window in ipairs(windows) do
  window.limit = tonumber(ARGV[i + 1])
  window.count, window.unsettled = 0, 0
  local start = same_life and tonumber(stored[3 * i - 1])
  if start and start <= now + 1000 and start + window.length > now then
    window.start = start
    window.count = tonumber(stored[3 * i])
    window.unsettled = tonumber(stored[3 * i + 1])
  else
    window.ended = start
  end

  local age = tonumber(ARGV[6 + 2 * i])
  if age then
    -- PostgreSQL's window begins slightly later than this one, so a window about to end there has ended here.
    local count, began = tonumber(ARGV[5 + 2 * i]), now - age
    if not window.start then
      if not window.ended or window.ended > now or began > window.ended + 1000 then
        window.start, window.count = began, count
      end
    elseif began + window.length - 1000 > window.start then
      window.start = math.min(window.start, began)
      window.count = math.max(window.count, count + window.unsettled)
    end
  end
  if window.limit and window.count >= window.limit then full = true end
  if not window.start and not told then missing = true end
end

local status = ${String(TAKE_STATUS.refused)}
local settle = false
if not full and missing then
  status = ${String(TAKE_STATUS.unknown)}
  settle = true
elseif not full and ARGV[1] == '1' then
  status = ${String(TAKE_STATUS.admitted)}
  for _, window in ipairs(windows) do
    window.start = window.start or now
    window.count = window.count + 1
    window.unsettled = window.unsettled + 1
    if window.limit and window.unsettled >= math.max(1, math.floor(window.limit / 10)) then settle = true end
  end
end

local answer = { status, now }
for _, window in ipairs(windows) do
  answer[#answer + 1] = window.count
  answer[#answer + 1] = (window.start or now) + window.length
end
if settle then
  if status == ${String(TAKE_STATUS.admitted)} then settling_until = now + 1000 end
  for _, window in ipairs(windows) do
    answer[#answer + 1] = window.unsettled
    answer[#answer + 1] = window.start and now - window.start or -1
    window.unsettled = 0
  end
end
if status ~= ${String(TAKE_STATUS.refused)} or told then
  if told and ARGV[1] == '0' then settling_until = 0 end
  local fields = { 'life', ARGV[5], 'settling_until', settling_until }
  for _, window in ipairs(windows) do
    fields[#fields + 1] = window.name .. '_start'
    fields[#fields + 1] = window.start or window.ended or ''
    fields[#fields + 1] = window.name .. '_count'
    fields[#fields + 1] = window.count
    fields[#fields + 1] = window.name .. '_unsettled'
    fields[#fields + 1] = window.unsettled
  end
  redis.call('HSET', KEYS[1], unpack(fields))
  redis.call('PEXPIREAT', KEYS[1], (windows[3].start or now) + windows[3].length)
end
return answer
`;
