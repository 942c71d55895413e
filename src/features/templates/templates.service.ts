import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../audit/audit-entry.js';
import type { RequestContext } from '../access/auth/request-context.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database } from '../../platform/database/database.js';
import {
  requirePreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { newUuid, uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import type { PageQueryDto } from '../../platform/http/pagination/page-query.dto.js';
import type { Page } from '../../platform/http/pagination/read-page.js';
import { changedFields } from '../content/versioning/field-map.js';
import {
  MAX_TEMPLATES,
  PATCHABLE_FIELDS,
  TEMPLATE_FIELDS,
  tooManyTemplates,
  type Template,
  type TemplateFields,
} from './template-fields.js';
import { TemplateVersions, type ListedVersion, type WholeVersion } from './template-versions.js';
import { templateETag } from './template.presenter.js';
import { TemplateRepository, type StoredTemplate } from './template.repository.js';

/** Which template, and what the client says it must still be. */
interface Target {
  id: string;
  preconditions: Preconditions;
}

/** What to make of a template as it is now. */
type Wanted = (before: Template) => TemplateFields;

/** The templates of an account. A change locks the template before it reads it, so no writer's change is lost. */
@Injectable()
export class TemplatesService {
  constructor(
    private readonly templates: TemplateRepository,
    private readonly versions: TemplateVersions,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Makes a template of version 1. Throws `conflict` when the account has as many as it may have. */
  async create(fields: TemplateFields, context: RequestContext): Promise<Template> {
    const { accountId, user } = context.principal;
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
    await this.database.transaction(async () => {
      if ((await this.templates.countForInsert(accountId)) >= MAX_TEMPLATES) {
        throw tooManyTemplates();
      }
      await this.templates.insert(template);
      await insertAuditEntry(this.database, {
        action: 'template.create',
        resourceId: template.id,
        at: now,
        context,
      });
    }, context.caller);
    return template;
  }

  /** One template of the account. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<Template> {
    const template = await this.templates.find(accountId, uuidOf('template', id));
    if (!template) throw notFound('template');
    return template;
  }

  /**
   * Makes one version, or nothing when nothing changes. Throws `not_found`, `precondition_failed` when the template is
   * not what `preconditions` say, and what `wanted` throws.
   */
  change(target: Target, context: RequestContext, wanted: Wanted): Promise<Template> {
    return this.locked(target, context, (before) =>
      this.writeNext(before, wanted(before), context),
    );
  }

  /** Makes the template again what it was, as a new version on top. Throws as {@link change} does. */
  restore(target: Target, number: string, context: RequestContext): Promise<Template> {
    return this.locked(target, context, async (before) => {
      const version = await this.versions.get(before, number);
      return this.writeNext(before, version, context, { restored: version.number });
    });
  }

  /** One page of a template's versions. Throws `not_found`, and `bad_request` for a cursor of another list. */
  async listVersions(
    accountId: string,
    id: string,
    query: PageQueryDto,
  ): Promise<Page<ListedVersion>> {
    return this.versions.page(await this.find(accountId, id), query);
  }

  /** One version of a template. Throws `not_found`, also for a number that is none. */
  async findVersion(accountId: string, id: string, number: string): Promise<WholeVersion> {
    return this.versions.get(await this.find(accountId, id), number);
  }

  /** Removes the template and its versions. Throws `not_found`, `precondition_failed`. */
  async delete(target: Target, context: RequestContext): Promise<void> {
    await this.locked(target, context, async (before) => {
      await this.templates.remove(before);
      await insertAuditEntry(this.database, {
        action: 'template.delete',
        resourceId: before.id,
        at: this.clock.now(),
        context,
      });
    });
  }

  /** Does `work` with the template, locked and as the client says it must be, in one transaction. */
  private locked<Result>(
    { id, preconditions }: Target,
    { principal: { accountId }, caller }: RequestContext,
    work: (before: StoredTemplate) => Promise<Result>,
  ): Promise<Result> {
    const uuid = uuidOf('template', id);
    return this.database.transaction(async () => {
      const before = await this.templates.findForChange(accountId, uuid);
      if (!before) throw notFound('template');
      const { version } = before;
      requirePreconditions(preconditions, { version, etag: templateETag(before) });
      return work(before);
    }, caller);
  }

  private async writeNext(
    before: StoredTemplate,
    wanted: TemplateFields,
    context: RequestContext,
    details: Record<string, unknown> = {},
  ): Promise<Template> {
    const changes = changedFields(TEMPLATE_FIELDS, PATCHABLE_FIELDS, before, wanted);
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
    await this.templates.update(before, template, changes, context.principal.user.id);
    await insertAuditEntry(this.database, {
      action: 'template.update',
      resourceId,
      at: now,
      context,
      details: { version, changes, ...details },
    });
    return template;
  }
}
