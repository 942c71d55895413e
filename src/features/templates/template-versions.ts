import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { VersionPresenter } from '../content/versioning/version.presenter.js';
import { VersionRepository } from '../content/versioning/version.repository.js';
import type { Version } from '../content/versioning/versioned-resource.js';
import { TEMPLATES, type TemplateState } from './template-fields.js';

type ListedState = Omit<TemplateState, 'content'>;
export type ListedVersion = Version<ListedState>;
export type WholeVersion = Version<TemplateState>;

/** The versions of templates. */
@Injectable()
export class TemplateVersions extends VersionRepository<ListedState, TemplateState> {
  constructor(database: Database) {
    super(database, TEMPLATES);
  }
}

export const templateVersionPresenter = new VersionPresenter<ListedState, TemplateState>(TEMPLATES);
