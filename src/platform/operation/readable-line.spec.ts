import { readableLine } from './readable-line.js';

const line = (fields: object) =>
  readableLine(
    JSON.stringify({ level: 'info', time: '2026-11-27T10:20:30.000Z', msg: 'request', ...fields }),
    false,
  );
const clock = new Date('2026-11-27T10:20:30.000Z').toTimeString().slice(0, 8);

describe('a readable line of the log', () => {
  it('shows local time, level, message and fields, with the IDs last', () => {
    expect(line({ requestId: 'req_1', method: 'GET', status: 200, route: '/v1/documents' })).toBe(
      `${clock} INFO  request method=GET status=200 route=/v1/documents requestId=req_1\n`,
    );
  });

  it('quotes what could be taken for another field', () => {
    expect(line({ reason: 'a b=c', tags: ['x y'] })).toBe(
      `${clock} INFO  request reason="a b=c" tags=["x y"]\n`,
    );
  });

  it('shows the stack of an error on further lines', () => {
    const stack = 'Error: broken\n    at one\n    at two';
    expect(line({ level: 'error', err: { type: 'Error', message: 'broken', stack } })).toBe(
      `${clock} ERROR request\n  Error: broken\n      at one\n      at two\n`,
    );
  });

  it('contains no control characters of clients', () => {
    const hostile = '\u001b]0;owned\u0007\u009b2J\r\n';
    const text = line({ msg: hostile, route: hostile, err: { message: hostile } });
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('marks warnings and errors in color on a terminal with colors', () => {
    const json = JSON.stringify({ level: 'warn', time: 0, msg: 'careful' });
    expect(readableLine(json, true)).toContain('\u001b[33mcareful\u001b[39m');
    expect(readableLine(json, false)).not.toContain('\u001b');
  });
});
