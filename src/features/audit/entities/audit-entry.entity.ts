import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AuditAction } from '../audit-actions.js';

/** An audited change. A trigger allows inserts only. */
@Entity('audit_log')
@Index('audit_log_account_id_created_at_idx', { synchronize: false })
@Index('audit_log_request_id_idx', { synchronize: false })
@Index('audit_log_resource_id_idx', ['resourceId', 'createdAt', 'id'])
export class AuditEntryEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audit_log_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @Column('text')
  action: AuditAction;

  @Column({ type: 'uuid', name: 'resource_id', nullable: true })
  resourceId: string | null;

  /** `null` if the system acted. */
  @Column({ type: 'uuid', name: 'user_id', nullable: true })
  userId: string | null;

  /** `null` if the system or a signed-in person acted. */
  @Column({ type: 'uuid', name: 'key_id', nullable: true })
  keyId: string | null;

  @Column({ type: 'text', name: 'request_id', nullable: true })
  requestId: string | null;

  @Column({ type: 'text', name: 'client_address', nullable: true })
  clientAddress: string | null;

  @Column({ type: 'text', name: 'user_agent', nullable: true })
  userAgent: string | null;

  @Column('json')
  details: object;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
