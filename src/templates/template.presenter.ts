import { shownMembers } from '../versions/field-map.js';
import type { Filled } from './fill-template.js';
import {
  SHOWN_FIELDS,
  TEMPLATE_FIELDS,
  type ShownField,
  type Template,
} from './template-fields.js';

export const LISTED_FIELDS = SHOWN_FIELDS.filter((name) => name !== 'content');

/** A template's public form as JSON text. */
export function presentTemplate(template: Template): string {
  return `{${shownMembers(TEMPLATE_FIELDS, SHOWN_FIELDS, { ...template })}}`;
}

/** Some of its fields. */
export function presentFields(template: Partial<Template>, fields: readonly ShownField[]): string {
  return `{${shownMembers(TEMPLATE_FIELDS, fields, { ...template })}}`;
}

/** What a document made from a template would begin with. */
export function presentPreview({ fields, missing }: Filled): string {
  const members = shownMembers(TEMPLATE_FIELDS, PREVIEWED_FIELDS, { ...fields });
  return `{${members},"missing":${JSON.stringify(missing)}}`;
}

const PREVIEWED_FIELDS = ['title', 'type', 'content', 'metadata', 'aiSettings'] as const;

/** Strong entity tag of a template's version. */
export function templateETag({ version }: Pick<Template, 'version'>): string {
  return `"${String(version)}"`;
}
