import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { AccountEntity } from '../../auth/entities/account.entity.js';

/** Records that an account has received its starter templates, so that deleted ones are not inserted again. */
@Entity('starter_offers')
export class StarterOfferEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'starter_offers_pkey' })
  accountId: string;

  @OneToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'starter_offers_account_id_fkey' })
  account: Relation<AccountEntity>;

  @Column({ type: 'timestamptz', name: 'offered_at', precision: 3 })
  offeredAt: Date;
}
