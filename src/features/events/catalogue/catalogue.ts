import { nearestName } from '../../../platform/http/envelope/nearest-name.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';

/** All events that the service emits. Webhooks can listen to these names, to patterns such as `document.*`, or to `*`. */
export const EVENT_TYPES = [
  'document.created',
  'document.updated',
  'document.status_changed',
  'document.published',
  'document.unpublished',
  'document.archived',
  'document.deleted',
  'document.restored',
  'document.analyzed',
  'document.enhanced',
  'document.quality_dropped',
  'proposal.created',
  'proposal.decided',
  'collection.created',
  'collection.updated',
  'collection.deleted',
  'collection.access_changed',
  'release.published',
  'release.failed',
  'usage.threshold_reached',
  'webhook.test',
  'webhook.disabled',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The names and patterns that a webhook or a stream can listen to. */
export const SELECTABLE_EVENTS: readonly string[] = [
  ...EVENT_TYPES,
  ...new Set(EVENT_TYPES.map(patternOf)),
  '*',
];

/** Maximum number of names in one request. More would be repetitions. */
export const MAX_EVENTS = 50;

/** Validates the items of `events`, and suggests the nearest known name. Ignores values that are not arrays. */
export function eventProblems(value: unknown): FieldProblem[] {
  if (!Array.isArray(value) || value.length > MAX_EVENTS) return [];
  return value.flatMap((item: unknown, index) => {
    const issue = eventIssue(item);
    return issue === undefined ? [] : [{ field: `events[${String(index)}]`, issue }];
  });
}

/** True if one of the names and patterns matches this event type. */
export function isSelected(type: EventType, selection: readonly string[]): boolean {
  return [type, patternOf(type), '*'].some((name) => selection.includes(name));
}

/** Returns the event types that names and patterns match, in the order of the catalogue. */
export function typesOf(selection: readonly string[]): EventType[] {
  return EVENT_TYPES.filter((type) => isSelected(type, selection));
}

/** Returns the pattern of all events of the same resource: `document.*`. */
function patternOf(type: EventType): string {
  return `${type.slice(0, type.indexOf('.'))}.*`;
}

/** Returns each name once, in the order sent. */
export function withoutRepetitions(events: readonly string[]): string[] {
  return [...new Set(events)];
}

/** Returns a warning for each repeated name. */
export function repetitionWarnings(events: readonly string[]): FieldProblem[] {
  return events.flatMap((event, index) => {
    const first = events.indexOf(event);
    if (first === index) return [];
    return [
      {
        field: `events[${String(index)}]`,
        issue: `repeats events[${String(first)}]; it is stored once`,
      },
    ];
  });
}

/** Returns the problem with a name or pattern; `undefined` for a known one. */
export function eventIssue(item: unknown): string | undefined {
  if (typeof item !== 'string') return 'must be the name of an event, such as document.created';
  if (SELECTABLE_EVENTS.includes(item)) return undefined;
  const nearest = nearestName(item, SELECTABLE_EVENTS);
  const hint = nearest ? `did you mean '${nearest}'? ` : '';
  return `is not a known event; ${hint}known names are ${SELECTABLE_EVENTS.join(', ')}`;
}
