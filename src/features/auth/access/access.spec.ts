import { readdirSync, readFileSync } from 'node:fs';
import { accessTo } from '../../../../test/auth/browser-access.js';
import { Access } from './access.js';
import { ROOT } from './rights.js';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.spec)\.ts$/.test(file) && !file.startsWith('migrations/'))
  .map((file) => ({ file, text: readFileSync(`src/${file}`, 'utf8') }));

/** Returns the files whose text matches. */
const filesWith = (pattern: RegExp) =>
  sources.flatMap(({ file, text }) => (pattern.test(text) ? file : [])).sort();

/** Files whose SQL names one of the tables, and how each one keeps to the access of the caller. */
const READERS: Readonly<Record<string, string>> = {
  'features/analysis/enhancements/enhancements.repository.ts':
    'its services find the document first',
  'features/analysis/proposals/proposals.repository.ts':
    'its service finds the document first; the list has the collections as a condition',
  'features/analysis/style-rules/style-rules.repository.ts': 'the route reaches everything',
  'features/archive/sections/document-archive.repository.ts': 'the routes reach everything',
  'features/auth/access/document-places.ts': 'finds the place of each document',
  'features/collections/collections.repository.ts':
    'counts documents of visible collections, and looks for any',
  'features/documents/changes/document-changes.repository.ts': 'find and lock check each row',
  'features/documents/changes/external-ids.repository.ts': 'checks each row',
  'features/documents/collection-export/collection-export.ts':
    'counts documents of collections that who ordered it sees',
  'features/documents/documents.repository.ts': 'find checks each row',
  'features/documents/lists/document-lists.repository.ts':
    'only for callers without a limit, or after a search',
  'features/documents/model/document-batches.ts':
    'for exports, which reach everything or name visible collections',
  'features/documents/model/document-fields.ts':
    'describes the table for versions, whose service finds the document first',
  'features/documents/presence/presence.repository.ts':
    'its services check the place of each document',
  'features/documents/publishing/publications.repository.ts':
    'find checks each row; the others work on a locked document',
  'features/documents/publishing/publishing-settlement.ts': 'background work',
  'features/releases/releases.repository.ts':
    'its services show and change documents that the caller sees; the list has the collections as a condition',
  'features/search/indexing/search-index.repository.ts': 'background work',
  'features/search/matching-sql.ts': 'joins the limit to the query',
  'features/search/postgres-search.repository.ts': 'joins the limit to the query',
};

describe('an access', () => {
  it('includes all documents of the account, the named ones, or those with one of its tags', () => {
    const document = {
      id: 'one',
      collectionId: ROOT,
      metadata: '{"tags":["a","b"],"project":"c"}',
    };
    const untagged = { id: 'other', collectionId: ROOT, metadata: '{}' };
    const included = [
      Access.ofService('account'),
      accessTo('account', { ids: ['one'] }),
      accessTo('account', { tags: ['b', 'z'] }),
      accessTo('account', { tags: ['c'] }),
      accessTo('account', { ids: [] }),
      accessTo('account', { tags: [] }),
    ].map((access) => [access.includes(document), access.includes(untagged)]);
    expect(included).toEqual([
      [true, true],
      [true, false],
      [true, false],
      [false, false],
      [false, false],
      [false, false],
    ]);
  });

  it('to some documents fails where it cannot be applied', () => {
    expect(Access.ofService('account').wholeAccount()).toBe('account');
    expect(() => accessTo('account', { ids: ['one'] }).wholeAccount()).toThrow('limited');
  });

  it('is made from a principal by its factory alone', () => {
    expect(filesWith(/\bAccess\.ofPrincipal\(/)).toEqual([
      'features/auth/access/access-factory.ts',
    ]);
  });

  it('is known to every file whose SQL names documents or publications; add a new one here with what it does', () => {
    const named =
      /\b(?:FROM|JOIN|INTO|UPDATE) (?:ONLY )?(?:(?:documents|publications)\b|\$\{tableOf\()|\btable: '(?:documents|publications)'/;
    expect(filesWith(named)).toEqual(Object.keys(READERS));
  });
});
