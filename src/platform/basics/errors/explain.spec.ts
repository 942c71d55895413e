import { notFound, OperatorError } from './app-error.js';
import { explain } from './explain.js';

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code });

describe('The sentence at the end of a process', () => {
  it.each([
    ['foreseen', new OperatorError('Set PORT.'), 'Set PORT.'],
    ['a refusal', notFound('key'), notFound('key').message],
    [
      'a database that does not respond',
      withCode('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'),
      'The database cannot be reached (connect ECONNREFUSED 127.0.0.1:1). Start PostgreSQL or correct DATABASE_URL.',
    ],
    [
      'a statement that others kept waiting',
      withCode('55P03', 'canceling statement due to lock timeout'),
      'PostgreSQL cannot process this right now: canceling statement due to lock timeout. Try again.',
    ],
    [
      'a wrong password',
      withCode('28P01', 'password authentication failed for user "ada"'),
      'PostgreSQL refused: password authentication failed for user "ada". Correct DATABASE_URL.',
    ],
    [
      'a migration that the role may not run',
      withCode('42501', 'permission denied for schema public'),
      'PostgreSQL refused: permission denied for schema public. Grant the role this privilege, or correct DATABASE_URL.',
    ],
    [
      'not foreseen',
      new TypeError('x is not a function\n    at main.ts:1'),
      'The command failed: x is not a function.',
    ],
  ])('is one line about the failure: %s', (_, error, sentence) => {
    expect(explain(error, 'The command failed')).toBe(sentence);
  });
});
