import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { StyleRule } from '@document-service/text-analysis/analysis';

const WORDS = { primaryKeyConstraintName: 'dictionary_words_pkey' };
const RULES = { primaryKeyConstraintName: 'style_rule_sets_pkey' };
const USAGE = { primaryKeyConstraintName: 'analysis_usage_pkey' };

/** A word or term that is correct in all texts of an account. */
@Entity('dictionary_words')
export class DictionaryWordEntity {
  @PrimaryColumn({ type: 'uuid', name: 'account_id', ...WORDS })
  accountId: string;

  @PrimaryColumn({ type: 'text', ...WORDS })
  word: string;

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

/** A version of an account's style rules. At most one version is active. */
@Entity('style_rule_sets')
@Index('style_rule_sets_active_idx', { synchronize: false })
export class StyleRuleSetEntity {
  @PrimaryColumn({ type: 'uuid', name: 'account_id', ...RULES })
  accountId: string;

  /** Consecutive, starting at 1. */
  @PrimaryColumn({ type: 'integer', ...RULES })
  version: number;

  @Column('json')
  rules: StyleRule[];

  @Column({ type: 'boolean', name: 'is_active', default: false })
  isActive: boolean;

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

/** Analysis settings of an account. Accounts without a row use the offline provider. */
@Entity('analysis_settings')
@Check('analysis_settings_provider_check', `"provider" IN ('offline', 'model')`)
export class AnalysisSettingsEntity {
  @PrimaryColumn({
    type: 'uuid',
    name: 'account_id',
    primaryKeyConstraintName: 'analysis_settings_pkey',
  })
  accountId: string;

  @Column({ type: 'text', default: 'offline' })
  provider: 'offline' | 'model';

  /** If the overall score drops by more than this, `document.quality_dropped` is emitted. Null disables the event. */
  @Column({ type: 'real', name: 'quality_drop', nullable: true })
  qualityDrop: number | null;

  /** Ids of rules whose findings are dropped, in order. */
  @Column({ type: 'text', array: true, name: 'disabled_rules', default: '{}' })
  disabledRules: string[];

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}

/** Daily usage of an account (UTC). */
@Entity('analysis_usage')
export class AnalysisUsageEntity {
  @PrimaryColumn({ type: 'uuid', name: 'account_id', ...USAGE })
  accountId: string;

  /** For example `2026-11-22`. */
  @PrimaryColumn({ type: 'date', ...USAGE })
  day: string;

  @Column({ type: 'integer', default: 0 })
  analyses: number;

  /** Used and reserved model tokens. The driver returns bigint as text. */
  @Column({ type: 'bigint', default: 0 })
  tokens: string;

  /** UTF-16 units of text that editors had checked (`POST /v2/check`). The driver returns bigint as text. */
  @Column({ type: 'bigint', name: 'check_characters', default: 0 })
  checkCharacters: string;
}

/** Tokens of an unfinished model call, which `analysis_usage` already includes. Ids are UUIDs. */
@Entity('token_reservations')
@Index('token_reservations_expires_at_idx', ['expiresAt'])
export class TokenReservationEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'token_reservations_pkey' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  /** Day of the `analysis_usage` row (UTC), such as `2026-11-22`. */
  @Column({ type: 'date' })
  day: string;

  @Column({ type: 'integer' })
  tokens: number;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
