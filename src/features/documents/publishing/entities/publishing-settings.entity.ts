import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { PublicationRule } from '../publication-rules.js';

/** Whether an account publishes versions of its documents. Accounts that never turned it on have no row. */
@Entity('publishing_settings')
@Index('publishing_settings_settled_idx', { synchronize: false })
export class PublishingSettingsEntity {
  @PrimaryColumn('uuid', {
    name: 'account_id',
    primaryKeyConstraintName: 'publishing_settings_pkey',
  })
  accountId: string;

  @Column('boolean')
  enabled: boolean;

  @Column({ type: 'integer', name: 'cache_seconds' })
  cacheSeconds: number;

  @Column({ type: 'boolean', name: 'shared_cache' })
  sharedCache: boolean;

  /** What documents need to be published. The first rule that fits a document applies. */
  @Column({ type: 'jsonb', default: () => `'[]'` })
  rules: PublicationRule[];

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  /** True if the pins of all documents agree with `enabled`. */
  @Column('boolean')
  settled: boolean;

  /** The creation time of the last document that the worker has looked at. */
  @Column({ type: 'timestamptz', name: 'seen_created_at', precision: 3, nullable: true })
  seenCreatedAt: Date | null;

  @Column({ type: 'uuid', name: 'seen_id', nullable: true })
  seenId: string | null;

  /** When the worker began to look at all documents. */
  @Column({ type: 'timestamptz', name: 'pass_began_at', precision: 3, nullable: true })
  passBeganAt: Date | null;
}
