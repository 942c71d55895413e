import fc from 'fast-check';
import { EventMessages, eventMessage, withoutContent } from './event-messages.js';

const ID = '01928c40-0000-7000-8000-000000000000';

/** White space that JSON allows between tokens. */
const space = fc
  .array(fc.constantFrom(' ', '\t', '\n', '\r', '\r\n'), { maxLength: 4 })
  .map((parts) => parts.join(''));

describe('an event in a stream', () => {
  it('has its id and its type', () => {
    const message = eventMessage({
      id: ID,
      position: '7',
      place: null,
      type: 'document.created',
      body: '{}',
    });
    expect(message).toMatch(
      /^id: evt_[0-7][0-9a-z]{25}\nevent: document\.created\ndata: \{\}\n\n$/,
    );
  });

  it('is one block with the same JSON, whatever its body contains', () => {
    fc.assert(
      fc.property(fc.jsonValue(), space, space, (value, before, after) => {
        const body = `{"data":${before}${JSON.stringify(value)}${after}}`;
        const message = eventMessage({
          id: ID,
          position: '7',
          place: null,
          type: 'webhook.test',
          body,
        });
        expect(message.indexOf('\n\n')).toBe(message.length - 2);
        const lines = message
          .trimEnd()
          .split(/\r\n|\r|\n/)
          .slice(2);
        expect(lines.every((line) => line.startsWith('data: '))).toBe(true);
        const data = lines.map((line) => line.slice(6)).join('\n');
        expect(JSON.parse(data)).toEqual(JSON.parse(body));
      }),
    );
  });
});

describe('the events of a batch', () => {
  const body =
    '{"data":{"document":{"id":"doc_1","title":"A","type":"document","content":"secret"}}}';
  const events = ['1', '2', '3'].map((position) => ({
    id: ID.slice(0, -1) + position,
    position,
    place: null,
    type: 'document.created' as const,
    body,
  }));

  it('are written once for all streams that send the same ones', () => {
    const messages = new EventMessages();
    const whole = messages.encode(events, false);
    expect(messages.encode([...events], false)).toBe(whole);
    expect(whole.toString()).toBe(events.map((event) => eventMessage(event)).join(''));
  });

  it('are other blocks for streams that send fewer, or no content', () => {
    const messages = new EventMessages();
    const whole = messages.encode(events, false);
    const thin = messages.encode(events, true);
    expect(thin.toString()).toContain('"contentTruncated":true');
    expect(thin.toString()).not.toContain('secret');
    expect(messages.encode(events.slice(1), false)).toEqual(whole.subarray(whole.length / 3));
    expect(messages.encode(events, true)).toBe(thin);
  });
});

const bodyOf = (document: object, more: object = {}) =>
  JSON.stringify({
    id: 'evt_1',
    type: 'document.updated',
    data: { document, ...more },
    actor: null,
  });

describe('an event without content', () => {
  it.each(['', 'Plain.', '"', '\\', '\\"', '"\\\\"', ',"content":"x"', 'Line\n"quoted" \\n\u2028'])(
    'loses only the content %j',
    (text) => {
      const rest = { status: 'draft', metadata: { content: text, type: 'a' } };
      const document = { id: 'doc_1', title: text, type: 'report' };
      const body = bodyOf({ ...document, content: text, ...rest }, { changes: ['content'] });
      expect(withoutContent(body)).toBe(
        bodyOf({ ...document, contentTruncated: true, ...rest }, { changes: ['content'] }),
      );
    },
  );

  it.each([
    ['has none', bodyOf({ id: 'doc_1', type: 'report', status: 'draft', version: 1 })],
    [
      'has lost it already',
      bodyOf({
        id: 'a',
        title: 'b',
        type: 'c',
        contentTruncated: true,
        metadata: { content: 'x' },
      }),
    ],
    ['is about a webhook', JSON.stringify({ id: 'evt_1', data: { webhook: { content: 'x' } } })],
  ])('is the same if the event %s', (_, body) => {
    expect(withoutContent(body)).toBe(body);
  });
});
