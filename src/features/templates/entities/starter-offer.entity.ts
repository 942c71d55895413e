import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { AccountEntity } from '../../access/auth/entities/account.entity.js';

/** That an account was given its starter templates: what it deletes of them does not come back. */
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
