import { Entity, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'usage_thresholds_pkey' };

/** A threshold of a limit whose event was emitted, so that it is emitted once per period. */
@Entity('usage_thresholds')
export class UsageThresholdEntity {
  @PrimaryColumn('uuid', { ...KEY, name: 'account_id' })
  accountId: string;

  /** Name of the limit, such as `documents`, with its window and key if it has them. */
  @PrimaryColumn('text', { ...KEY })
  limit: string;

  /** In percent. */
  @PrimaryColumn('smallint', { ...KEY })
  threshold: number;

  /** The end of the period. */
  @PrimaryColumn('timestamptz', { ...KEY, precision: 3 })
  period: Date;
}
