import { VersionPresenter } from '../content/versioning/version.presenter.js';
import { memberWriter } from '../content/versioning/field-map.js';
import type { Filled } from './variables/fill-template.js';
import {
  SHOWN_FIELDS,
  TEMPLATE_FIELDS,
  TEMPLATES,
  type ShownField,
  type Template,
  type TemplateState,
} from './template-fields.js';

export const LISTED_FIELDS = SHOWN_FIELDS.filter((name) => name !== 'content');

const writeAll = memberWriter(TEMPLATE_FIELDS, SHOWN_FIELDS);

/** Returns the public JSON of a template. */
export function presentTemplate(template: Template): string {
  return `{${writeAll(template)}}`;
}

/** Returns the public JSON of some fields. */
export function presentFields(template: Partial<Template>, fields: readonly ShownField[]): string {
  return `{${memberWriter(TEMPLATE_FIELDS, fields)(template)}}`;
}

const writePreview = memberWriter(TEMPLATE_FIELDS, [
  'title',
  'type',
  'content',
  'metadata',
  'aiSettings',
]);

/** Returns the JSON of a preview. */
export function presentPreview({ fields, missing }: Filled): string {
  return `{${writePreview(fields)},"missing":${JSON.stringify(missing)}}`;
}

/** Returns the strong entity tag of a template version. */
export function templateETag({ version }: Pick<Template, 'version'>): string {
  return `"${String(version)}"`;
}

export const templateVersionPresenter = new VersionPresenter<
  Omit<TemplateState, 'content'>,
  TemplateState
>(TEMPLATES);
