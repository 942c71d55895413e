import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { UserEntity } from '../../auth/entities/user.entity.js';
import type { DocumentType } from '../../documents/document-type.js';
import type { Variable } from '../variables.js';
import { TemplateEntity } from './template.entity.js';

/** What a template was, or is, from one change to the next. */
@Entity('template_versions')
@Index('template_versions_number_key', ['templateId', 'number'], { unique: true })
export class TemplateVersionEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'template_versions_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'template_id' })
  templateId: string;

  @ManyToOne(() => TemplateEntity, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'template_id',
    foreignKeyConstraintName: 'template_versions_template_id_fkey',
  })
  template: Relation<TemplateEntity>;

  @Column('integer')
  number: number;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column('text')
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

  @Column('text')
  metadata: string;

  @Column({ type: 'text', name: 'ai_settings' })
  aiSettings: string;

  /** Names of the fields in which it differs from the version before. */
  @Column('text', { array: true })
  changes: string[];

  /** The user who made this version; null for the first one of a template that came with the account. */
  @Column({ type: 'uuid', nullable: true })
  author: string | null;

  @ManyToOne(() => UserEntity, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'author' })
  maker: Relation<UserEntity> | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
