import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import type { Role } from '../roles.js';
import { AccountEntity } from './account.entity.js';
import { UserEntity } from './user.entity.js';

/** A user's membership in an account. */
@Entity('members')
@Check('members_role_check', `"role" IN ('owner', 'admin', 'member', 'viewer')`)
export class MemberEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'members_pkey' })
  accountId: string;

  @Index('members_user_id_idx')
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'members_pkey' })
  userId: string;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'members_account_id_fkey' })
  account: Relation<AccountEntity>;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'members_user_id_fkey' })
  user: Relation<UserEntity>;

  @Column('text')
  role: Role;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
