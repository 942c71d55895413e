import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Another one after each change of an account's search index (docs/adr/0034-remembered-facets.md). */
@Entity('search_revisions')
export class SearchRevisionEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'search_revisions_pkey' })
  accountId: string;

  @Column('uuid')
  revision: string;
}
