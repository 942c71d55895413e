import { WINDOW_SECONDS } from './windows.js';

/**
 * KEYS[1]: the account's hash. ARGV: the limits of minute, hour and day, empty for unlimited.
 * Answers {admitted 1 or 0, now, minute used, minute resets at, hour …, day …}; times in UTC epoch milliseconds.
 *
 * Redis runs a script alone, so it is the atomic step; its own clock, because those of the replicas differ.
 */
export const TAKE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local windows = {
  { name = 'minute', length = ${String(WINDOW_SECONDS.minute * 1000)} },
  { name = 'hour', length = ${String(WINDOW_SECONDS.hour * 1000)} },
  { name = 'day', length = ${String(WINDOW_SECONDS.day * 1000)} },
}
local stored = redis.call('HMGET', KEYS[1], 'minute_start', 'minute_count', 'hour_start', 'hour_count',
  'day_start', 'day_count')

local admitted = 1
for i, window in ipairs(windows) do
  window.start = tonumber(stored[2 * i - 1])
  window.count = tonumber(stored[2 * i])
  if not window.start or window.start + window.length <= now then
    window.start = now
    window.count = 0
  end
  local limit = tonumber(ARGV[i])
  if limit and window.count >= limit then admitted = 0 end
end

local answer = { admitted, now }
for _, window in ipairs(windows) do
  if admitted == 1 then
    window.count = window.count + 1
    redis.call('HSET', KEYS[1], window.name .. '_start', window.start, window.name .. '_count', window.count)
  end
  answer[#answer + 1] = window.count
  answer[#answer + 1] = window.start + window.length
end
if admitted == 1 then redis.call('PEXPIREAT', KEYS[1], windows[3].start + windows[3].length) end
return answer
`;
