import { withTerms } from '../text/prose.js';
import { inRanges, quotations, type Passage } from './passages.js';
import { RULES } from './enhancement-rules.js';
import type { Suggested } from './suggestions.js';

const DATE = /(?<![\w/.-])(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?![\w/-])/g;
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** Reports dates that readers in different countries understand differently, such as 03/04/2025. They have no replacement. */
export function* ambiguousDates(passages: readonly Passage[]): Generator<Suggested> {
  for (const { paragraph } of passages) {
    const { prose } = withTerms(paragraph);
    const isQuoted = inRanges(quotations(prose));
    for (const match of prose.matchAll(DATE)) {
      const [text, first, , second, year = ''] = match;
      const [one, other] = [Number(first), Number(second)];
      if (one === other || one > 12 || other > 12 || one === 0 || other === 0) continue;
      const { index: start } = match;
      if (isQuoted(start)) continue;
      const nameOf = (month: number) => MONTHS[month - 1] ?? '';
      yield {
        paragraph,
        start,
        end: start + text.length,
        rule: RULES.ambiguousDate,
        message: `"${text}" can mean ${nameOf(one)} ${String(other)}, ${year}, or ${nameOf(other)} ${String(one)}, ${year}.`,
        values: [],
        confidence: 0,
      };
    }
  }
}
