import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A constant encrypted with the key of all stored secrets, to detect a wrong SECRETS_KEY at startup. At most one row. */
@Entity('secrets_key_check')
@Check('secrets_key_check_only_row_check', '"only_row"')
export class SecretsKeyCheckEntity {
  @PrimaryColumn('boolean', {
    name: 'only_row',
    default: true,
    primaryKeyConstraintName: 'secrets_key_check_pkey',
  })
  onlyRow: boolean;

  /** `null`, set by an operator who has lost the key: the next start accepts any key. */
  @Column({ type: 'bytea', name: 'check_encrypted', nullable: true })
  checkEncrypted: Buffer | null;

  /** IDs of lost keys. A start does not require them, although their records still exist. */
  @Column({ type: 'text', name: 'lost_key_ids', array: true, default: () => `'{}'` })
  lostKeyIds: string[];
}

export const SECRETS_TABLES = [SecretsKeyCheckEntity];
