import { diffVersions as diff } from './version-diff.js';
import type { WholeVersion } from './document-versions.repository.js';

const version = (state: Partial<WholeVersion>): WholeVersion => ({
  number: 1,
  changes: [],
  author: { id: '', name: 'Ada', email: 'ada@example.com' },
  origin: null,
  createdAt: new Date(0),
  wordCount: 1,
  title: 'Title',
  type: 'article',
  status: 'draft',
  content: 'one\n',
  metadata: '{}',
  aiSettings: '{}',
  externalId: null,
  ...state,
});

/** The diff of the contents is computed elsewhere and does not change. */
const CONTENT = '{"unified":""}';
const diffVersions = (from: WholeVersion, to: WholeVersion) => diff(from, to, CONTENT);

const NOTHING = { added: {}, removed: {}, changed: {} };

describe('a diff of two versions', () => {
  it('lists what changed, with old and new values', () => {
    const text = diffVersions(
      version({ number: 2 }),
      version({ number: 4, title: 'Name', status: 'published', content: 'two\n' }),
    );
    const diff = JSON.parse(text) as object;
    expect(diff).toMatchObject({
      from: 2,
      to: 4,
      title: { from: 'Title', to: 'Name' },
      status: { from: 'draft', to: 'published' },
      content: JSON.parse(CONTENT) as object,
      metadata: NOTHING,
      aiSettings: NOTHING,
    });
    expect(diff).not.toHaveProperty('type');
  });

  it('lists changes of metadata by key, in their original spelling', () => {
    const text = diffVersions(
      version({
        metadata: '{"a":1.0,"gone":[1, 2],"same":{"x":"\\u00e9"},"n":12345678901234567890}',
      }),
      version({
        metadata: '{"same":{ "x": "é" },"a":1.00,"__proto__":{"b":1e2},"n":12345678901234567891}',
      }),
    );
    expect(text).toContain(
      '"metadata":{"added":{"__proto__":{"b":1e2}},"removed":{"gone":[1, 2]},"changed":{"a":{"from":1.0,"to":1.00},"n":{"from":12345678901234567890,"to":12345678901234567891}}}',
    );
  });

  it('lists changes of aiSettings by key', () => {
    const text = diffVersions(
      version({ aiSettings: '{"autoEnhance":true}' }),
      version({ aiSettings: '{"autoEnhance":false}' }),
    );
    expect((JSON.parse(text) as { aiSettings: object }).aiSettings).toEqual({
      added: {},
      removed: {},
      changed: { autoEnhance: { from: true, to: false } },
    });
  });
});
