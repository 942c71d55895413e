import type { SelectableEvent } from '../../api/event-types.js';
import type { DocumentType } from '../documents/document-types.js';
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
}

export const NEW_WEBHOOK: WebhookForm = {
  url: '',
  events: ['document.*'],
  payload: 'full',
  description: '',
  headers: '',
  types: [],
  tags: '',
  projects: '',
};

/** Returns a webhook as values of the form. */
export function formOf(webhook: Webhook): WebhookForm {
  const { url, events, payload, description, headers, filter } = webhook;
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

/** Returns the filters; null accepts any value. */
export function filterOf({ types, tags, projects }: WebhookForm) {
  return {
    types: orNull(types),
    tags: orNull(valuesIn(tags)),
    projects: orNull(valuesIn(projects)),
  };
}

function valuesIn(text: string): string[] {
  const values = text.split('\n').map((value) => value.trim());
  return values.filter((value) => value !== '');
}

function orNull<Value>(values: Value[]): Value[] | null {
  return values.length === 0 ? null : values;
}
