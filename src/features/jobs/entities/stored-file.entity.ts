import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An input or result file of a job. Its bytes are in `stored_file_chunks`. */
@Entity('stored_files')
@Index('stored_files_account_id_idx', ['accountId'])
@Index('stored_files_expires_at_idx', ['expiresAt'])
export class StoredFileEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'stored_files_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  /** Compressed. */
  @Column({ type: 'bigint', name: 'stored_bytes', default: 0 })
  storedBytes: string;

  /** True for a file that a client sent. It counts against the storage of the account while it exists. */
  @Column({ type: 'boolean', name: 'is_upload', default: false })
  isUpload: boolean;

  /** Extended while the file is being written. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

/** A chunk of 256 KiB of a stored file; the last one may be smaller. */
@Entity('stored_file_chunks')
export class StoredFileChunkEntity {
  @PrimaryColumn('uuid', {
    name: 'file_id',
    primaryKeyConstraintName: 'stored_file_chunks_pkey',
  })
  fileId: string;

  /** Starts at 1. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'stored_file_chunks_pkey' })
  number: number;

  @Column('bytea')
  bytes: Buffer;
}
