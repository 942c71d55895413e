import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A deleted account whose remaining rows workers still have to remove. */
@Entity('deleted_accounts')
export class DeletedAccountEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'deleted_accounts_pkey' })
  accountId: string;

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3 })
  deletedAt: Date;
}
