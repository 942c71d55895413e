import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { selectFields } from '../../platform/openapi/filter.js';
import { partialTag } from '../../platform/http/envelope/preconditions.js';
import type { FieldProblem } from '../../platform/basics/errors/app-error.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { memberWriter } from '../content/versioning/field-map.js';
import type { Filled } from './variables/fill-template.js';
import { VersionPresenter } from '../content/versioning/version.presenter.js';
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
function presentTemplate(template: Template): string {
  return `{${writeAll(template)}}`;
}

/** Returns the public JSON of some fields. */
function presentFields(template: Partial<Template>, fields: readonly ShownField[]): string {
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

/** Returns the response to a request that created or changed a template. */
export function templateResponse(
  template: Template,
  warnings: readonly FieldProblem[],
  location?: string,
): ApiResponse {
  return new ApiResponse(presentTemplate(template), {
    location,
    etag: templateETag(template),
    warnings,
  });
}

/** Returns the response to a request that reads a template, or the requested fields of it. */
export function readTemplateResponse(template: Template, fields?: readonly string[]): ApiResponse {
  const etag = templateETag(template);
  if (!fields) return new ApiResponse(presentTemplate(template), { etag });
  const asked = selectFields(SHOWN_FIELDS, fields);
  return new ApiResponse(presentFields(template, asked), { etag: partialTag(etag, asked) });
}

/** Returns the items of a page as JSON, with the requested fields or all but the content. */
export function presentTemplates(
  rows: readonly Partial<Template>[],
  fields?: readonly string[],
): string {
  const shown = fields ? selectFields(LISTED_FIELDS, fields) : LISTED_FIELDS;
  return `[${rows.map((row) => presentFields(row, shown)).join(',')}]`;
}

export function templatePath({ id }: Pick<Template, 'id'>): string {
  return `/v1/templates/${encodeId('template', id)}`;
}
