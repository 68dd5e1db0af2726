#include "broker/library.hpp"

namespace heddle::broker {

// The keys are those of `Keys`: 1 job, 2 cubes, 3 done, 4 counts, 5 open, 6 findings, 7 found,
// 8 workers, 9 hungry, 10 the worker. Arguments are strings; the first two are the name of the
// worker and after how many milliseconds of silence it is taken for gone. An answer begins with a
// word, the state of the job, its generation, the number of open cubes, and those of hungry workers
// and of all.
//
// A function that fails does not undo what it has done so far. So each checks what it is given
// before it writes anything; check_permissions has seen to the rest. Counts never become numbers of
// Lua, which have 53 bits.
const std::string_view library_text = R"lua(
local group, most_findings = 'workers', 256

local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function reply(keys, args, word, ...)
  local job = redis.call('HMGET', keys[1], 'state', 'generation')
  local since = now() - tonumber(args[2])
  local hungry = redis.call('ZCOUNT', keys[9], since, '+inf')
  local workers = redis.call('ZCOUNT', keys[8], since, '+inf')
  return {word, job[1] or 'gone', job[2] or '', redis.call('GET', keys[5]) or '0', hungry, workers,
          ...}
end

local function field(entry, name)
  for i = 1, #entry[2], 2 do
    if entry[2][i] == name then return entry[2][i + 1] end
  end
end

local function entry_at(keys, id)
  return redis.call('XRANGE', keys[2], id, id)[1]
end

-- The entry is of no more use, if it is still this cube's.
local function drop(keys, id, cube)
  local entry = entry_at(keys, id)
  if entry and field(entry, 'id') ~= cube then return end
  redis.call('XACK', keys[2], group, id)
  redis.call('XDEL', keys[2], id)
end

-- A consumer without claims can go; with claims, they would go too.
local function forget(keys, worker)
  if #redis.call('XPENDING', keys[2], group, '-', '+', 1, worker) == 0 then
    redis.call('XGROUP', 'DELCONSUMER', keys[2], group, worker)
  end
end

local function beat(keys, args, text)
  local time, expiry = now(), tonumber(args[2])
  redis.call('SET', keys[10], text, 'PX', expiry)
  redis.call('ZADD', keys[8], time, args[1])
  local gone = redis.call('ZRANGEBYSCORE', keys[8], '-inf', time - expiry, 'LIMIT', 0, 16)
  for _, worker in ipairs(gone) do
    redis.call('ZREM', keys[8], worker)
    redis.call('ZREM', keys[9], worker)
    forget(keys, worker)
  end
end

-- Of this generation, and the root or named by the split of its parent.
local function is_part(keys, generation, cube, parent)
  local job = redis.call('HMGET', keys[1], 'generation', 'root')
  if job[1] ~= generation then return false end
  if parent == '' then return job[2] == cube end
  local value = redis.call('HGET', keys[3], parent)
  local names = value and string.match(value, '^split %S+( [^\n]*)')
  return names and string.find(names .. ' ', ' ' .. cube .. ' ', 1, true) ~= nil
end

local function is_wanted(keys, generation, cube, parent)
  return generation and cube and parent and is_part(keys, generation, cube, parent)
    and redis.call('HEXISTS', keys[3], cube) == 0
end

-- What became of a cube. The state changes here and not by another command, before which the worker
-- might die. The outcome itself is last: brokers are known that do the first part of what they were
-- killed in, much later.
local function record(keys, generation, cube, kind, value, counts, children)
  for i = 1, #children, 2 do
    redis.call('XADD', keys[2], '*', 'id', children[i], 'parent', cube, 'generation', generation,
               'cube', children[i + 1])
  end
  if redis.call('INCRBY', keys[5], #children / 2 - 1) == 0 then
    local state = redis.call('HGET', keys[1], 'state')
    if state == 'running' or state == 'stopped' then redis.call('HSET', keys[1], 'state', 'done') end
  end
  redis.call('HINCRBY', keys[4], '.' .. kind, 1)
  for i = 1, #counts, 2 do redis.call('HINCRBY', keys[4], counts[i], counts[i + 1]) end
  redis.call('HSET', keys[3], cube, value)
end

-- A number of words and then these; returns them and where the next argument is.
local function words(args, at)
  local out, size = {}, tonumber(args[at])
  for i = 1, size do out[i] = args[at + i] end
  return out, at + size + 1
end

local function complaint(id, kind, counts, children)
  if not string.match(id, '^%d+%-%d+$') then return 'ERR not an entry' end
  if kind ~= 'done' and kind ~= 'split' and kind ~= 'failed' then return 'ERR not an outcome' end
  if (#children > 0) ~= (kind == 'split') or #children % 2 ~= 0 then return 'ERR not a split' end
  for i = 1, #counts, 2 do
    local number = counts[i + 1] or ''
    if not string.match(counts[i], '^[a-z_]+$') or not string.match(number, '^%d+$')
      or #number > 15 then return 'ERR not a count' end
  end
  for i = 1, #children, 2 do
    if not string.match(children[i], '^%x+$') then return 'ERR not a cube' end
  end
end

local function value_of(worker, kind, detail, counts, children)
  local head, rest = {kind, worker}, {detail}
  for i = 1, #counts, 2 do head[#head + 1] = counts[i] .. '=' .. counts[i + 1] end
  for i = 1, #children, 2 do
    head[#head + 1] = children[i]
    rest[(i + 1) / 2] = children[i + 1]
  end
  return table.concat(head, ' ') .. '\n' .. table.concat(rest, '\n')
end

-- generation, entry, cube, parent, kind, detail, counts, children
local function finish(keys, args)
  local generation, id, cube, parent, kind = args[3], args[4], args[5], args[6], args[7]
  local counts, at = words(args, 9)
  local children = words(args, at)
  local wrong = complaint(id, kind, counts, children)
  if wrong then return redis.error_reply(wrong) end
  if redis.call('EXISTS', keys[1]) == 0 then return reply(keys, args, 'void') end
  local word = 'accepted'
  local value = value_of(args[1], kind, args[8], counts, children)
  local known = redis.call('HGET', keys[3], cube)
  if not is_part(keys, generation, cube, parent) then
    word = 'void'
  elseif known then
    if known ~= value then word = 'known' end
  else
    record(keys, generation, cube, kind, value, counts, children)
  end
  drop(keys, id, cube)
  return reply(keys, args, word)
end

-- A cube that this worker may have: one that it was given, and the answer was lost; one whose holder is
-- silent; a new one. Returns the entry's name, how often it was delivered, and the last holder.
local function pick(keys, worker, silence, most)
  local mine = redis.call('XPENDING', keys[2], group, '-', '+', 1, worker)[1]
  if mine then return mine[1], mine[4], worker end
  if silence > 0 then
    local silent = redis.call('XPENDING', keys[2], group, 'IDLE', silence, '-', '+', 1)[1]
    if silent then
      local id, holder, times = silent[1], silent[2], silent[4]
      if times < most then
        redis.call('XCLAIM', keys[2], group, worker, silence, id)
      end
      return id, times + 1, holder
    end
  end
  local new = redis.call('XREADGROUP', 'GROUP', group, worker, 'COUNT', 1, 'STREAMS', keys[2], '>')
  if new then return new[1][2][1][1], 1, worker end
end

-- silence, most deliveries, heartbeat. A silence of 0: leave the claims of others alone.
local function seek(keys, args)
  local worker, silence, most = args[1], tonumber(args[3]), tonumber(args[4])
  if redis.call('HGET', keys[1], 'state') ~= 'running' then return reply(keys, args, 'nothing') end
  beat(keys, args, args[5])
  for _ = 1, 64 do
    local id, times, holder = pick(keys, worker, silence, most)
    if not id then break end
    local entry = entry_at(keys, id) or {id, {}}
    local cube, generation = field(entry, 'id'), field(entry, 'generation')
    if not is_wanted(keys, generation, cube, field(entry, 'parent')) then
      drop(keys, id, cube)
    elseif times > most then
      local why = 'given out ' .. most .. ' times without a result, last to ' .. holder
      record(keys, generation, cube, 'failed', value_of(worker, 'failed', why, {}, {}), {}, {})
      drop(keys, id, cube)
      forget(keys, holder)
    else
      redis.call('ZREM', keys[9], worker)
      return reply(keys, args, 'cube', entry, times)
    end
  end
  redis.call('ZADD', keys[9], now(), worker)
  return reply(keys, args, 'nothing')
end

-- generation, entry, cube, parent, heartbeat. Keeps the claim, if it is still this worker's.
local function look(keys, args)
  local worker, id, cube = args[1], args[4], args[5]
  if redis.call('EXISTS', keys[1]) == 0 then return reply(keys, args, 'void') end
  beat(keys, args, args[7])
  redis.call('ZREM', keys[9], worker)
  if not is_wanted(keys, args[3], cube, args[6]) then
    drop(keys, id, cube)
    return reply(keys, args, 'void')
  end
  local claim = redis.call('XPENDING', keys[2], group, id, id, 1)[1]
  if claim and claim[2] == worker then
    redis.call('XCLAIM', keys[2], group, worker, 0, id, 'JUSTID')
  end
  return reply(keys, args, 'wanted')
end

-- entry, or nothing. The cube is on offer again, as if it had not been given out.
local function leave(keys, args)
  local worker, id = args[1], args[3]
  if redis.call('EXISTS', keys[1]) == 0 then return reply(keys, args, 'left') end
  local claim = id ~= '' and redis.call('XPENDING', keys[2], group, id, id, 1)[1]
  if claim and claim[2] == worker then
    local entry = entry_at(keys, id) or {id, {}}
    local cube = field(entry, 'id')
    if is_wanted(keys, field(entry, 'generation'), cube, field(entry, 'parent')) then
      redis.call('XADD', keys[2], '*', unpack(entry[2]))
    end
    drop(keys, id, cube)
  end
  redis.call('DEL', keys[10])
  redis.call('ZREM', keys[8], worker)
  redis.call('ZREM', keys[9], worker)
  forget(keys, worker)
  return reply(keys, args, 'left')
end

-- generation, what makes it the same finding, finding
local function report(keys, args)
  local job = redis.call('HMGET', keys[1], 'state', 'keep_going')
  if not job[1] then return reply(keys, args, 'void') end
  local word = 'known'
  if redis.call('HLEN', keys[7]) < most_findings and
    redis.call('HSETNX', keys[7], args[4], args[1]) == 1 then
    word = 'accepted'
    redis.call('XADD', keys[6], 'MAXLEN', most_findings, '*', 'key', args[4], 'finding', args[5],
               'worker', args[1], 'generation', args[3])
  end
  if job[1] == 'running' and job[2] == '0' then redis.call('HSET', keys[1], 'state', 'found') end
  return reply(keys, args, word)
end

-- generation, next generation, knowledge, root, its cube
local function renew(keys, args)
  local job = redis.call('HMGET', keys[1], 'state', 'generation')
  if job[1] ~= 'running' or job[2] ~= args[3] then return reply(keys, args, 'known') end
  local claims
  repeat
    claims = redis.call('XPENDING', keys[2], group, '-', '+', 1000)
    for _, claim in ipairs(claims) do redis.call('XACK', keys[2], group, claim[1]) end
  until #claims == 0
  redis.call('XTRIM', keys[2], 'MAXLEN', 0)
  redis.call('DEL', keys[3], keys[4])
  redis.call('SET', keys[5], 1)
  redis.call('HSET', keys[1], 'generation', args[4], 'knowledge', args[5], 'root', args[6], 'cube',
             args[7])
  redis.call('XADD', keys[2], '*', 'id', args[6], 'parent', '', 'generation', args[4], 'cube',
             args[7])
  return reply(keys, args, 'accepted')
end

local function state(keys, args)
  return reply(keys, args, 'state', redis.call('XLEN', keys[2]))
end

local function stop(keys, args)
  if redis.call('HGET', keys[1], 'state') == 'running' then
    redis.call('HSET', keys[1], 'state', 'stopped')
  end
  return reply(keys, args, 'stopped')
end

-- commands, of which those are returned that this user may not use.
local function lacking(keys, args)
  local out = {}
  for i = 3, #args do
    local parts = {}
    for part in string.gmatch(args[i], '[^|]+') do parts[#parts + 1] = part end
    for _, part in ipairs(parts[1] == 'xreadgroup' and {'group', 'g', 'c', 'streams', keys[1], '>'}
                          or {keys[1], keys[1], keys[1], keys[1]}) do
      parts[#parts + 1] = part
    end
    if not redis.acl_check_cmd(unpack(parts)) then out[#out + 1] = args[i] end
  end
  return out
end

redis.register_function(prefix .. 'finish', finish)
redis.register_function(prefix .. 'seek', seek)
redis.register_function(prefix .. 'look', look)
redis.register_function(prefix .. 'leave', leave)
redis.register_function(prefix .. 'report', report)
redis.register_function(prefix .. 'renew', renew)
redis.register_function(prefix .. 'state', state)
redis.register_function(prefix .. 'stop', stop)
redis.register_function(prefix .. 'lacking', lacking)
)lua";

}  // namespace heddle::broker
