import { reasonOf } from './reason.js';

describe('The reason of an error', () => {
  it.each([
    ['its words, without the full stop', new Error('The disk is full.'), 'The disk is full'],
    ['the first line of them', new Error('No route\n    at connect'), 'No route'],
    [
      'those of the first address, when a name with several was tried',
      new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), new Error('the other')]),
      'connect ECONNREFUSED ::1:5432',
    ],
    [
      'its code, when it has no words',
      Object.assign(new Error(''), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
    ],
    ['its name, when it has nothing else', new AggregateError([]), 'AggregateError'],
    ['what was thrown, when that is no error', 'no', 'no'],
  ])('is %s', (_, error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });
});
