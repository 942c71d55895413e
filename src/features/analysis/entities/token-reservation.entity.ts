import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Tokens that `analysis_usage` counts for a call of a model whose end is not known yet. Ids are UUIDs. */
@Entity('token_reservations')
@Index('token_reservations_expires_at_idx', ['expiresAt'])
export class TokenReservationEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'token_reservations_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  /** `2026-11-22`, of the count (UTC). */
  @Column({ type: 'date' })
  day: string;

  @Column({ type: 'integer' })
  tokens: number;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
