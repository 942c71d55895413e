import { keySnippets } from '../../packages/dashboard/src/pages/keys/key-snippets.js';

describe('The first request of a new key', () => {
  const [before] = [globalThis.window];
  beforeAll(() => {
    Object.assign(globalThis, { window: { location: { origin: 'https://docs.example' } } });
  });
  afterAll(() => {
    Object.assign(globalThis, { window: before });
  });

  const curlFor = (scopes: readonly string[]) => keySnippets('ds_live_x', scopes)[0]?.code;

  it('The first request of a new key creates a document if the key may write', () => {
    for (const scopes of [['documents:read', 'documents:write'], ['*']]) {
      expect(curlFor(scopes)).toMatch(
        /^curl -X POST 'https:\/\/docs\.example\/v1\/documents' [^]*-d '\{"title":"Hello"/,
      );
      const [, node, python] = keySnippets('ds_live_x', scopes);
      expect(node?.code).toContain("method: 'POST'");
      expect(python?.code).toContain("'title': 'Hello'");
    }
  });

  it('The first request of a new key reads a list that the key may read', () => {
    expect(curlFor(['documents:read'])).toMatch(/^curl 'https:\/\/docs\.example\/v1\/documents'/);
    expect(curlFor(['usage:read'])).toContain('/v1/usage');
  });
});
