-- Decides one request of one client and counts it if it is allowed.
--
--   KEYS[1]  a list: when each counted request was made, oldest first
--   ARGV[1]  how many are allowed in a window
--   ARGV[2]  the window
--   ARGV[3]  now; empty for the clock of Redis, which all replicas share
--
-- All times are in microseconds. The answer is allowed (0 or 1), how many
-- remain, and how long until one more does.
local key, requests, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local now = tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

local function at(index)
  return tonumber(redis.call('LINDEX', key, index))
end

-- By default, Lua writes no more than fourteen digits of a number.
local function text(time)
  return string.format('%.0f', time)
end

-- The clock of a machine can be set back. Requests that then seem to be in the
-- future count as made now: no client gets more than is allowed, and none waits
-- for longer than a window.
local count = redis.call('LLEN', key)
if count > 0 and at(-1) > now then
  for i = 0, count - 1 do
    redis.call('LSET', key, i, text(math.min(at(i), now)))
  end
end

-- There are more than requests only if another replica has a larger policy.
while count > requests or count > 0 and at(0) <= now - window do
  redis.call('LPOP', key)
  count = count - 1
end

local allowed = 0
if count < requests then
  allowed = 1
  count = count + 1
  redis.call('RPUSH', key, text(now))
  redis.call('PEXPIRE', key, text(math.ceil(window / 1000)))
end
return {allowed, requests - count, at(0) + window - now}
