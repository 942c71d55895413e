import type { SelectableEvent } from '../../api/event-types.js';
import type { components } from '../../api/v1-schema.js';
import type { DocumentStatus, DocumentType } from '../documents/document-types.js';
import type { Webhook } from './webhook-queries.js';

/** The settings of a webhook in the form. */
export interface WebhookForm {
  url: string;
  events: SelectableEvent[];
  payload: 'full' | 'thin';
  description: string;
  /** One header per line, as `Name: value`. */
  headers: string;
  types: DocumentType[];
  /** One tag per line, because a tag may contain a comma. */
  tags: string;
  projects: string;
  statuses: DocumentStatus[];
  changedFields: string[];
  /** One dotted path per line. */
  changedPaths: string;
  /** One value per line, as `path: value`. */
  metadata: string;
}

/** The members of the form that make up the filter. */
export const FILTER_NAMES = [
  'types',
  'tags',
  'projects',
  'statuses',
  'changedFields',
  'changedPaths',
  'metadata',
] as const satisfies (keyof WebhookForm)[];

const METADATA_PREFIX = 'metadata.';

export const NEW_WEBHOOK: WebhookForm = {
  url: '',
  events: ['document.*'],
  payload: 'full',
  description: '',
  headers: '',
  types: [],
  tags: '',
  projects: '',
  statuses: [],
  changedFields: [],
  changedPaths: '',
  metadata: '',
};

/** Returns a webhook as values of the form. */
export function formOf(webhook: Webhook): WebhookForm {
  const { url, events, payload, description, headers, filter } = webhook;
  const changes = filter?.changes ?? [];
  return {
    ...{ url, payload },
    events: [...events],
    description: description ?? '',
    headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    types: [...(filter?.types ?? [])],
    tags: (filter?.tags ?? []).join('\n'),
    projects: (filter?.projects ?? []).join('\n'),
    statuses: [...(filter?.statuses ?? [])],
    changedFields: changes.filter((name) => !name.startsWith(METADATA_PREFIX)),
    changedPaths: changes
      .filter((name) => name.startsWith(METADATA_PREFIX))
      .map((name) => name.slice(METADATA_PREFIX.length))
      .join('\n'),
    metadata: Object.entries(filter?.metadata ?? {})
      .flatMap(([path, values]) => values.map((value) => `${path}: ${value}`))
      .join('\n'),
  };
}

/** Returns the headers. A line without a colon is a name without a value, which the service rejects. */
export function headersOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return colon === -1
        ? [line.trim(), '']
        : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

/** Returns the headers as a merge patch: removed ones become null. */
export function headersChange(before: string, after: string): Record<string, string | null> {
  const wanted = headersOf(after);
  const names = new Set(Object.keys(wanted).map((name) => name.toLowerCase()));
  const gone = Object.keys(headersOf(before)).filter((name) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...wanted };
}

type FilterPatch = components['schemas']['PatchWebhookFilter'];

/** Returns the filter of a new webhook. */
export function filterOf(form: WebhookForm): components['schemas']['WebhookFilter'] {
  const { types, statuses } = form;
  const [tags, projects] = [valuesIn(form.tags), valuesIn(form.projects)];
  const paths = valuesIn(form.changedPaths).map((path) => METADATA_PREFIX + path);
  const changes = [...form.changedFields, ...paths];
  const metadata = metadataIn(form.metadata);
  return {
    ...(types.length > 0 && { types }),
    ...(tags.length > 0 && { tags }),
    ...(projects.length > 0 && { projects }),
    ...(statuses.length > 0 && { statuses }),
    ...(changes.length > 0 && { changes }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** Returns the filter as a merge patch: removed kinds and paths become null. */
export function filterChange(before: WebhookForm, after: WebhookForm): FilterPatch {
  const [old, wanted] = [filterOf(before), filterOf(after)];
  return {
    ...nulls(old, wanted),
    ...wanted,
    ...(wanted.metadata && {
      metadata: {
        ...(nulls(old.metadata ?? {}, wanted.metadata) as Record<string, null>),
        ...wanted.metadata,
      },
    }),
  };
}

/** Returns null for each member of `old` that `wanted` lacks. */
function nulls<Old extends object>(old: Old, wanted: object): { [Name in keyof Old]?: null } {
  const gone = Object.keys(old).filter((name) => !Object.hasOwn(wanted, name));
  return Object.fromEntries(gone.map((name) => [name, null])) as { [Name in keyof Old]?: null };
}

/** Returns the values by path. A line without a colon is a path with an empty value. */
function metadataIn(text: string): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const line of valuesIn(text)) {
    const colon = line.indexOf(':');
    const path = (colon === -1 ? line : line.slice(0, colon)).trim();
    const value = colon === -1 ? '' : line.slice(colon + 1).trim();
    values.set(path, [...(values.get(path) ?? []), value]);
  }
  return Object.fromEntries(values);
}

function valuesIn(text: string): string[] {
  const values = text.split('\n').map((value) => value.trim());
  return values.filter((value) => value !== '');
}
