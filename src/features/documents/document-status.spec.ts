import { allowedFrom, DOCUMENT_STATUSES, isAllowed } from './document-status.js';

describe('status transitions', () => {
  const moves = [
    'draft > in_review',
    'draft > published',
    'draft > archived',
    'in_review > draft',
    'in_review > published',
    'in_review > archived',
    'published > draft',
    'published > archived',
    'archived > draft',
  ];

  it('are these nine, and no others', () => {
    const pairs = DOCUMENT_STATUSES.flatMap((from) =>
      DOCUMENT_STATUSES.filter((to) => to !== from && isAllowed(from, to)).map(
        (to) => `${from} > ${to}`,
      ),
    );
    expect(pairs.sort()).toEqual([...moves].sort());
  });

  it('are listed for each status', () => {
    const listed = DOCUMENT_STATUSES.flatMap((from) =>
      allowedFrom(from).map((to) => `${from} > ${to}`),
    );
    expect(listed.sort()).toEqual([...moves].sort());
  });

  it.each(DOCUMENT_STATUSES)('let a document stay %s', (status) => {
    expect(isAllowed(status, status)).toBe(true);
  });
});
