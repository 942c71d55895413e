import type { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';

/** Makes time pass for everything counted in this database, by changing its timestamps. */
export async function ageWindows(source: DataSource, milliseconds: number): Promise<void> {
  await source.query(
    `UPDATE rate_limit_windows
        SET minute_started_at = minute_started_at - $1::interval,
            hour_started_at = hour_started_at - $1::interval,
            day_started_at = day_started_at - $1::interval`,
    [`${String(milliseconds)} milliseconds`],
  );
}

/** Does the same for everything counted in Redis. */
export async function ageRedisWindows(redis: Redis, milliseconds: number): Promise<void> {
  await redis.eval(
    `for _, key in ipairs(redis.call('KEYS', 'rate-limits:*')) do
       for _, field in ipairs({ 'minute_start', 'hour_start', 'day_start' }) do
         local start = tonumber(redis.call('HGET', key, field))
         if start then redis.call('HSET', key, field, start - ARGV[1]) end
       end
     end`,
    0,
    milliseconds,
  );
}
