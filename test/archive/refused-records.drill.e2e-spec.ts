import { startTestApp, type TestApp } from '../support/app.js';
import { expectRefused, Original, type Tampering } from './tampering.js';

let app: TestApp;
let original: Original;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' }, stopClock: false });
  original = await Original.of(app);
});
afterAll(() => app.close());

const future = '2999-01-01T00:00:00.000Z';

describe('An archive is refused as a whole, with a sentence and the line of the record,', () => {
  it.each<Tampering>([
    [
      'with a malformed id',
      () => original.changed('document', { id: 'doc_1' }),
      () => original.lineOf('document'),
      /id must be the id of a document/,
    ],
    [
      'with an empty title',
      () => original.changed('document', { title: ' \n' }),
      () => original.lineOf('document'),
      /title must not be blank/,
    ],
    [
      'with a title that is too long',
      () => original.changed('version', { title: 'x'.repeat(501) }),
      () => original.lineOf('version'),
      /title must not be longer/,
    ],
    [
      'with a content over 1 MiB',
      () => original.changed('version', { content: 'x'.repeat(1024 ** 2 + 1) }),
      () => original.lineOf('version'),
      /content must not be larger/,
    ],
    [
      'with an unknown type',
      () => original.changed('document', { type: 'novel' }),
      () => original.lineOf('document'),
      /type must be one of/,
    ],
    [
      'with an unknown status',
      () => original.changed('version', { status: 'gone' }),
      () => original.lineOf('version'),
      /status must be one of/,
    ],
    [
      'with metadata that is none',
      () => original.changed('document', { metadata: [] }),
      () => original.lineOf('document'),
      /metadata must be an object/,
    ],
    [
      'with tags that are none',
      () => original.changed('document', { metadata: { tags: [1] } }),
      () => original.lineOf('document'),
      /metadata.tags\[0\] must be a string/,
    ],
    [
      'with metadata over 16 KiB',
      () => original.changed('document', { metadata: { a: 'x'.repeat(16_384) } }),
      () => original.lineOf('document'),
      /metadata must not be larger/,
    ],
    [
      'with another source of metadata',
      () => original.changed('document', { metadataSource: '{\n"tags":["y"]}' }),
      () => original.lineOf('document'),
      /metadataSource/,
    ],
    [
      'with U+0000',
      () =>
        original.changed('document', (record) =>
          JSON.stringify(record).replace('"c"', '"\\u0000"'),
        ),
      () => original.lineOf('document'),
      /U\+0000/,
    ],
    [
      'with half of a surrogate pair',
      () =>
        original.changed('document', (record) =>
          JSON.stringify(record).replace('"c"', '"\\ud800"'),
        ),
      () => original.lineOf('document'),
      /surrogate/,
    ],
    [
      'with a name twice',
      () =>
        original.changed('document', (record) =>
          JSON.stringify(record).replace('{', '{"title":"x",'),
        ),
      () => original.lineOf('document'),
      /given twice/,
    ],
    [
      'with a number that no double holds',
      () =>
        original.changed('document', (record) =>
          JSON.stringify(record).replace('["x"]', '["x"],"n":1e999'),
        ),
      () => original.lineOf('document'),
      /too large to store/,
    ],
    [
      'that nests too deep',
      () =>
        original.changed('document', (record) =>
          JSON.stringify(record).replace('["x"]', '["x"],"n":' + '['.repeat(99) + ']'.repeat(99)),
        ),
      () => original.lineOf('document'),
      /nests deeper/,
    ],
    [
      'with an unknown member',
      () => original.changed('document', { contnet: 'x' }),
      () => original.lineOf('document'),
      /did you mean 'content'/,
    ],
    [
      'without a member',
      () => original.changed('document', { author: undefined }),
      () => original.lineOf('document'),
      /author required field missing/,
    ],
    [
      'with an author that is none',
      () => original.changed('version', { author: { id: 'me' } }),
      () => original.lineOf('version'),
      /author must be a user/,
    ],
    [
      'with a word count that cannot be',
      () => original.changed('document', { wordCount: 2 }),
      () => original.lineOf('document'),
      /wordCount/,
    ],
    [
      'with a time that is none',
      () => original.changed('document', { createdAt: 'yesterday' }),
      () => original.lineOf('document'),
      /createdAt must be a time/,
    ],
    [
      'with a time in the future',
      () => original.changed('document', { deletedAt: future }),
      () => original.lineOf('document'),
      /future/,
    ],
    [
      'whose times run backwards',
      () =>
        original.changed('document', {
          createdAt: '2026-01-02T00:00:00.000Z',
          updatedAt: '2026-01-01T00:00:00.000Z',
        }),
      () => original.lineOf('document'),
      /updatedAt must not be before createdAt/,
    ],
    [
      'whose version is newer than what replaced it',
      () =>
        original.changed('version', (record) => ({
          ...record,
          createdAt: new Date(Date.parse(String(record['createdAt'])) + 60_000).toISOString(),
        })),
      () => original.lineOf('version'),
      /createdAt must be between/,
    ],
    [
      'with version 0',
      () => original.changed('document', { version: 0 }),
      () => original.lineOf('document'),
      /version must be a whole number/,
    ],
    [
      'with changes that are none',
      () => original.changed('version', { changes: ['wordCount'] }),
      () => original.lineOf('version'),
      /changes must be/,
    ],
    [
      'with a template without a name',
      () => original.changed('template', { name: '' }),
      () => original.lineOf('template'),
      /name must not be blank/,
    ],
    [
      'with variables that are none',
      () => original.changed('template', { variables: [{ name: '1 2' }] }),
      () => original.lineOf('template'),
      /variables\[0\].name/,
    ],
  ])('%s', async (_, archive, line, message) => {
    await expectRefused(app, archive(), line?.(), message);
  });
});
