import { EVENT_NAMES, SELECTABLE_EVENTS, type SelectableEvent } from '../../api/event-types.js';
import { capitalized } from '../../components/words.js';

/** Events of one kind of resource, with the pattern for all of them first. */
interface EventGroup {
  title: string;
  events: readonly SelectableEvent[];
}

const PATTERNS = (Object.keys(SELECTABLE_EVENTS) as SelectableEvent[]).filter((event) =>
  event.endsWith('.*'),
);

const titleOf = (resource: string) =>
  resource === 'usage' ? 'Usage' : `${capitalized(resource)}s`;

const GROUPS: readonly EventGroup[] = [
  { title: 'Everything', events: ['*'] },
  ...PATTERNS.map((pattern) => ({
    title: titleOf(pattern.slice(0, -2)),
    events: [pattern, ...EVENT_NAMES.filter((name) => includes(pattern, name))],
  })),
];

/** Returns the groups with the events whose name or meaning contains every typed word. */
export function groupsOf(typed: string): EventGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (event: SelectableEvent, title: string) => {
    const text = `${event} ${SELECTABLE_EVENTS[event]} ${title}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return GROUPS.map(({ title, events }) => ({
    title,
    events: events.filter((event) => matches(event, title)),
  })).filter(({ events }) => events.length > 0);
}

/** Returns whether one of the selected patterns includes an event. */
export function covers(selected: readonly SelectableEvent[], event: SelectableEvent): boolean {
  return selected.some((pattern) => includes(pattern, event));
}

/**
 * Returns the selection with an event added or removed. A pattern replaces the events that it includes; removing one of
 * those replaces the pattern by the others.
 */
export function toggled(
  selected: readonly SelectableEvent[],
  event: SelectableEvent,
): SelectableEvent[] {
  if (selected.includes(event)) return selected.filter((one) => one !== event);
  const patterns = selected.filter((pattern) => includes(pattern, event));
  if (patterns.length === 0) return [...selected.filter((one) => !includes(event, one)), event];
  const others = EVENT_NAMES.filter(
    (name) => covers(patterns, name) && name !== event && !includes(event, name),
  );
  return [...selected.filter((one) => !patterns.includes(one)), ...others];
}

function includes(pattern: SelectableEvent, event: SelectableEvent): boolean {
  if (pattern === event || !pattern.endsWith('*')) return false;
  return event.startsWith(pattern.slice(0, -1));
}
