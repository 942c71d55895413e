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
