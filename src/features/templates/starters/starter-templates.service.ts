import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import type { TemplateFields } from '../template-fields.js';
import { TemplatesRepository } from '../templates.repository.js';
import { readVariables, type DeclaredVariable } from '../variables/variables.js';

/** A starter template in `index.json`. Its content is in `file`. */
interface Starter extends Pick<TemplateFields, 'type' | 'name' | 'title'> {
  file: string;
  description: string;
  variables: readonly DeclaredVariable[];
  tags: readonly string[];
  metadata?: Record<string, string>;
}

/** The templates that every account starts with, one for each document type. */
export const STARTER_TEMPLATES: readonly TemplateFields[] = (
  JSON.parse(read('index.json')) as readonly Starter[]
).map(templateOf);

const MAX_CACHED_ACCOUNTS = 10_000;

/**
 * Inserts an account's starter templates once, before its templates are first listed. Account creation in `auth` does not
 * know about templates, and old accounts were created before starter templates existed.
 */
@Injectable()
export class StarterTemplatesService {
  /** Accounts that have received their starter templates. */
  private readonly done = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly templates: TemplatesRepository,
    private readonly clock: Clock,
  ) {}

  /** Inserts the account's starter templates, unless it has received them before. */
  async offer(accountId: string): Promise<void> {
    if (this.done.has(accountId)) return;
    await this.database.transaction(() =>
      this.templates.insertStarters(accountId, STARTER_TEMPLATES, this.clock.now()),
    );
    if (this.done.size >= MAX_CACHED_ACCOUNTS) this.done.clear();
    this.done.add(accountId);
  }
}

/** Returns the template of a starter. Its metadata has the tags and the starter's own metadata. */
function templateOf({ file, variables, tags, metadata = {}, ...fields }: Starter): TemplateFields {
  return {
    ...fields,
    content: read(file),
    variables: JSON.stringify(readVariables(variables)),
    metadata: JSON.stringify({ tags, ...metadata }),
    aiSettings: '{}',
  };
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
