import { withoutContent } from './content-free-body.js';

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
