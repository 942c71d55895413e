import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { notFound } from '../errors/app-error.js';
import { uuidOf } from '../identifiers/identifiers.js';
import type { CreationSort } from '../pagination/creation-order.js';
import { readPage, type Page } from '../pagination/read-page.js';
import type { ListTemplatesDto, ListTemplateVersionsDto } from './dto/list-templates.dto.js';
import { StarterOffer } from './starter-offer.js';
import { templateListing, versionListing } from './template-listing.js';
import {
  fromTemplateRow,
  fromVersionRow,
  type TemplateRow,
  type TemplateVersionRow,
} from './template-row.js';
import { TemplateRepository } from './template.repository.js';
import type { Template, TemplateVersion } from './template.js';

/** Pages of templates and of their versions. */
@Injectable()
export class TemplatePages {
  constructor(
    private readonly database: Database,
    private readonly starters: StarterOffer,
    private readonly templates: TemplateRepository,
  ) {}

  /** One page of the account's templates, without content. Throws `bad_request` for a cursor of another list. */
  async list(accountId: string, query: ListTemplatesDto): Promise<Page<Omit<Template, 'content'>>> {
    await this.starters.offer(accountId);
    const listing = templateListing(query);
    const page = await readPage<TemplateRow, ListTemplatesDto['sort']>(
      this.database,
      listing,
      accountId,
      query,
    );
    return { ...page, rows: page.rows.map(fromTemplateRow) };
  }

  /** One page of a template's versions, without content. Throws `not_found`, and `bad_request` as above. */
  async listVersions(
    accountId: string,
    id: string,
    query: ListTemplateVersionsDto,
  ): Promise<Page<Omit<TemplateVersion, 'content'>>> {
    const uuid = uuidOf('template', id);
    if (!(await this.templates.exists(accountId, uuid))) throw notFound('template');
    const listing = versionListing(uuid);
    const page = await readPage<TemplateVersionRow, CreationSort>(
      this.database,
      listing,
      accountId,
      query,
    );
    return { ...page, rows: page.rows.map(fromVersionRow) };
  }
}
