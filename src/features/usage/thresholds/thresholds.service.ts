import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../../platform/background/background-tasks.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { runWithEvents } from '../../events/events.repository.js';
import { eventRow, insertEvents } from '../../events/outbox.js';
import type { Quota } from '../quotas/plan-quotas.js';

/** Shares of a limit, in percent, that are reported when they are reached. */
const THRESHOLDS = [80, 100] as const;
type Threshold = (typeof THRESHOLDS)[number];

/** The use of a limit. */
export interface LimitUse {
  /** UUID. */
  accountId: string;
  limit: 'requests' | Quota;
  /** The window in which uses count; `null` for what an account has. */
  window: 'hour' | 'day' | null;
  used: number;
  /** The maximum. */
  of: number;
  /** The key whose own limit it is, with its UUID; `null` for limits of the account. */
  key: { id: string; name: string } | null;
  /** When the window ends. */
  resetAt: Date | null;
}

/** Inserts the event only with the row of its threshold, so that each period has one event over all replicas. */
const RECORD: Statement = {
  name: 'usage.record-threshold',
  text: `WITH reached AS (
      INSERT INTO usage_thresholds (account_id, "limit", threshold, period) VALUES ($1, $2, $3, $4)
      ON CONFLICT DO NOTHING RETURNING account_id)
    ${insertEvents('$5', 'WHERE EXISTS (SELECT FROM reached)')}`,
};

/** Emits `usage.threshold_reached`. */
@Injectable()
export class ThresholdsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Emits an event for each threshold that adding `more` to the use has reached, once per period: the window, or the UTC
   * day. Joins the caller's transaction. Costs nothing if no threshold was reached.
   */
  async add(use: LimitUse, more: number): Promise<void> {
    for (const threshold of reachedThresholds(use)) {
      if (!isReached(threshold, { ...use, used: use.used - more })) await this.emit(threshold, use);
    }
  }

  /** Emits the event of a threshold, unless this period already has it. */
  async emit(threshold: Threshold, use: LimitUse): Promise<void> {
    const { accountId, limit, window, used, of, resetAt } = use;
    const at = this.clock.now();
    const key = use.key && { id: encodeId('key', use.key.id), name: use.key.name };
    const data = JSON.stringify({ limit, window, threshold, used, of, key, resetAt });
    const event = eventRow({
      type: 'usage.threshold_reached',
      ...{ accountId, subjectId: accountId, at, actor: null, requestId: null },
      ...{ fullData: data, thinData: data },
    });
    const name = [limit, window, use.key?.id].filter(Boolean).join('.');
    const values = [accountId, name, threshold, resetAt ?? endOfDay(at), JSON.stringify([event])];
    await runWithEvents(this.database, RECORD, values, [event]);
  }
}

/** Returns the thresholds that a use has reached, lowest first. */
export function reachedThresholds(use: Pick<LimitUse, 'used' | 'of'>): Threshold[] {
  return THRESHOLDS.filter((threshold) => isReached(threshold, use));
}

function isReached(threshold: Threshold, { used, of }: Pick<LimitUse, 'used' | 'of'>): boolean {
  return used * 100 >= threshold * of;
}

/** Returns the next midnight in UTC. */
export function endOfDay(time: Date): Date {
  return new Date((Math.floor(time.getTime() / DAY_MS) + 1) * DAY_MS);
}
