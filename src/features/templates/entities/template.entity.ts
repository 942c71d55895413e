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
import type { DocumentType } from '../../content/document-type.js';
import type { Template } from '../template-fields.js';

/** A template in its current version. Older versions are in `template_versions`. */
@Entity('templates')
@Index('templates_created_at_idx', ['accountId', 'createdAt', 'id'])
@Index('templates_updated_at_idx', ['accountId', 'updatedAt', 'id'])
@Index('templates_name_idx', ['accountId', 'name', 'id'])
@Check(
  'templates_type_check',
  `"type" IN ('document', 'report', 'article', 'research', 'technical')`,
)
export class TemplateEntity implements Record<keyof Template, unknown> {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'templates_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'templates_account_id_fkey' })
  account: Relation<AccountEntity>;

  /** Sorted by code point, so the order does not depend on the server's locale. */
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

  /** JSON as text, like metadata and aiSettings, to preserve key order and number spelling. */
  @Column('text')
  variables: string;

  @Column('text')
  metadata: string;

  @Column({ type: 'text', name: 'ai_settings' })
  aiSettings: string;

  @Column('integer')
  version: number;

  /** Null for a starter template. */
  @Column({ type: 'uuid', name: 'created_by', nullable: true })
  createdBy: string | null;

  @ManyToOne(() => UserEntity, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'created_by' })
  creator: Relation<UserEntity> | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  /** The user who created the current version. Null if this is the template's creator. */
  @Column({ type: 'uuid', name: 'version_author', nullable: true })
  versionAuthor: string | null;

  @ManyToOne(() => UserEntity, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'version_author' })
  versionMaker: Relation<UserEntity> | null;

  /** Names of the fields that differ from the previous version; null for the first version. */
  @Column('text', { name: 'version_changes', array: true, nullable: true })
  versionChanges: string[] | null;

  /** Bytes of deltas since the last version that is stored in full. */
  @Column({ type: 'integer', name: 'delta_bytes', default: 0 })
  deltaBytes: number;

  /** Number of deltas since the last version that is stored in full. */
  @Column({ type: 'integer', name: 'delta_count', default: 0 })
  deltaCount: number;
}
