import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The deliveries of a webhook that are leased; only `claim_webhook_deliveries` reads and writes it. */
@Entity('webhook_claims')
export class WebhookClaimEntity {
  @PrimaryColumn('uuid', { name: 'webhook_id', primaryKeyConstraintName: 'webhook_claims_pkey' })
  webhookId: string;

  @Column('uuid', { name: 'delivery_ids', array: true })
  deliveryIds: string[];
}
