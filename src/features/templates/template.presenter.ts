import { memberWriter } from '../content/versioning/field-map.js';
import type { Filled } from './variables/fill-template.js';
import {
  SHOWN_FIELDS,
  TEMPLATE_FIELDS,
  type ShownField,
  type Template,
} from './template-fields.js';

export const LISTED_FIELDS = SHOWN_FIELDS.filter((name) => name !== 'content');

const writeAll = memberWriter(TEMPLATE_FIELDS, SHOWN_FIELDS);

/** A template's public form as JSON text. */
export function presentTemplate(template: Template): string {
  return `{${writeAll(template)}}`;
}

/** Some of its fields. */
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

/** What a document made from a template would begin with. */
export function presentPreview({ fields, missing }: Filled): string {
  return `{${writePreview(fields)},"missing":${JSON.stringify(missing)}}`;
}

/** Strong entity tag of a template's version. */
export function templateETag({ version }: Pick<Template, 'version'>): string {
  return `"${String(version)}"`;
}
