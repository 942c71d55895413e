import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Up to 8,192 documents of an account that were created one after the other. */
@Entity('search_chunks')
@Index('search_chunks_account_id_idx', ['accountId', 'id'])
export class SearchChunkEntity {
  @PrimaryColumn('integer', {
    generated: 'identity',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'search_chunks_pkey',
  })
  id: number;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column('integer')
  documents: number;

  /** Text search configurations of the documents in it. */
  @Column('text', { array: true })
  configurations: string[];
}
