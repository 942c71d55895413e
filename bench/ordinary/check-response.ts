import type { Expected } from './traffic.js';

const BEGINNING = Buffer.from('{"success":true,"data":');
/** Occurs once per document in a response, and in none of the benchmark's texts. */
const ONE_DOCUMENT = '"wordCount":';

interface Envelope {
  data: { id?: string } | { highlight?: unknown }[];
  meta: { requestId?: string; pagination?: { total?: number } };
}

/**
 * Returns the problem of a response, or undefined. Every response is searched as bytes; `whole` also parses it, which
 * costs the load process much more. With `isGrowing`, lists may be longer than expected.
 */
export function findFault(
  status: number,
  body: Buffer,
  expected: Expected,
  { whole, isGrowing }: { whole: boolean; isGrowing: boolean },
): string | undefined {
  if (status !== expected.status)
    return `status ${String(status)}: ${body.toString().slice(0, 300)}`;
  if (!body.subarray(0, BEGINNING.length).equals(BEGINNING)) return 'no success envelope';
  if (expected.id !== undefined && !body.includes(expected.id)) return 'another document';
  if (expected.items !== undefined) {
    const items = countItems(body);
    const isRight = isGrowing ? items >= expected.items : items === expected.items;
    if (!isRight) return `${String(items)} items instead of ${String(expected.items)}`;
  }
  return whole ? findFaultInside(body, expected, isGrowing) : undefined;
}

function findFaultInside(
  body: Buffer,
  { id, total, isSearch }: Expected,
  isGrowing: boolean,
): string | undefined {
  const { data, meta } = JSON.parse(body.toString('utf8')) as Envelope;
  if (meta.requestId === undefined) return 'no requestId';
  if (!Array.isArray(data)) {
    return data.id === undefined || (id !== undefined && data.id !== id)
      ? 'another document'
      : undefined;
  }
  if (isSearch && data.some(({ highlight }) => !highlight)) return 'no highlight';
  const counted = meta.pagination?.total;
  if (counted === undefined) return 'no total';
  if (total === undefined) {
    return data.length === Math.min(20, counted) ? undefined : 'a page that is not full';
  }
  const isRight = isGrowing ? counted >= total : counted === total;
  return isRight ? undefined : `a total of ${String(counted)} instead of ${String(total)}`;
}

function countItems(body: Buffer): number {
  let items = 0;
  for (let at = body.indexOf(ONE_DOCUMENT); at !== -1; at = body.indexOf(ONE_DOCUMENT, at + 1)) {
    items += 1;
  }
  return items;
}
