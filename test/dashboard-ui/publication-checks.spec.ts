import type { V1Client } from '../../packages/dashboard/src/api/client.js';
import {
  doStep,
  type BulkAction,
} from '../../packages/dashboard/src/pages/documents/bulk/bulk-actions.js';
import type { DocumentListItem } from '../../packages/dashboard/src/pages/documents/document-types.js';
import {
  problemWords,
  refusalMessage,
} from '../../packages/dashboard/src/pages/documents/publishing/refusal.js';
import {
  isCovered,
  NEW_RULE,
  numberIn,
  withMoved,
} from '../../packages/dashboard/src/pages/settings/publication-rules.js';
import { publicationRefused } from '../../src/features/documents/publishing/publishing-errors.js';

describe('Rules of publishing while they are edited', () => {
  it('a field without digits means that the check is not made, and numbers stay below the limit', () => {
    expect(numberIn('', 100)).toBeNull();
    expect(numberIn(' none ', 100)).toBeNull();
    expect(numberIn('0', 100)).toBe(0);
    expect(numberIn('7x5', 100)).toBe(75);
    expect(numberIn('101', 100)).toBe(100);
  });

  it('a rule that moves changes places with its neighbor', () => {
    const rules = ['a', 'b', 'c'];
    expect(withMoved(rules, 1, -1)).toEqual(['b', 'a', 'c']);
    expect(withMoved(rules, 1, 1)).toEqual(['a', 'c', 'b']);
    expect(withMoved(rules, 2, -1)).toEqual(['a', 'c', 'b']);
    expect(rules).toEqual(['a', 'b', 'c']);
  });

  it('a rule has no effect if those before it apply to all its types', () => {
    const articles = { ...NEW_RULE, types: ['article' as const] };
    const both = { ...NEW_RULE, types: ['report' as const, 'article' as const] };
    expect(isCovered([articles, both], 0)).toBe(false);
    expect(isCovered([articles, both], 1)).toBe(false);
    expect(isCovered([both, articles], 1)).toBe(true);
    expect(isCovered([articles, NEW_RULE], 1)).toBe(false);
    expect(isCovered([NEW_RULE, articles], 1)).toBe(true);
    expect(isCovered([NEW_RULE, NEW_RULE], 1)).toBe(true);
  });
});

const MISSING = {
  check: 'analysis_missing' as const,
  issue: 'This text has no up-to-date analysis. POST /v1/documents/{id}/publish orders it.',
};
const ERRORS = {
  check: 'errors' as const,
  issue: 'The analysis found 3 errors, and 0 are allowed. Correct or dismiss them.',
};

describe('Refusals to publish', () => {
  it('say what to do in the dashboard, not in the API', () => {
    expect(problemWords(MISSING)).toBe(
      'This text has no up-to-date analysis. Publishing starts one. Try again in a moment.',
    );
    expect(problemWords(ERRORS)).toBe(ERRORS.issue);
    const { details } = publicationRefused([MISSING, ERRORS]);
    expect(refusalMessage(details as never)).toBe(
      `Not published. ${problemWords(MISSING)} ${ERRORS.issue}`,
    );
  });

  it('are told from other failures by their reason', () => {
    expect(refusalMessage({ problems: [{ field: 'title', issue: 'required' }] })).toBeUndefined();
    expect(refusalMessage({ reason: 'expired' })).toBeUndefined();
  });
});

describe('Publishing many documents', () => {
  const document = (id: string, more: Partial<DocumentListItem>) =>
    ({ id, status: 'draft', version: 1, ...more }) as DocumentListItem;

  it('sends those that readers do not have yet, and returns why each other one was not published', async () => {
    const sent: unknown[] = [];
    const { message, details } = publicationRefused([MISSING]);
    const results = [{ error: { message, details } }, {}, { error: { message: 'Not found.' } }];
    const api = {
      POST: (_path: string, { body }: { body: { operations: unknown[] } }) => {
        sent.push(...body.operations);
        return Promise.resolve({ data: { data: { results } } });
      },
    } as unknown as V1Client;
    const action: BulkAction = { kind: 'publish' };
    const problems = await doStep(api, action, [
      document('a', {}),
      document('b', { status: 'published', published: { version: 1, changed: false } }),
      document('c', { status: 'published', published: { version: 1, changed: true } }),
      document('d', { status: 'archived' }),
      document('e', { status: 'in_review' }),
    ]);
    expect(sent).toEqual(['a', 'c', 'e'].map((id) => ({ op: 'publish', id })));
    expect(problems).toEqual([
      `Not published. ${problemWords(MISSING)}`,
      undefined,
      undefined,
      'Not possible from the status archived.',
      'Not found.',
    ]);
  });
});
