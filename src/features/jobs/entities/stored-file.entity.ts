import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A file that a job reads or makes; its bytes are in `stored_file_chunks`. */
@Entity('stored_files')
@Index('stored_files_account_id_idx', ['accountId'])
@Index('stored_files_expires_at_idx', ['expiresAt'])
export class StoredFileEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'stored_files_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  /** Compressed, as they are kept. */
  @Column({ type: 'bigint', name: 'stored_bytes', default: 0 })
  storedBytes: string;

  /** Moves on while the file is written; then it is removed. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

/** A piece of a stored file, of 256 KiB but for the last. */
@Entity('stored_file_chunks')
export class StoredFileChunkEntity {
  @PrimaryColumn('uuid', {
    name: 'file_id',
    primaryKeyConstraintName: 'stored_file_chunks_pkey',
  })
  fileId: string;

  /** From 1. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'stored_file_chunks_pkey' })
  number: number;

  @Column('bytea')
  bytes: Buffer;
}
