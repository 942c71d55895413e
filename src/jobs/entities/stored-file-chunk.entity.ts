import { Column, Entity, PrimaryColumn } from 'typeorm';

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
