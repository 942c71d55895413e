import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EventState } from '../event-states.js';

/**
 * An event, committed with the change that it reports. Its bodies are frozen: every delivery sends these bytes until the
 * document is permanently deleted.
 */
@Entity('events')
@Index('events_account_id_created_at_idx', { synchronize: false })
@Index('events_account_id_position_idx', ['accountId', 'position', 'id'])
@Index('events_request_id_idx', { synchronize: false })
@Index('events_subject_id_position_idx', ['subjectId', 'position'])
export class EventEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'events_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column('text')
  type: string;

  /** The resource that the event is about, such as a document. */
  @Column({ type: 'uuid', name: 'subject_id', nullable: true })
  subjectId: string | null;

  /** The public id of the request that caused it. */
  @Column({ type: 'text', name: 'request_id', nullable: true })
  requestId: string | null;

  /** The JSON text that webhooks with `payload: "full"` receive. */
  @Column({ type: 'text', name: 'full_body' })
  fullBody: string;

  /** The JSON text that webhooks with `payload: "thin"` receive: ids, version and status, no content. */
  @Column({ type: 'text', name: 'thin_body' })
  thinBody: string;

  /** The document before and after the change, for webhook filters. `null` if the event is not about a document. */
  @Column({ type: 'jsonb', nullable: true })
  states: EventState[] | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** Determines the order of the stream, together with the ID. A bigint, which is a string in JavaScript. */
  @Column({ type: 'bigint', generated: 'increment' })
  position: string;
}

/** The highest position of an account's expired events. */
@Entity('event_horizons')
export class EventHorizonEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'event_horizons_pkey' })
  accountId: string;

  /** A bigint, which is a string in JavaScript. */
  @Column('bigint')
  position: string;
}

/** A permanently deleted document whose events still contain its texts. */
@Entity('removed_subjects')
export class RemovedSubjectEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'removed_subjects_pkey' })
  id: string;

  /** The position of its last event. An import may later create a document with the same ID. */
  @Column('bigint')
  position: string;

  /** The position up to which the texts are erased. */
  @Column({ type: 'bigint', name: 'erased_to', default: 0 })
  erasedTo: string;
}
