import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A person who signs in to the dashboard and creates API keys. */
@Entity('users')
export class UserEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' })
  id: string;

  /** In lowercase, so that one address is one user. */
  @Index('users_email_key', { unique: true })
  @Column('text')
  email: string;

  @Column('text')
  name: string;

  /** When the address was proved to belong to this person; `null` while unverified. */
  @Column({ type: 'timestamptz', name: 'email_verified_at', precision: 3, nullable: true })
  emailVerifiedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
