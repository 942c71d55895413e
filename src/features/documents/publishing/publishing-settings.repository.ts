import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, type Statement } from '../../../platform/database/database.js';
import { PublishingSettingsEntity } from './entities/publishing-settings.entity.js';
import type { PublicationRule } from './publication-rules.js';
import type { CachePolicy } from './publications.repository.js';

/** Maximum of `cacheSeconds`: one day. */
export const MAX_CACHE_SECONDS = 86_400;

/** The publishing settings of an account. */
export interface PublishingSettings {
  enabled: boolean;
  /** How long websites may reuse a response. */
  cacheSeconds: number;
  /** True if caches that several readers share may store responses. */
  sharedCache: boolean;
  /** What documents need to be published. */
  rules: PublicationRule[];
  /** False while the service adds or removes published versions. */
  settled: boolean;
  /** Null until the first change. */
  updatedAt: Date | null;
}

export const OFF: PublishingSettings = {
  enabled: false,
  cacheSeconds: 0,
  sharedCache: false,
  rules: [],
  settled: true,
  updatedAt: null,
};

/** Serializes changes of an account's settings. */
const LOCK: Statement = {
  name: 'publishing-settings.lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('publishing' || $1::text, 0))`,
};

const IS_ENABLED: Statement = {
  name: 'publishing-settings.is-enabled',
  text: 'SELECT enabled FROM publishing_settings WHERE account_id = $1',
};

const RULES: Statement = {
  name: 'publishing-settings.rules',
  text: 'SELECT rules FROM publishing_settings WHERE account_id = $1',
};

const CACHE_POLICY: Statement = {
  name: 'publishing-settings.cache-policy',
  text: `SELECT cache_seconds AS "cacheSeconds", shared_cache AS "sharedCache" FROM publishing_settings WHERE account_id = $1 AND enabled`,
};

/** Reads and writes the publishing settings of accounts. */
@Injectable()
export class PublishingSettingsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(PublishingSettingsEntity)
    private readonly stored: Repository<PublishingSettingsEntity>,
  ) {}

  async find(accountId: string): Promise<PublishingSettings> {
    return (await this.stored.findOneBy({ accountId })) ?? OFF;
  }

  async isEnabled(accountId: string): Promise<boolean> {
    const [row] = await this.database.run<{ enabled: boolean }>(IS_ENABLED, [accountId]);
    return row?.enabled ?? false;
  }

  async rules(accountId: string): Promise<PublicationRule[]> {
    const [row] = await this.database.run<{ rules: PublicationRule[] }>(RULES, [accountId]);
    return row?.rules ?? [];
  }

  /** Returns how websites may reuse responses; undefined while publishing is off. */
  async cachePolicy(accountId: string): Promise<CachePolicy | undefined> {
    const [policy] = await this.database.run<CachePolicy>(CACHE_POLICY, [accountId]);
    return policy;
  }

  /** Blocks other changes of the settings until the transaction ends. */
  async lock(accountId: string): Promise<void> {
    await this.database.run(LOCK, [accountId]);
  }

  /** The worker then starts again with the first document, unless the settings say that all are settled. */
  async save(accountId: string, settings: PublishingSettings & { updatedAt: Date }): Promise<void> {
    const row = { accountId, ...settings, seenCreatedAt: null, seenId: null, passBeganAt: null };
    await this.stored.upsert(row, ['accountId']);
  }
}
