import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EventState } from '../outbox.js';

/**
 * Something that happened, committed with the change itself. Its bodies are frozen: every delivery sends these bytes,
 * until the document is removed for good.
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

  /** The resource the event is about, such as a document. */
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

  /** What webhooks filter by: the document before and after the change; `null` for what is about no document. */
  @Column({ type: 'jsonb', nullable: true })
  states: EventState[] | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** The order of the stream, together with the id. A bigint: text in JavaScript. */
  @Column({ type: 'bigint', generated: 'increment' })
  position: string;
}
