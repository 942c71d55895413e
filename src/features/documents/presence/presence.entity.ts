import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

export const PRESENCE_STATES = ['viewing', 'editing'] as const;
export type PresenceState = (typeof PRESENCE_STATES)[number];

const primaryKeyConstraintName = 'presence_pkey';

/**
 * Somebody who views or edits a document. An entry counts until it expires. The table is unlogged: after a crash of the
 * database it is empty, and clients fill it again.
 */
@Entity('presence')
@Check('presence_state_check', `"state" IN ('viewing', 'editing')`)
export class PresenceEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName })
  accountId: string;

  @PrimaryColumn('uuid', { name: 'document_id', primaryKeyConstraintName })
  documentId: string;

  /** The user, or the API key. */
  @PrimaryColumn('uuid', { name: 'principal_id', primaryKeyConstraintName })
  principalId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName })
  state: PresenceState;

  /** The process with the event streams that count as viewing; zero for entries that clients set. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName })
  source: string;

  /** The user, or the creator of the key. */
  @Column({ type: 'uuid', name: 'user_id' })
  userId: string;

  @Column({ type: 'uuid', name: 'key_id', nullable: true })
  keyId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  since: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
