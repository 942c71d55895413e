import { Injectable } from '@nestjs/common';
import { auditRow } from '../audit/audit-entry.js';
import type { Cause } from '../auth/cause.js';
import { Clock } from '../clock/clock.js';
import { KeyedMutex } from '../database/keyed-mutex.js';
import { requirePreconditions, type Preconditions } from '../envelope/preconditions.js';
import { AppError, notFound } from '../errors/app-error.js';
import { newUuid, uuidOf } from '../identifiers/identifiers.js';
import { tooManyTemplates } from './template-limit.js';
import { TemplateStore, type TemplateWrite } from './template-store.js';
import { templateETag } from './template.presenter.js';
import type { Template, TemplateFields, TemplateVersion } from './template.js';
import { differences } from './wanted-fields.js';

/** Reading and writing again after another process was faster. */
const MAX_ATTEMPTS = 20;

/** Which template, and what the client says it must still be. */
export interface Target {
  id: string;
  preconditions: Preconditions;
}

/** What to make of a template as it is now. */
type Wanted = (before: Template) => TemplateFields;

/**
 * The templates of an account. No writer's change is lost: what is wanted is worked out from the template as it is, and
 * written only if it still is so; otherwise both are done again.
 */
@Injectable()
export class TemplatesService {
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly store: TemplateStore,
    private readonly clock: Clock,
  ) {}

  /** Makes a template of version 1. Throws `conflict` when the account has as many as it may have. */
  async create(fields: TemplateFields, cause: Cause): Promise<Template> {
    const { accountId, user } = cause.principal;
    const now = this.clock.now();
    const template: Template = {
      ...fields,
      id: newUuid(),
      accountId,
      version: 1,
      createdBy: user,
      createdAt: now,
      updatedAt: now,
    };
    const entry = auditRow({ action: 'template.create', resourceId: template.id, at: now, cause });
    const write: TemplateWrite = { template, changes: [], authorId: user.id, entry };
    if (!(await this.store.insert(write, cause))) throw tooManyTemplates();
    return template;
  }

  /** One template of the account. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<Template> {
    const template = await this.store.find(accountId, uuidOf('template', id));
    if (!template) throw notFound('template');
    return template;
  }

  /**
   * Makes one version, or nothing when nothing changes. Throws `not_found`, `precondition_failed` when the template is
   * not what `preconditions` say, and what `wanted` throws.
   */
  change(target: Target, cause: Cause, wanted: Wanted): Promise<Template> {
    return this.write(target, cause, (before) => this.writeNext(before, wanted(before), cause));
  }

  /** Makes the template again what it was, as a new version on top. Throws as {@link change} does. */
  restore(target: Target, number: string, cause: Cause): Promise<Template> {
    return this.write(target, cause, async (before) => {
      const version = await this.versionOf(before.accountId, before.id, number, cause);
      return this.writeNext(before, version, cause, { restored: version.number });
    });
  }

  /** One version of a template. Throws `not_found`, also for a number that is none. */
  async findVersion(accountId: string, id: string, number: string): Promise<TemplateVersion> {
    const uuid = uuidOf('template', id);
    if (!(await this.store.exists(accountId, uuid))) throw notFound('template');
    return this.versionOf(accountId, uuid, number);
  }

  /** Removes the template and its versions. Throws `not_found`, `precondition_failed`. */
  async delete(target: Target, cause: Cause): Promise<void> {
    await this.write(target, cause, async (before) => {
      const { id: resourceId } = before;
      const at = this.clock.now();
      const entry = auditRow({ action: 'template.delete', resourceId, at, cause });
      return (await this.store.remove(before, entry, cause.executor)) ? before : undefined;
    });
  }

  /** Reads and writes, again when another request came in between; `write` then answers `undefined`. */
  private async write(
    { id, preconditions }: Target,
    cause: Cause,
    write: (before: Template) => Promise<Template | undefined>,
  ): Promise<Template> {
    const uuid = uuidOf('template', id);
    const { accountId } = cause.principal;
    const attempt = async (): Promise<Template> => {
      for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
        const before = await this.store.findForChange(accountId, uuid, cause.executor);
        if (!before) throw notFound('template');
        requirePreconditions(preconditions, {
          version: before.version,
          etag: templateETag(before),
        });
        const after = await write(before);
        if (after) return after;
      }
      throw contended();
    };
    // In a transaction the row is locked instead: waiting for a turn with a lock in hand could be for ever.
    return cause.executor ? attempt() : this.mutex.run(uuid, attempt, cause.caller);
  }

  private async writeNext(
    before: Template,
    wanted: TemplateFields,
    cause: Cause,
    details: Record<string, unknown> = {},
  ): Promise<Template | undefined> {
    const changes = differences(before, wanted);
    if (changes.length === 0) return before;
    const now = this.clock.now();
    const template: Template = {
      ...before,
      ...Object.fromEntries(changes.map((field) => [field, wanted[field]])),
      version: before.version + 1,
      // The clocks of two replicas differ: time never runs backwards for a template.
      updatedAt: now < before.updatedAt ? before.updatedAt : now,
    };
    const { id: resourceId, version } = template;
    const entry = auditRow({
      action: 'template.update',
      resourceId,
      at: now,
      cause,
      details: { version, changes, ...details },
    });
    const write: TemplateWrite = { template, changes, authorId: cause.principal.user.id, entry };
    return (await this.store.update(write, cause.executor)) ? template : undefined;
  }

  private async versionOf(
    accountId: string,
    id: string,
    number: string,
    { executor }: Partial<Pick<Cause, 'executor'>> = {},
  ): Promise<TemplateVersion> {
    if (!VERSION_NUMBER.test(number)) throw notFound('version');
    const version = await this.store.findVersion(accountId, id, Number(number), executor);
    if (!version) throw notFound('version');
    return version;
  }
}

/** From 1, and within what the column holds. */
const VERSION_NUMBER = /^[1-9]\d{0,8}$/;

/** The answer to a change that others were faster than, again and again. */
function contended(): AppError {
  return new AppError(
    'unavailable',
    'Too many clients change this template at once. Try again shortly; nothing was changed.',
    undefined,
    { retryAfterSeconds: 1 },
  );
}
