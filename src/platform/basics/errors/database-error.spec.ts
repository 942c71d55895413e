import { asUnavailable, troubleOf } from './database-error.js';

const withCode = (code: string, message = 'no words') =>
  Object.assign(new Error(message), { code });

describe('A temporary failure of PostgreSQL', () => {
  it.each([
    ['ECONNREFUSED', 'unreachable'],
    ['08006', 'unreachable'],
    ['57P01', 'unreachable'],
    ['57P03', 'unreachable'],
    ['57P05', 'unreachable'],
    ['25006', 'unreachable'],
    ['53300', 'overloaded'],
    ['53200', 'overloaded'],
    ['57014', 'cut'],
    ['25P03', 'cut'],
    ['25P04', 'cut'],
    ['55P03', 'contended'],
    ['40001', 'contended'],
    ['40P01', 'contended'],
  ])('is recognized by its code: %s is %s', (code, trouble) => {
    expect(troubleOf(withCode(code))).toBe(trouble);
    expect(asUnavailable(withCode(code))).toMatchObject({
      kind: 'unavailable',
      retryAfterSeconds: expect.any(Number) as number,
    });
  });

  it.each([
    ['timeout exceeded when trying to connect', 'overloaded'],
    ['Connection terminated due to connection timeout', 'unreachable'],
    ['Connection terminated unexpectedly', 'unreachable'],
    ['Client has encountered a connection error and is not queryable', 'unreachable'],
    ['Query runner already released. Cannot run queries anymore.', 'unreachable'],
  ])('is recognized by its message if it has no code: "%s" is %s', (message, trouble) => {
    expect(troubleOf(new Error(message))).toBe(trouble);
  });

  it.each([
    ['a constraint', withCode('23505')],
    ['a missing table', withCode('42P01')],
    ['a missing file', Object.assign(withCode('ENOENT'), { syscall: 'open' })],
    ['something of our own', new TypeError('x is not a function')],
    ['what is no error', 'ECONNREFUSED'],
  ])('does not include every failure: %s', (_, error) => {
    expect(asUnavailable(error)).toBeUndefined();
  });

  it('has a message that names its cause, and says what to reduce if a request took too long', () => {
    const messageOf = (code: string) => asUnavailable(withCode(code))?.message;
    expect(messageOf('57P01')).toMatch(/cannot reach its database/);
    for (const code of ['53300', '57014', '25P04', '55P03', '40001']) {
      expect(messageOf(code)).not.toMatch(/cannot reach/);
    }
    expect(messageOf('57014')).toMatch(
      /exceeded the time limit .* smaller limit, more selective filters/,
    );
    expect(messageOf('55P03')).toMatch(/Other requests have locked/);
  });
});
