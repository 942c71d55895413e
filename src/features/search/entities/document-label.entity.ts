import { Entity, PrimaryColumn } from 'typeorm';

const KEY = { primaryKeyConstraintName: 'document_labels_pkey' };

/** A value in the metadata of a document; triggers on documents write these. */
@Entity('document_labels')
export class DocumentLabelEntity {
  @PrimaryColumn('uuid', { name: 'account_id', ...KEY })
  accountId: string;

  /** Whether the document is in the trash. */
  @PrimaryColumn('boolean', { ...KEY })
  deleted: boolean;

  /** Path and value; long ones by their hash. */
  @PrimaryColumn('text', { collation: 'C', ...KEY })
  label: string;

  @PrimaryColumn('timestamptz', { name: 'created_at', precision: 3, ...KEY })
  createdAt: Date;

  @PrimaryColumn('uuid', { name: 'document_id', ...KEY })
  documentId: string;
}
