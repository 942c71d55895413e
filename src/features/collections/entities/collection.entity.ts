import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { AccountEntity } from '../../auth/entities/account.entity.js';
import type { StoredAccess } from '../../auth/access/rights.js';

/** A folder of documents. Documents at the root are in none. */
@Entity('collections')
@Index('collections_account_id_created_at_idx', ['accountId', 'createdAt', 'id'])
@Index('collections_deleted_at_idx', { synchronize: false })
export class CollectionEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'collections_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'collections_account_id_fkey' })
  account: Relation<AccountEntity>;

  /** Null at the root. It has no foreign key: changes of the tree lock the account instead. */
  @Column({ type: 'uuid', name: 'parent_id', nullable: true })
  parentId: string | null;

  /** Sorted by code point, so the order does not depend on the server's locale. */
  @Column({ type: 'text', collation: 'C' })
  name: string;

  /** Null if the parent decides. */
  @Column({ type: 'jsonb', nullable: true })
  access: StoredAccess | null;

  @Column('integer')
  version: number;

  /** Null once this person has left the account. */
  @Column({ type: 'uuid', name: 'created_by', nullable: true })
  createdBy: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  /** A deleted collection is stored as long as documents in the trash refer to it. */
  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;
}
