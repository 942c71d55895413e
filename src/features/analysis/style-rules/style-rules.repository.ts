import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { StyleRule } from '@document-service/text-analysis/analysis';
import { Database, type Statement } from '../../../platform/database/database.js';
import { StyleRuleSetEntity } from '../settings/account-rules.entities.js';

/** Serializes changes to an account's rules, so that versions have consecutive numbers. */
const LOCK: Statement = {
  name: 'style-rules.lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('style-rules' || $1::text, 0))`,
};

/** Limit for the rules on one page: 100 versions could have hundreds of MiB. */
const MAX_PAGE_RULES_BYTES = 8 * 1024 * 1024;

/** The rules are read and written as JSON text: parsing 6 MiB would block the event loop. */
const FIND: Statement = {
  name: 'style-rules.find',
  text: `SELECT version, is_active AS "isActive", created_at AS "createdAt", rules::text AS rules
           FROM style_rule_sets WHERE account_id = $1 AND version = $2`,
};

const INSERT: Statement = {
  name: 'style-rules.insert',
  text: `INSERT INTO style_rule_sets (account_id, version, rules, is_active, created_by, created_at)
         VALUES ($1, $2, $3::json, false, $4, $5)`,
};

const LIST: Statement = {
  name: 'style-rules.list',
  text: `SELECT version, is_active AS "isActive", created_at AS "createdAt",
                CASE WHEN sum(octet_length(rules::text)) OVER () <= ${String(MAX_PAGE_RULES_BYTES)} OR count(*) OVER () = 1 THEN rules::text END AS rules
           FROM style_rule_sets WHERE account_id = $1 AND version BETWEEN $2 AND $3 ORDER BY version`,
};

const COUNT_DOCUMENTS: Statement = {
  name: 'style-rules.count-documents',
  text: 'SELECT count(*)::integer AS total FROM documents WHERE account_id = $1 AND deleted_at IS NULL',
};

/** Reads the document that follows `$2` in ID order. */
const NEXT_DOCUMENT: Statement = {
  name: 'style-rules.next-document',
  text: `SELECT id, title, content FROM documents
          WHERE account_id = $1 AND deleted_at IS NULL AND id > $2 ORDER BY id LIMIT 1`,
};

/** A version of an account's rules. `rules` is JSON text. */
export interface StyleRuleSet {
  version: number;
  isActive: boolean;
  rules: string;
  createdAt: Date;
}

/** A new version, which is inactive. Ids are UUIDs. */
interface NewStyleRuleSet extends Omit<StyleRuleSet, 'isActive'> {
  accountId: string;
  createdBy: string;
}

/** A document that a dry run checks. */
interface CheckedDocument {
  id: string;
  title: string;
  content: string;
}

/** Versions of the style rules of accounts, and the documents that a dry run checks. */
@Injectable()
export class StyleRulesRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(StyleRuleSetEntity) private readonly sets: Repository<StyleRuleSetEntity>,
  ) {}

  async lock(accountId: string): Promise<void> {
    await this.database.run(LOCK, [accountId]);
  }

  /** Returns the versions `first` to `last`; `rules` is null in all of them if they exceed 8 MiB. */
  list(
    accountId: string,
    first: number,
    last: number,
  ): Promise<(Omit<StyleRuleSet, 'rules'> & { rules: string | null })[]> {
    return this.database.run(LIST, [accountId, first, last]);
  }

  async newestVersion(accountId: string): Promise<number> {
    return (await this.sets.maximum('version', { accountId })) ?? 0;
  }

  async find(accountId: string, version: number): Promise<StyleRuleSet | undefined> {
    const [row] = await this.database.run<StyleRuleSet>(FIND, [accountId, version]);
    return row;
  }

  exists(accountId: string, version: number): Promise<boolean> {
    return this.sets.existsBy({ accountId, version });
  }

  findActive(accountId: string): Promise<{ rules: StyleRule[] } | null> {
    return this.sets.findOneBy({ accountId, isActive: true });
  }

  async insert(set: NewStyleRuleSet): Promise<void> {
    const { accountId, version, rules, createdBy, createdAt } = set;
    await this.database.run(INSERT, [accountId, version, rules, createdBy, createdAt]);
  }

  async activate(accountId: string, version: number): Promise<void> {
    await this.deactivate(accountId);
    await this.sets.update({ accountId, version }, { isActive: true });
  }

  async deactivate(accountId: string): Promise<void> {
    await this.sets.update({ accountId, isActive: true }, { isActive: false });
  }

  async countDocuments(accountId: string): Promise<number> {
    const [row] = await this.database.run<{ total: number }>(COUNT_DOCUMENTS, [accountId]);
    return row?.total ?? 0;
  }

  async nextDocument(accountId: string, after: string): Promise<CheckedDocument | undefined> {
    const [row] = await this.database.run<CheckedDocument>(NEXT_DOCUMENT, [accountId, after]);
    return row;
  }
}
