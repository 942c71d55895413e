import type { Finding } from '../analysis.js';
import { pairsIn, readSections, wordsIn } from '../data-file.js';
import type { Dictionary } from '../spelling/dictionary.js';
import type { Paragraph } from '../text/prose.js';
import { GermanNouns } from './german-nouns.js';
import { NounPhrases } from './german-phrases.js';
import { type GermanRule, GermanText, type Token } from './german-text.js';

const LISTS = readSections(import.meta.url, 'german.txt');
const BEFORE_CONJUNCTION = new Set(wordsIn(LISTS, 'before conjunctions'));
const AFTER_CONJUNCTION = new Set(wordsIn(LISTS, 'after conjunctions'));
const SAYING = new Set(wordsIn(LISTS, 'saying'));
const TIME = new Set(wordsIn(LISTS, 'time'));
const UM_VERBS = new Set(wordsIn(LISTS, 'um verbs'));
const FORMS_AFTER_ICH: ReadonlyMap<string, string> = new Map(pairsIn(LISTS, 'verbs after ich'));

const COMMA: GermanRule = {
  ruleId: 'punctuation.german-comma',
  category: 'punctuation',
  severity: 'error',
  explanation:
    'In German, a comma separates a clause that starts with a conjunction such as dass, weil, wenn or bevor, a group with um and zu, and a part that starts with sondern.',
};
const DAS: GermanRule = {
  ruleId: 'grammar.das-dass',
  category: 'grammar',
  severity: 'error',
  explanation:
    'After verbs of saying and thinking, the conjunction is dass. The article and the pronoun are das.',
};
const SEIT: GermanRule = {
  ruleId: 'grammar.seid-seit',
  category: 'grammar',
  severity: 'error',
  explanation: 'Seit is about time. Seid is a form of sein: ihr seid.',
};

const VERB: GermanRule = {
  ruleId: 'grammar.german-verb',
  category: 'grammar',
  severity: 'error',
  explanation: 'A German verb has the person of its subject: ich warte, not ich warten.',
};

const SUBJECTS = new Set('ich du er wir man'.split(' '));

/** Estimated chance that the first replacement is right. */
const CONFIDENCE = { comma: 0.89, das: 0.85, seit: 0.85, verb: 0.85 };

/** Conjunctions whose clause is clear from the word after them, and those that always start a clause. */
const CONJUNCTIONS = new Set(
  'dass weil obwohl sodass nachdem sobald falls bevor wenn ob warum weshalb wieso'.split(' '),
);
const ALWAYS_CONJUNCTIONS = new Set(['dass', 'weil', 'obwohl', 'sodass']);

/** Finds mistakes of German grammar and punctuation. */
export class GermanGrammar {
  private constructor(
    private readonly phrases: NounPhrases,
    private readonly dictionary: Dictionary,
  ) {}

  /** Loads the genders of nouns, see `GermanNouns`. `dictionary` is German. */
  static load(dictionary: Dictionary): GermanGrammar {
    return new GermanGrammar(new NounPhrases(GermanNouns.load(), dictionary), dictionary);
  }

  /** Returns the findings of a German paragraph, in text order. */
  findingsOf(paragraph: Paragraph): Finding[] {
    const text = new GermanText(paragraph);
    const found: (Finding | undefined)[] = [];
    for (const [index, token] of text.tokens.entries()) {
      const near = {
        text,
        index,
        beforePrevious: text.tokens[index - 2],
        previous: text.tokens[index - 1],
        token,
        next: text.tokens[index + 1],
      };
      found.push(
        commaBefore(near),
        dassAfterSaying(near),
        seidOrSeit(near),
        verbAfterIch(near, this.dictionary),
        this.phrases.findingAt(text, index),
      );
    }
    return found.filter((one) => one !== undefined);
  }
}

/** A token and its neighbors. */
interface Near {
  text: GermanText;
  index: number;
  beforePrevious: Token | undefined;
  previous: Token | undefined;
  token: Token;
  next: Token | undefined;
}

function commaBefore(near: Near): Finding | undefined {
  const { text, previous, token } = near;
  if (previous?.gap !== ' ' || token.gap !== ' ' || previous.startsSentence) return undefined;
  if (text.isMasked(previous)) return undefined;
  if (BEFORE_CONJUNCTION.has(previous.lower) || NO_CLAUSE_END.test(previous.word)) return undefined;
  if (!startsClause(near) && !startsInfinitive(near) && !startsContrast(near)) return undefined;
  const gap = { start: previous.end, end: token.start };
  const message = `A comma is missing before “${token.word}”.`;
  return text.finding(COMMA, gap, [', '], CONFIDENCE.comma, message);
}

function startsClause({ token, next }: Near): boolean {
  if (next === undefined || !CONJUNCTIONS.has(token.word)) return false;
  return ALWAYS_CONJUNCTIONS.has(token.word) || AFTER_CONJUNCTION.has(next.lower);
}

const LONGEST_INFINITIVE_GROUP = 8;
const BEFORE_UM_WITH_OBJECT = new Set('sich mich dich uns euch es ihn nicht'.split(' '));

/** Returns true for `um` with `zu` and an infinitive at the end of the clause: `um das Haus zu sehen`. */
function startsInfinitive({ text, index, previous, token }: Near): boolean {
  if (token.word !== 'um' || BEFORE_UM_WITH_OBJECT.has(previous?.lower ?? '')) return false;
  const end = index + LONGEST_INFINITIVE_GROUP;
  for (let at = index + 1; at < end; at += 1) {
    const word = text.tokens[at];
    if (!word) return false;
    if (word.gap === ' ') continue;
    const isInfinitive = text.tokens[at - 1]?.word === 'zu' && /^\p{Ll}+n$/u.test(word.word);
    return /^[.,!?;:)]/u.test(word.gap) && isInfinitive && !UM_VERBS.has(word.word);
  }
  return false;
}

/** Returns true for `sondern` between words, and for `aber` before a subject. */
function startsContrast({ previous, token, next }: Near): boolean {
  if (token.word === 'sondern') return true;
  const isNoun = /^\p{Lu}\p{Ll}/u.test(previous?.word ?? '') && previous?.startsSentence === false;
  return token.word === 'aber' && isNoun && SUBJECTS.has(next?.word ?? '');
}

/** A number, or an adverb that belongs to the conjunction: `normalerweise weil`. */
const NO_CLAUSE_END = /\d|(?:weise|lich)$/u;

function dassAfterSaying({
  text,
  beforePrevious,
  previous,
  token,
  next,
}: Near): Finding | undefined {
  if (token.word !== 'das' || token.gap !== ' ' || !next || !SUBJECTS.has(next.word))
    return undefined;
  if (!previous || beforePrevious === undefined) return undefined;
  // A noun starts with a capital: `dem Wissen, das ich habe`.
  if (!SAYING.has(previous.startsSentence ? previous.lower : previous.word)) return undefined;
  const message = 'This “das” is the conjunction “dass”.';
  if (previous.gap === ', ') return text.finding(DAS, token, ['dass'], CONFIDENCE.das, message);
  if (previous.gap !== ' ' || !WITHOUT_OBJECT.test(previous.word)) return undefined;
  const range = { start: previous.end, end: token.end };
  return text.finding(DAS, range, [', dass'], CONFIDENCE.das, message);
}

/** Words of saying that seldom have the object `das`: not `das weiß das ich`. */
const WITHOUT_OBJECT = /^(?:hoff|glaub|denk|dacht|mein|wünsch|find|weiß|freu|\p{Lu})/u;

/** Finds an infinitive or a form of another person after `Ich` at the start of a sentence: `Ich warten`. */
function verbAfterIch(
  { text, previous, token }: Near,
  dictionary: Dictionary,
): Finding | undefined {
  if (previous?.word !== 'Ich' || !previous.startsSentence || previous.gap !== ' ')
    return undefined;
  const value = FORMS_AFTER_ICH.get(token.word) ?? regularFormOf(token.word, dictionary);
  if (value === undefined || value === token.word) return undefined;
  return text.finding(VERB, token, [value], CONFIDENCE.verb, `After “ich”, write “${value}”.`);
}

/** Returns the first person of an infinitive: `warte` for `warten`. */
function regularFormOf(word: string, dictionary: Dictionary): string | undefined {
  const stem = /^(\p{Ll}{2,})en$/u.exec(word)?.[1];
  if (stem === undefined || !dictionary.knows(`${stem}e`) || !dictionary.knows(word))
    return undefined;
  // A verb also has a form in -t: `wartet`. Adjectives have one in -em.
  const isVerb = ['t', 'et'].some((ending) => dictionary.knows(stem + ending));
  return isVerb && !dictionary.knows(`${stem}em`) ? `${stem}e` : undefined;
}

function seidOrSeit({ text, previous, token, next }: Near): Finding | undefined {
  const isTime = next !== undefined && (TIME.has(next.lower) || /^\d/u.test(next.word));
  if (token.lower === 'seid' && token.gap === ' ' && isTime && previous?.lower !== 'ihr') {
    const value = token.word === 'seid' ? 'seit' : 'Seit';
    return text.finding(SEIT, token, [value], CONFIDENCE.seit, 'About time, write “seit”.');
  }
  const startsClause = previous?.startsSentence === true && previous.word === 'Ihr';
  if (token.word !== 'seit' || !startsClause || isTime || next === undefined) return undefined;
  return text.finding(SEIT, token, ['seid'], CONFIDENCE.seit, 'The verb is “seid”.');
}
