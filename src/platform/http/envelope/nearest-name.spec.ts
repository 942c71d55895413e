import { nearestName, unknownNameIssue } from './nearest-name.js';

describe('the nearest known name', () => {
  it.each([
    ['titel', 'title'],
    ['TITLE', 'title'],
    ['contnt', 'content'],
    ['metdata', 'metadata'],
    ['idd', 'id'],
    ['tilte', 'title'],
    ['Q', 'q'],
    ['*', '*'],
  ])('of %s is %s', (given, name) => {
    expect(nearestName(given, ['title', 'content', 'metadata', 'id', 'q', '*'])).toBe(name);
  });

  it.each([
    '',
    ' ',
    '%',
    'x',
    'i',
    '1',
    '\u200b',
    'xyz',
    'date',
    'nothing like it',
    'x'.repeat(300),
  ])('of "%s" does not exist', (given) => {
    expect(nearestName(given, ['title', 'page', 'id', 'op', 'q', '*'])).toBeUndefined();
  });

  it('is not suggested in the message about a name that is like none', () => {
    expect(unknownNameIssue('%', ['q', 'page'])).toBe(
      'is not a known field; known names are q, page',
    );
    expect(unknownNameIssue('', ['q'])).toBe('is not a known field; known names are q');
  });
});
