import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import type { ItemOutcome, ReleaseAction, ReleaseProblem, ReleaseStatus } from '../release.js';

/** Documents that are published or unpublished together. */
@Entity('releases')
@Index('releases_due_at_idx', { synchronize: false })
@Index('releases_created_at_idx', ['accountId', 'createdAt', 'id'])
@Index('releases_updated_at_idx', ['accountId', 'updatedAt', 'id'])
@Index('releases_listed_at_idx', ['accountId', 'listedAt', 'id'])
@Index('releases_finished_at_idx', { synchronize: false })
export class ReleaseEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'releases_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  /** Null for the schedule of a document. */
  @Column({ type: 'text', nullable: true })
  title: string | null;

  @Column('text')
  status: ReleaseStatus;

  @Column({ type: 'timestamptz', name: 'publish_at', precision: 3, nullable: true })
  publishAt: Date | null;

  @Column({ type: 'text', name: 'time_zone', nullable: true })
  timeZone: string | null;

  /** When a worker tries to publish it. Null unless it is scheduled. */
  @Column({ type: 'timestamptz', name: 'due_at', precision: 3, nullable: true })
  dueAt: Date | null;

  /** The order of lists: `publishAt`, or `createdAt` without one. */
  @Column({ type: 'timestamptz', name: 'listed_at', precision: 3 })
  listedAt: Date;

  /** When a worker last ordered missing analyses of its documents. Null after a change. */
  @Column({ type: 'timestamptz', name: 'checks_ordered_at', precision: 3, nullable: true })
  checksOrderedAt: Date | null;

  @Column('integer')
  version: number;

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy: string;

  /** The service publishes for this person. */
  @Column({ type: 'uuid', name: 'updated_by' })
  updatedBy: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  finishedAt: Date | null;
}

const ITEM_KEY = { primaryKeyConstraintName: 'release_items_pkey' };

/** A document of a release. */
@Entity('release_items')
@Index('release_items_document_id_idx', ['documentId'])
@Index('release_items_account_id_idx', ['accountId'])
export class ReleaseItemEntity {
  @PrimaryColumn('uuid', { name: 'release_id', ...ITEM_KEY })
  releaseId: string;

  @ManyToOne(() => ReleaseEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'release_id', foreignKeyConstraintName: 'release_items_release_id_fkey' })
  release: Relation<ReleaseEntity>;

  /** It has no foreign key: the release of a permanently deleted document fails, and says why. */
  @PrimaryColumn('uuid', { name: 'document_id', ...ITEM_KEY })
  documentId: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column('smallint')
  position: number;

  @Column('text')
  action: ReleaseAction;

  /** Null for the current version, until the release is scheduled or published. */
  @Column({ type: 'integer', nullable: true })
  version: number | null;

  /** The number of the document's last publication when the version was fixed. Null unless it was scheduled. */
  @Column({ type: 'integer', name: 'seen_number', nullable: true })
  seenNumber: number | null;

  @Column({ type: 'text', nullable: true })
  outcome: ItemOutcome | null;

  @Column({ type: 'json', nullable: true })
  problems: ReleaseProblem[] | null;
}
