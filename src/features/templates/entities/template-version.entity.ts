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
 * A version that a later one has replaced; the current one is the template itself. Its content is kept whole, or as a
 * delta that makes it from the content of the next version (docs/adr/0014-versions-as-reverse-deltas.md).
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

  /** Names of the fields in which it differs from the version before. */
  @Column('text', { array: true })
  changes: string[];

  /** The user who made this version; null for the first one of a template that came with the account. */
  @Column({ type: 'uuid', nullable: true })
  author: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
