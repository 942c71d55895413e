import {
  Check,
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import type { DocumentType } from '../../content/document-type.js';
import type { TemplateState } from '../template-fields.js';
import { TemplateEntity } from './template.entity.js';

/**
 * An older version; the current version is in `templates`. Its content is stored in full, or as a delta from the content of
 * the next version (docs/adr/0014-versions-as-reverse-deltas.md).
 */
@Entity('template_versions')
@Check('template_versions_content_check', '(content IS NULL) <> (content_delta IS NULL)')
export class TemplateVersionEntity implements Record<keyof TemplateState, unknown> {
  @PrimaryColumn('uuid', {
    name: 'template_id',
    primaryKeyConstraintName: 'template_versions_pkey',
  })
  templateId: string;

  @ManyToOne(() => TemplateEntity, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'template_id',
    foreignKeyConstraintName: 'template_versions_template_id_fkey',
  })
  template: Relation<TemplateEntity>;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'template_versions_pkey' })
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

  @Column('text', { nullable: true })
  content: string | null;

  @Column({ type: 'json', name: 'content_delta', nullable: true })
  contentDelta: unknown;

  @Column('text')
  variables: string;

  @Column('text')
  metadata: string;

  @Column({ type: 'text', name: 'ai_settings' })
  aiSettings: string;

  /** Names of the fields that differ from the previous version. */
  @Column('text', { array: true })
  changes: string[];

  /** The user who created this version; null for the first version of a starter template. */
  @Column({ type: 'uuid', nullable: true })
  author: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
