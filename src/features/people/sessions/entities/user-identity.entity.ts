import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { UserEntity } from '../../../access/auth/entities/user.entity.js';

/** A user's identity at an OpenID Connect provider. */
@Entity('user_identities')
export class UserIdentityEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'user_identities_pkey' })
  issuer: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'user_identities_pkey' })
  subject: string;

  @Index('user_identities_user_id_idx')
  @Column({ type: 'uuid', name: 'user_id' })
  userId: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'user_identities_user_id_fkey' })
  user: Relation<UserEntity>;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
