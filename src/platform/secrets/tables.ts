import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A constant encrypted with the key of all stored secrets, to tell a wrong SECRETS_KEY at the start. One row at most. */
@Entity('secrets_key_check')
@Check('secrets_key_check_only_row_check', '"only_row"')
export class SecretsKeyCheckEntity {
  @PrimaryColumn('boolean', {
    name: 'only_row',
    default: true,
    primaryKeyConstraintName: 'secrets_key_check_pkey',
  })
  onlyRow: boolean;

  /** `null`, which an operator who has lost the key writes: the key of the next start is taken as it is. */
  @Column({ type: 'bytea', name: 'check_encrypted', nullable: true })
  checkEncrypted: Buffer | null;

  /** Ids of keys that were lost: a start does not ask for them, though records of them are left. */
  @Column({ type: 'text', name: 'lost_key_ids', array: true, default: () => `'{}'` })
  lostKeyIds: string[];
}

export const SECRETS_TABLES = [SecretsKeyCheckEntity];
