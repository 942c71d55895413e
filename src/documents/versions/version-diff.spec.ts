import { diffVersions as diff, type VersionSnapshot } from './version-diff.js';

const snapshot = (changes: Partial<VersionSnapshot>): VersionSnapshot => ({
  version: 1,
  title: 'Title',
  type: 'article',
  status: 'draft',
  content: 'one\n',
  metadata: '{}',
  aiSettings: '{}',
  ...changes,
});

/** The diff of the contents is worked out elsewhere, and stays as it is. */
const CONTENT = '{"unified":""}';
const diffVersions = (from: VersionSnapshot, to: VersionSnapshot) => diff(from, to, CONTENT);

const NOTHING = '{"added":{},"removed":{},"changed":{}}';

describe('a diff of two versions', () => {
  it('names what changed, and from what to what', () => {
    const diff = diffVersions(
      snapshot({ version: 2 }),
      snapshot({ version: 4, title: 'Name', status: 'published', content: 'two\n' }),
    );
    expect(diff).toMatchObject({
      title: { from: 'Title', to: 'Name' },
      status: { from: 'draft', to: 'published' },
      content: CONTENT,
      metadata: NOTHING,
      aiSettings: NOTHING,
    });
    expect(diff).not.toHaveProperty('type');
  });

  it('tells changes of metadata by key, in the spelling that was sent', () => {
    const { metadata } = diffVersions(
      snapshot({
        metadata: '{"a":1.0,"gone":[1, 2],"same":{"x":"\\u00e9"},"n":12345678901234567890}',
      }),
      snapshot({
        metadata: '{"same":{ "x": "é" },"a":1.00,"__proto__":{"b":1e2},"n":12345678901234567891}',
      }),
    );
    expect(metadata).toBe(
      '{"added":{"__proto__":{"b":1e2}},"removed":{"gone":[1, 2]},"changed":{"a":{"from":1.0,"to":1.00},"n":{"from":12345678901234567890,"to":12345678901234567891}}}',
    );
  });

  it('tells changes of aiSettings by key', () => {
    const { aiSettings } = diffVersions(
      snapshot({ aiSettings: '{"autoEnhance":true}' }),
      snapshot({ aiSettings: '{"autoEnhance":false}' }),
    );
    expect(JSON.parse(aiSettings)).toEqual({
      added: {},
      removed: {},
      changed: { autoEnhance: { from: true, to: false } },
    });
  });
});
