import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { Database, type Statement } from '../../../platform/database/database.js';
import { AnalysisSettingsEntity, DictionaryWordEntity } from './account-rules.entities.js';

/** Serializes changes of an account's settings, because each one depends on the stored ones. */
const LOCK: Statement = {
  name: 'analysis-settings.lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('analysis-settings' || $1::text, 0))`,
};

/** Dictionary words and analysis settings of accounts. */
@Injectable()
export class AccountRulesRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(DictionaryWordEntity)
    private readonly dictionary: Repository<DictionaryWordEntity>,
    @InjectRepository(AnalysisSettingsEntity)
    private readonly stored: Repository<AnalysisSettingsEntity>,
  ) {}

  /** Returns the words in code point order. */
  async words(accountId: string): Promise<string[]> {
    const rows = await this.dictionary.find({ where: { accountId }, order: { word: 'ASC' } });
    return rows.map(({ word }) => word);
  }

  /** Adds words and skips existing ones. Returns the size of the dictionary. */
  async addWords(accountId: string, rows: DictionaryWordEntity[]): Promise<number> {
    await this.dictionary.createQueryBuilder().insert().values(rows).orIgnore().execute();
    return this.dictionary.countBy({ accountId });
  }

  async removeWords(accountId: string, words: readonly string[]): Promise<void> {
    await this.dictionary.delete({ accountId, word: In([...words]) });
  }

  settings(accountId: string): Promise<AnalysisSettingsEntity | null> {
    return this.stored.findOneBy({ accountId });
  }

  /** Blocks other changes of the settings until the transaction ends. */
  async lockSettings(accountId: string): Promise<void> {
    await this.database.run(LOCK, [accountId]);
  }

  async saveSettings(row: AnalysisSettingsEntity): Promise<void> {
    await this.stored.upsert({ ...row }, ['accountId']);
  }
}
