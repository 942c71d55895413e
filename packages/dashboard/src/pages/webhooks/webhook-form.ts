import type { SelectableEvent } from '../../api/event-types.js';
import type { DocumentType } from '../documents/document-types.js';
import type { Webhook } from './webhook-queries.js';

/** What a person chooses of a webhook. */
export interface WebhookForm {
  url: string;
  events: SelectableEvent[];
  payload: 'full' | 'thin';
  description: string;
  /** A header a line, as `Name: value`. */
  headers: string;
  types: DocumentType[];
  /** One a line: a tag may have a comma. */
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

/** A webhook in the fields of the form. */
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

/** The headers that are typed; a line without a colon is a name without a value, which the service refuses. */
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

/** The same as a change of what was there: who is not named any more is removed. */
export function headersChange(before: string, after: string): Record<string, string | null> {
  const wanted = headersOf(after);
  const names = new Set(Object.keys(wanted).map((name) => name.toLowerCase()));
  const gone = Object.keys(headersOf(before)).filter((name) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...wanted };
}

/** Each kind as it is to be; null is any. */
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
