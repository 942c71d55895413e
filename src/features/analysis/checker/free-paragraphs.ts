import { createHash } from 'node:crypto';

const HOUR_MS = 60 * 60 * 1000;
/** Shorter lines are counted together with the next ones, so that a text has few paragraphs. */
const SHORTEST_PARAGRAPH = 40;

/** A paragraph that a check counts: its hash, and its length in UTF-16 units. */
interface CountedParagraph {
  hash: string;
  length: number;
}

/** Limits on the memory of {@link FreeParagraphs}: about 15 MB. */
const LIMITS = { ofAccount: 10_000, all: 100_000 };

/**
 * The paragraphs that this process has checked in the last hour. Editors send a text again after each change, so
 * unchanged paragraphs do not count again. Stores hashes only.
 */
export class FreeParagraphs {
  /** Times of the last checks by account and hash, least recent first. */
  private readonly accounts = new Map<string, Map<string, number>>();
  private size = 0;

  constructor(private readonly limits = LIMITS) {}

  /** Returns the number of UTF-16 units in paragraphs that the account has not had checked in the hour before `now`. */
  unchecked(accountId: string, paragraphs: readonly CountedParagraph[], now: Date): number {
    const known = this.accounts.get(accountId);
    const since = now.getTime() - HOUR_MS;
    const seen = new Set<string>();
    let units = 0;
    for (const { hash, length } of paragraphs) {
      if ((known?.get(hash) ?? -Infinity) > since || seen.has(hash)) continue;
      seen.add(hash);
      units += length;
    }
    return units;
  }

  /** Stores that paragraphs were checked. Forgets the least recent ones beyond the limits. */
  add(accountId: string, paragraphs: readonly CountedParagraph[], now: Date): void {
    const known = this.accounts.get(accountId) ?? new Map<string, number>();
    // Moves the account and its paragraphs to the end.
    this.accounts.delete(accountId);
    this.accounts.set(accountId, known);
    for (const { hash } of paragraphs) {
      if (!known.delete(hash)) this.size += 1;
      known.set(hash, now.getTime());
      if (known.size > this.limits.ofAccount) this.forgetOldest(accountId, known);
    }
    while (this.size > this.limits.all) {
      const [leastRecent] = this.accounts;
      if (!leastRecent) return;
      this.forgetOldest(...leastRecent);
    }
  }

  /** Number of stored hashes. */
  get count(): number {
    return this.size;
  }

  private forgetOldest(accountId: string, known: Map<string, number>): void {
    const [oldest] = known.keys();
    if (oldest !== undefined && known.delete(oldest)) this.size -= 1;
    if (known.size === 0) this.accounts.delete(accountId);
  }
}

/** Returns the paragraphs of a text: its lines, except that short ones belong to the next. */
export function countedParagraphs(text: string): CountedParagraph[] {
  const paragraphs: CountedParagraph[] = [];
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start + SHORTEST_PARAGRAPH);
    const end = newline === -1 ? text.length : newline + 1;
    const paragraph = text.slice(start, end);
    if (paragraph.trim() !== '') {
      const hash = createHash('sha256').update(paragraph).digest('base64url').slice(0, 22);
      paragraphs.push({ hash, length: paragraph.length });
    }
    start = end;
  }
  return paragraphs;
}
