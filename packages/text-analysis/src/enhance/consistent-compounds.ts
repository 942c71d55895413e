import {
  isCapitalized,
  neighbors,
  outweighs,
  times,
  type ReadPassage,
  type Use,
  type Word,
} from './passages.js';
import { RULES } from './enhancement-rules.js';
import { CONSISTENCY_CONFIDENCE, type Suggested } from './suggestions.js';
import { CLOSED_OF_OPEN, DISTINCT_HYPHENS, OPEN_OF_CLOSED } from './variants.js';

type Form = 'hyphenated' | 'closed' | 'open';

/** A compound as the text writes it. */
interface CompoundUse extends Use {
  form: Form;
}

const HYPHENATED = /^[a-z]+(?:-[a-z]+)+$/i;

/**
 * Suggests the more frequent way to write a compound: `email` or `e-mail`, `website` or `web site`, and `open-source` before
 * a noun.
 */
export function* consistentCompounds(passages: readonly ReadPassage[]): Generator<Suggested> {
  const hyphenated = hyphenatedKeys(passages);
  const uses = new Map<string, CompoundUse[]>();
  for (const use of compoundsIn(passages, hyphenated)) {
    const key = keyOf(use.text);
    const known = uses.get(key) ?? [];
    known.push(use);
    uses.set(key, known);
  }
  for (const all of uses.values()) yield* minorityOf(all);
  yield* openModifiers(passages);
}

function* minorityOf(uses: readonly CompoundUse[]): Generator<Suggested> {
  const forms: Form[] = ['hyphenated', 'closed', 'open'];
  const counts = forms.map((form) => uses.filter((use) => use.form === form));
  const [winner, ...others] = [...counts].sort((one, other) => other.length - one.length);
  const rest = others.flat();
  const [model] = winner ?? [];
  if (!winner || !model || rest.length === 0 || !outweighs(winner.length, rest.length)) return;
  const cuts = cutsOf(uses);
  for (const use of rest) {
    const ways = counts.find(([one]) => one?.form === use.form)?.length ?? 0;
    yield {
      paragraph: use.passage.paragraph,
      start: use.start,
      end: use.end,
      rule: RULES.hyphenation,
      message: `This document uses "${model.text.toLowerCase()}" ${times(winner.length)} and "${use.text.toLowerCase()}" ${times(ways)}.`,
      values: [written(use.text, model.form, cuts)],
      confidence: CONSISTENCY_CONFIDENCE,
    };
  }
}

/** Returns the positions between the parts of a compound, in its closed form. */
function cutsOf(uses: readonly CompoundUse[]): number[] {
  const parted = uses.find(({ form }) => form !== 'closed')?.text ?? '';
  return [...parted.matchAll(/[- ]/g)].map(({ index }, count) => index - count);
}

function written(text: string, form: Form, cuts: readonly number[]): string {
  const closed = text.replace(/[- ]/g, '');
  if (form === 'closed') return closed;
  const between = form === 'open' ? ' ' : '-';
  const parts = [0, ...cuts].map((from, index) => closed.slice(from, cuts[index]));
  return parts.join(between);
}

/** Closed form in lower case and singular. */
function keyOf(text: string): string {
  const closed = text.toLowerCase().replace(/[- ]/g, '');
  return closed.length > 4 && !closed.endsWith('ss') ? closed.replace(/s$/, '') : closed;
}

function hyphenatedKeys(passages: readonly ReadPassage[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { words } of passages)
    for (const word of words) if (isHyphenated(word)) keys.add(keyOf(word.text));
  return keys;
}

function isHyphenated({ text, lower }: Word): boolean {
  return HYPHENATED.test(text) && !DISTINCT_HYPHENS.has(lower);
}

function* compoundsIn(
  passages: readonly ReadPassage[],
  hyphenated: ReadonlySet<string>,
): Generator<CompoundUse> {
  for (const passage of passages) {
    // A single word may be the name of a package.
    if (passage.words.length === 1) continue;
    for (const word of passage.words) {
      if (isName(word)) continue;
      const { start, end, text, lower } = word;
      if (isHyphenated(word)) yield { passage, start, end, text, form: 'hyphenated' };
      else if (hyphenated.has(keyOf(lower)) || OPEN_OF_CLOSED.has(lower))
        yield { passage, start, end, text, form: 'closed' };
    }
    for (const [first, second] of neighbors(passage.words)) {
      if (isName(first) || isName(second)) continue;
      if (!CLOSED_OF_OPEN.has(`${first.lower} ${second.lower}`)) continue;
      const text = `${first.text} ${second.text}`;
      yield { passage, start: first.start, end: second.end, text, form: 'open' };
    }
  }
}

/** Returns true for names and identifiers. */
function isName({ text, isCapitalPlace }: Word): boolean {
  return /.\p{Lu}/u.test(text) || (isCapitalized(text) && !isCapitalPlace);
}

/** A modifier with a hyphen, by its form without. */
type Modifiers = Map<string, { count: number; nouns: Set<string> }>;

/** Suggests hyphens in modifiers that the text usually hyphenates, where the same noun follows: `open source tools`. */
function* openModifiers(passages: readonly ReadPassage[]): Generator<Suggested> {
  const hyphens = hyphenatedModifiers(passages);
  if (hyphens.size === 0) return;
  const open = new Map<string, { passage: ReadPassage; first: Word; second: Word }[]>();
  for (const passage of passages) {
    for (const [first, second] of neighbors(passage.words)) {
      const key = `${first.lower} ${second.lower}`;
      if (!hyphens.get(key)?.nouns.has(second.after) || isName(first) || isName(second)) continue;
      const found = open.get(key) ?? [];
      found.push({ passage, first, second });
      open.set(key, found);
    }
  }
  for (const [key, uses] of open) {
    const count = hyphens.get(key)?.count ?? 0;
    if (!outweighs(count, uses.length)) continue;
    for (const { passage, first, second } of uses) {
      yield {
        paragraph: passage.paragraph,
        start: first.start,
        end: second.end,
        rule: RULES.hyphenation,
        message: `This document uses "${key.replace(' ', '-')}" ${times(count)} and "${key}" ${times(uses.length)} before the same word.`,
        values: [`${first.text}-${second.text}`],
        confidence: CONSISTENCY_CONFIDENCE,
      };
    }
  }
}

function hyphenatedModifiers(passages: readonly ReadPassage[]): Modifiers {
  const hyphens: Modifiers = new Map();
  for (const { words } of passages) {
    for (const { lower, after } of words) {
      const parts = lower.split('-');
      // An adverb takes no hyphen: `fully qualified`.
      if (parts.length !== 2 || !HYPHENATED.test(lower) || parts[0]?.endsWith('ly')) continue;
      if (!/^[a-z]+$/.test(after)) continue;
      const key = parts.join(' ');
      const known = hyphens.get(key) ?? { count: 0, nouns: new Set() };
      known.count += 1;
      known.nouns.add(after);
      hyphens.set(key, known);
    }
  }
  return hyphens;
}
