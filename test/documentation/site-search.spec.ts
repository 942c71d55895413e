import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

interface Found {
  page: string;
  title: string;
  heading: string;
}
interface SearchCore {
  createSearch(index: unknown): object;
  search(index: object, query: string): Found[];
  excerptOf(text: string, stems: string[]): [string, boolean][];
}

const INDEX_BUDGET = 90_000;

let folder: string;
let json: string;
let core: SearchCore;
let index: object;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'site-search-'));
  const out = join(folder, 'site');
  execFileSync('node', ['docs-site/build.mjs', '--out', out], { stdio: 'pipe' });
  json = readFileSync(join(out, 'search-index.json'), 'utf8');
  const { href } = pathToFileURL('docs-site/assets/search-core.js');
  core = (await import(href)) as SearchCore;
  index = core.createSearch(JSON.parse(json));
}, 120_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the search of the documentation', () => {
  it.each([
    ['rotate webhook secret', '/guides/rotate-a-webhook-secret/'],
    ['rotate secret', '/guides/rotate-a-webhook-secret/'],
    ['rate limit exceeded', '/errors/rate-limit-exceeded/'],
    ['429', '/errors/rate-limited/'],
    ['verify webhook signature', '/guides/receive-webhooks/'],
    ['undo a change', '/guides/undo-and-restore/'],
    ['how do I create an api key', '/guides/manage-api-keys/'],
    ['paginate a list', '/reference/lists/'],
    ['run with docker', '/operate/docker/'],
    ['backup', '/operate/backup/'],
    ['search documents', '/guides/search/'],
    ['retry safely', '/concepts/safe-writes/'],
    ['fix spelling', '/guides/improve-a-document/'],
    ['python', '/clients/python/'],
    ['typescript client', '/clients/typescript/'],
    ['claude', '/guides/connect-claude-cursor-and-vs-code/'],
    ['getting started', '/quickstarts/five-minutes/'],
    ['forgot password', '/operate/accounts-and-keys/'],
    ['change port', '/operate/configuration/'],
    ['sso', '/operate/configuration/'],
    ['lost api key', '/guides/manage-api-keys/'],
    ['webhook not arriving', '/guides/fix-failed-deliveries/'],
    ['test webhook locally', '/guides/receive-webhooks/'],
    ['cors error', '/guides/use-from-a-browser/'],
    ['upload word file', '/guides/import-and-export/'],
    ['delete a document', '/guides/undo-and-restore/'],
    ['add tags to a document', '/concepts/metadata/'],
    ['private folder', '/guides/folders-for-some-people/'],
    ['publish to my website', '/guides/publish-to-a-website/'],
    ['headless cms', '/guides/publish-to-a-website/'],
    ['roll back what readers see', '/guides/review-before-publishing/'],
    ['scheduled publishing', '/guides/schedule-publishing/'],
    ['publish several documents at the same time', '/guides/schedule-publishing/'],
    ['quality gate', '/guides/review-before-publishing/'],
    ['published version', '/concepts/documents-and-versions/'],
    ['move a document to a folder', '/concepts/collections-and-rights/'],
    ['custom fields', '/concepts/metadata/'],
    ['how many requests per minute', '/concepts/limits/'],
    ['optimistic locking', '/concepts/safe-writes/'],
    ['update only part of a document', '/quickstarts/documents/'],
    ['who changed my document', '/guides/find-out-what-happened/'],
    ['chatgpt', '/guides/mcp/'],
    ['websocket', '/guides/follow-events/'],
    ['two factor authentication', '/operate/accounts-and-keys/'],
    ['nginx', '/operate/reverse-proxy/'],
    ['how do I get my API key back', '/guides/manage-api-keys/'],
    ['restore deleted document', '/guides/undo-and-restore/'],
    ['cursor expired', '/guides/follow-events/'],
    ['what does 412 mean', '/errors/precondition-failed/'],
    ['what does 409 mean', '/errors/conflict/'],
    ['run behind nginx', '/operate/reverse-proxy/'],
    ['https', '/operate/reverse-proxy/'],
    ['delete my account', '/operate/accounts-and-keys/'],
    ['gdpr', '/operate/accounts-and-keys/'],
    ['upgrade', '/operate/upgrade/'],
    ['export everything', '/guides/import-and-export/'],
    ['limit per minute', '/concepts/limits/'],
    ['how big can a document be', '/reference/limits/'],
    ['OpenAPI file', '/reference/openapi/'],
    ['postman', '/reference/openapi/'],
    ['java client', '/reference/openapi/'],
    ['license', '/about/license/'],
    ['use my own postgres', '/operate/database/'],
    ['where is the data stored', '/operate/database/'],
    ['move to another server', '/operate/backup/'],
    ['windows', '/operate/install/'],
    ['airgapped', '/operate/install/'],
    ['memory usage', '/operate/scale/'],
    ['log level', '/operate/logs/'],
    ['oauth', '/guides/connect-claude-cursor-and-vs-code/'],
    ['port already in use', '/operate/troubleshoot-start/'],
    ['difference between webhooks and events', '/concepts/events-and-order/'],
    ['breaking changes', '/reference/versioning-and-stability/'],
    ['date format', '/reference/responses/'],
    ['search with typo', '/guides/search/'],
    ['sort by date', '/reference/lists/'],
    ['duplicate documents after retry', '/concepts/safe-writes/'],
    ['read only key', '/guides/manage-api-keys/'],
    ['key leaked', '/guides/manage-api-keys/'],
    ['dark mode', '/guides/dashboard/'],
    ['webhook disabled', '/guides/fix-failed-deliveries/'],
    ['two people edit the same document', '/concepts/safe-writes/'],
    ['quota exceeded', '/concepts/limits/'],
    ['storage full', '/errors/forbidden/'],
    ['invalid token', '/errors/unauthorized/'],
    ['secret rotation', '/guides/rotate-a-webhook-secret/'],
    ['make key expire', '/guides/manage-api-keys/'],
  ])('answers “%s” with %s first', (question, page) => {
    expect(core.search(index, question)[0]?.page).toBe(page);
  });

  it('finds words while they are typed, with mistakes, and in other forms', () => {
    const first = (query: string) => core.search(index, query)[0]?.page;
    expect(first('webhook signat')).toBe('/guides/receive-webhooks/');
    expect(first('rotating webhook secrets')).toBe('/guides/rotate-a-webhook-secret/');
    expect(first('rotate webhok secret')).toBe('/guides/rotate-a-webhook-secret/');
    expect(core.search(index, 'how to')).toEqual([]);
    expect(core.search(index, 'qqqqxxxx')).toEqual([]);
  });

  it('marks what it found in an excerpt', () => {
    const text = `${'A sentence before it. '.repeat(10)}Rotating the secret takes a day. More.`;
    const parts = core.excerptOf(text, ['rotat', 'secret']);
    expect(parts.filter(([, isMatch]) => isMatch).map(([word]) => word)).toEqual([
      'Rotating',
      'secret',
    ]);
    expect(parts.map(([part]) => part).join('').length).toBeLessThan(170);
  });

  it('loads an index within its budget, without pages for contributors', () => {
    expect(gzipSync(json).length).toBeLessThan(INDEX_BUDGET);
    const { pages } = JSON.parse(json) as { pages: [string][] };
    expect(pages.length).toBeGreaterThan(150);
    expect(pages.filter(([url]) => /^\/(adr|contribute)\//.test(url))).toEqual([]);
  });
});
