import { nearestName } from '../../../platform/http/envelope/nearest-name.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';

/** Every event the service can emit; webhooks may listen to these names, to `document.*` and `webhook.*`, or to `*`. */
export const EVENT_TYPES = [
  'document.created',
  'document.updated',
  'document.status_changed',
  'document.published',
  'document.archived',
  'document.deleted',
  'document.restored',
  'document.analyzed',
  'document.enhanced',
  'document.quality_dropped',
  'webhook.test',
  'webhook.disabled',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What a webhook or a stream may listen to: each event, all of one kind, or all. */
export const SELECTABLE_EVENTS: readonly string[] = [
  ...EVENT_TYPES,
  ...new Set(EVENT_TYPES.map(patternOf)),
  '*',
];

/** Most names in one request; more are repetitions. */
export const MAX_EVENTS = 50;

/** What is wrong with the items of `events`: each unknown one with the nearest known name. Other shapes are not judged. */
export function eventProblems(value: unknown): FieldProblem[] {
  if (!Array.isArray(value) || value.length > MAX_EVENTS) return [];
  return value.flatMap((item: unknown, index) => {
    const issue = eventIssue(item);
    return issue === undefined ? [] : [{ field: `events[${String(index)}]`, issue }];
  });
}

/** Whether one of the names and patterns stands for this type of event. */
export function isSelected(type: EventType, selection: readonly string[]): boolean {
  return [type, patternOf(type), '*'].some((name) => selection.includes(name));
}

/** The types that names and patterns stand for, in the order of the catalogue. */
export function typesOf(selection: readonly string[]): EventType[] {
  return EVENT_TYPES.filter((type) => isSelected(type, selection));
}

/** All events of the same kind of resource: `document.*`. */
function patternOf(type: EventType): string {
  return `${type.slice(0, type.indexOf('.'))}.*`;
}

/** The names in the order sent, each once. */
export function withoutRepetitions(events: readonly string[]): string[] {
  return [...new Set(events)];
}

/** One warning for each name that was sent before. */
export function repetitionWarnings(events: readonly string[]): FieldProblem[] {
  return events.flatMap((event, index) => {
    const first = events.indexOf(event);
    if (first === index) return [];
    return [
      {
        field: `events[${String(index)}]`,
        issue: `repeats events[${String(first)}]; it is kept once`,
      },
    ];
  });
}

/** What is wrong with one name or pattern; `undefined` for a known one. */
export function eventIssue(item: unknown): string | undefined {
  if (typeof item !== 'string') return 'must be the name of an event, such as document.created';
  if (SELECTABLE_EVENTS.includes(item)) return undefined;
  const nearest = nearestName(item, SELECTABLE_EVENTS);
  const hint = nearest ? `did you mean '${nearest}'? ` : '';
  return `is not a known event; ${hint}known names are ${SELECTABLE_EVENTS.join(', ')}`;
}
