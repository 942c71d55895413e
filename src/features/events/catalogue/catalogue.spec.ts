import { EVENT_TYPES } from './catalogue.js';
import { eventProblems, isSelected, repetitionWarnings, withoutRepetitions } from './catalogue.js';

describe('the events a webhook listens to', () => {
  it('may be every event of the catalogue, all of one kind, or all', () => {
    expect(eventProblems([...EVENT_TYPES, 'document.*', 'webhook.*', '*'])).toEqual([]);
  });

  it('are refused one by one when unknown, with the nearest name and all known ones', () => {
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

  it.each([[7], [null], [['document.created']], [{}]])('are names and nothing else: %j', (item) => {
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
  ])('match names to the letter: %j', (item) => {
    expect(eventProblems([item])).toHaveLength(1);
  });

  it('are kept once each, in their order, and the repetition is said', () => {
    const events = ['document.updated', 'document.created', 'document.updated'];
    expect(withoutRepetitions(events)).toEqual(['document.updated', 'document.created']);
    expect(repetitionWarnings(events)).toEqual([
      { field: 'events[2]', issue: 'repeats events[0]; it is kept once' },
    ]);
  });

  it.each([
    [['document.created'], true],
    [['webhook.test', 'document.*'], true],
    [['*'], true],
    [['document.updated', 'webhook.*'], false],
    [[], false],
  ])('%j stand for document.created: %s', (selection, selected) => {
    expect(isSelected('document.created', selection)).toBe(selected);
  });
});
