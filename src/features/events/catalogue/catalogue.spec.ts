import {
  EVENT_TYPES,
  eventProblems,
  isSelected,
  repetitionWarnings,
  withoutRepetitions,
} from './catalogue.js';

describe('the events a webhook listens to', () => {
  it('can be single events, all events of a resource, or all events', () => {
    expect(eventProblems([...EVENT_TYPES, 'document.*', 'webhook.*', '*'])).toEqual([]);
  });

  it('are rejected one by one if unknown, with the nearest name and all known ones', () => {
    expect(eventProblems(['document.created', 'document.create', '*', 'purchase'])).toEqual([
      {
        field: 'events[1]',
        issue: expect.stringMatching(
          /^is not a known event; did you mean 'document\.created'\? known names are document\.created, .*webhook\.\*, \*$/,
        ) as string,
      },
      {
        field: 'events[3]',
        issue: expect.stringMatching(
          /^is not a known event; known names are document\.created, /,
        ) as string,
      },
    ]);
  });

  it.each([[7], [null], [['document.created']], [{}]])('must be names: %j', (item) => {
    expect(eventProblems([item])).toEqual([
      { field: 'events[0]', issue: 'must be the name of an event, such as document.created' },
    ]);
  });

  it.each([
    'document.',
    'document.*.*',
    '**',
    'DOCUMENT.CREATED',
    ' document.created',
    'constructor',
    '',
  ])('must match names exactly: %j', (item) => {
    expect(eventProblems([item])).toHaveLength(1);
  });

  it('are stored once each, in their order, with a warning for each repetition', () => {
    const events = ['document.updated', 'document.created', 'document.updated'];
    expect(withoutRepetitions(events)).toEqual(['document.updated', 'document.created']);
    expect(repetitionWarnings(events)).toEqual([
      { field: 'events[2]', issue: 'repeats events[0]; it is stored once' },
    ]);
  });

  it.each([
    [['document.created'], true],
    [['webhook.test', 'document.*'], true],
    [['*'], true],
    [['document.updated', 'webhook.*'], false],
    [[], false],
  ])('%j match document.created: %s', (selection, selected) => {
    expect(isSelected('document.created', selection)).toBe(selected);
  });
});
