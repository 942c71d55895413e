import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The highest position of an account's events that the retention has removed. */
@Entity('event_horizons')
export class EventHorizonEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'event_horizons_pkey' })
  accountId: string;

  /** A bigint: text in JavaScript. */
  @Column('bigint')
  position: string;
}
