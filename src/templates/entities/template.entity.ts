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
import { AccountEntity } from '../../auth/entities/account.entity.js';
import { UserEntity } from '../../auth/entities/user.entity.js';
import type { DocumentType } from '../../documents/document-type.js';
import type { Variable } from '../variables.js';

/** A template as it is now; its versions, this one too, are in `template_versions`. */
@Entity('templates')
@Index('templates_created_at_idx', ['accountId', 'createdAt', 'id'])
@Index('templates_updated_at_idx', ['accountId', 'updatedAt', 'id'])
@Index('templates_name_idx', ['accountId', 'name', 'id'])
@Check(
  'templates_type_check',
  `"type" IN ('document', 'report', 'article', 'research', 'technical')`,
)
export class TemplateEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'templates_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'templates_account_id_fkey' })
  account: Relation<AccountEntity>;

  /** Compared by code point, so that the order is the same on every machine. */
  @Column({ type: 'text', collation: 'C' })
  name: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column('text')
  type: DocumentType;

  @Column({ type: 'text', nullable: true })
  title: string | null;

  @Column('text')
  content: string;

  @Column('json')
  variables: readonly Variable[];

  /** JSON as text: kept to the letter, key order and number spelling too. */
  @Column('text')
  metadata: string;

  @Column({ type: 'text', name: 'ai_settings' })
  aiSettings: string;

  @Column('integer')
  version: number;

  /** Null for one that came with the account. */
  @Column({ type: 'uuid', name: 'created_by', nullable: true })
  createdBy: string | null;

  @ManyToOne(() => UserEntity, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'created_by' })
  creator: Relation<UserEntity> | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
