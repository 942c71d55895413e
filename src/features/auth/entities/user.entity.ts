import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserKind } from '../person.js';

/** A person who signs in to the dashboard and creates API keys, or a service account. */
@Entity('users')
@Check('users_kind_check', `"kind" IN ('person', 'service')`)
export class UserEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' })
  id: string;

  /** In lowercase, so that one address is one user. */
  @Index('users_email_key', { unique: true })
  @Column('text')
  email: string;

  @Column('text')
  name: string;

  /** A service account never signs in and belongs to one account. Its address receives no mail. */
  @Column({ type: 'text', default: 'person' })
  kind: UserKind;

  /** When the address was proved to belong to this person; `null` while unverified. */
  @Column({ type: 'timestamptz', name: 'email_verified_at', precision: 3, nullable: true })
  emailVerifiedAt: Date | null;

  /**
   * The address that this user had while unverified, until somebody else proved that it is theirs. The user can no longer
   * sign in. `null` for everyone else.
   */
  @Index('users_former_email_idx', { synchronize: false })
  @Column({ type: 'text', name: 'former_email', nullable: true })
  formerEmail: string | null;

  /** When this person dismissed the notice that somebody else had signed up with their address. */
  @Column({ type: 'timestamptz', name: 'former_user_seen_at', precision: 3, nullable: true })
  formerUserSeenAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
