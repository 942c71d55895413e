import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../audit/audit.repository.js';
import type { RequestContext } from '../auth/request-context.js';
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
import { templateETag } from './template.presenter.js';
import type { ListTemplatesDto } from './dto/template.dto.js';
import { StarterTemplatesService } from './starters/starter-templates.service.js';
import {
  TemplatesRepository,
  TemplateVersionsRepository,
  type ListedVersion,
  type StoredTemplate,
  type WholeVersion,
} from './templates.repository.js';

/** A template by its public id, with the preconditions that the client sent. */
interface Target {
  id: string;
  preconditions: Preconditions;
}

/** Computes the new fields of a template from its current state. */
type ChangeRequest = (before: Template) => Promise<TemplateFields>;

/** Manages the templates of an account. Changes lock the template before reading it, so no update is lost. */
@Injectable()
export class TemplatesService {
  constructor(
    private readonly templates: TemplatesRepository,
    private readonly versions: TemplateVersionsRepository,
    private readonly starters: StarterTemplatesService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Creates a template. Throws `conflict` if the account has the maximum number of templates. */
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

  /** Returns one page without content. Throws `bad_request` for a cursor of another list. */
  async list(accountId: string, query: ListTemplatesDto): ReturnType<TemplatesRepository['page']> {
    await this.starters.offer(accountId);
    return this.templates.page(accountId, query);
  }

  /** Returns a template of the account. Throws `not_found`, even for a malformed ID. */
  async find(accountId: string, id: string): Promise<Template> {
    const template = await this.templates.find(accountId, uuidOf('template', id));
    if (!template) throw notFound('template');
    return template;
  }

  /**
   * Creates one version, or does nothing if no field changes. Throws `not_found`, `precondition_failed` if the
   * preconditions do not hold, and the errors of `request`.
   */
  change(target: Target, context: RequestContext, request: ChangeRequest): Promise<Template> {
    return this.locked(target, context, async (before) =>
      this.writeNext(before, await request(before), context),
    );
  }

  /** Creates a new version with the fields of an older one. Throws like {@link change}. */
  restore(target: Target, number: string, context: RequestContext): Promise<Template> {
    return this.locked(target, context, async (before) => {
      const version = await this.versions.get(before, number);
      return this.writeNext(before, version, context, { restored: version.number });
    });
  }

  /** Returns one page of a template's versions. Throws `not_found`, and `bad_request` for a cursor of another list. */
  async listVersions(
    accountId: string,
    id: string,
    query: PageQueryDto,
  ): Promise<Page<ListedVersion>> {
    return this.versions.page(await this.find(accountId, id), query);
  }

  /** Returns one version of a template. Throws `not_found`, even for a malformed number. */
  async findVersion(accountId: string, id: string, number: string): Promise<WholeVersion> {
    return this.versions.get(await this.find(accountId, id), number);
  }

  /** Deletes the template and its versions. Throws `not_found`, `precondition_failed`. */
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

  /** Locks the template, checks the preconditions and calls `work`, in one transaction. */
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
    requested: TemplateFields,
    context: RequestContext,
    details: Record<string, unknown> = {},
  ): Promise<Template> {
    const changes = changedFields(TEMPLATE_FIELDS, PATCHABLE_FIELDS, before, requested);
    if (changes.length === 0) return before;
    const now = this.clock.now();
    const template: Template = {
      ...before,
      ...Object.fromEntries(changes.map((field) => [field, requested[field]])),
      version: before.version + 1,
      // `updatedAt` never decreases, although the clocks of replicas differ.
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
