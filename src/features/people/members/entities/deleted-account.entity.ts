import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An account that is gone, while workers remove what it had. */
@Entity('deleted_accounts')
export class DeletedAccountEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'deleted_accounts_pkey' })
  accountId: string;

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3 })
  deletedAt: Date;
}
