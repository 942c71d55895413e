import { SCOPE_MEANINGS, SCOPES } from '../../src/features/auth/scopes.js';
import { introduction } from '../../src/entrypoints/api-document/introduction.js';

/** Returns table rows without padding. */
const rowsOf = (text: string) =>
  text.split('\n').map((line) => line.replace(/ *\| */g, '|').replace(/^\||\|$/g, ''));

const text = introduction().info.description ?? '';

// `npm run openapi` makes docs/reference/scopes.md from the same table.
describe('the API document', () => {
  it('says what a key with each scope can do and read', () => {
    const rows = rowsOf(text);
    for (const scope of SCOPES) expect(rows).toContain(`\`${scope}\`|${SCOPE_MEANINGS[scope]}`);
  });

  it('says which scopes without that name let a key read document contents', () => {
    const row = (scope: string) => rowsOf(text).find((line) => line.startsWith(`\`${scope}\`|`));
    for (const scope of ['documents:write', 'events:read', 'webhooks:write']) {
      expect(row(scope)).toMatch(/content/);
    }
  });
});
