import { linesIn } from '../data-file.js';
import {
  DATA,
  isPartOfCompound,
  isSentenceStart,
  lowerAt,
  type Mistake,
  MODALS,
  posAt,
  replaced,
  set,
  type TaggedRule,
} from './tagged-rule.js';
import type { Token } from './tagger.js';

const INTRODUCTIONS = set('introductions');
const BEFORE_PRONOUNS = set('introductions before pronouns');
const BEFORE_ANY_CLAUSE = set('introductions before any clause');
const AFTER_INTRODUCTION = set('after introduction');
const CLAUSE_OPENERS = set('clause openers');
/** Words that can only be a subject or, like "it", mostly are. */
const PRONOUNS = new Set(['i', 'you', 'he', 'she', 'it', 'we', 'they', 'there']);
const INTRODUCING_PHRASES = linesIn(DATA, 'introducing phrases').map((phrase) => phrase.split(' '));

/** `However it works`, `For example it works`: a comma after a word or phrase that comments on the whole sentence. */
const commaAfterIntroduction: TaggedRule = {
  ruleId: 'punctuation.comma-after-introduction',
  category: 'punctuation',
  severity: 'warning',
  explanation:
    'A comma separates an introductory word or phrase from the sentence: However, it works.',
  example: '{However=>However,} it works.',
  check(tokens, at) {
    if (!/^\p{Lu}\p{Ll}/u.test(tokens[at]?.text ?? '') || !isSentenceStart(tokens, at)) return null;
    const end = introductionEnd(tokens, at);
    const last = tokens[end];
    if (!last || !isClauseAfter(tokens, end)) return null;
    if (last.lower === 'however' && isConcession(tokens, end + 1)) return null;
    return missingAfter(last, 'A comma is missing after the introduction.');
  },
};

const missingAfter = (word: Token, message: string): Mistake =>
  replaced(word, message, `${word.text},`);

/** Returns the place of the last word of the introduction that starts here, or -1. */
function introductionEnd(tokens: readonly Token[], at: number): number {
  const first = lowerAt(tokens, at);
  if ([INTRODUCTIONS, BEFORE_PRONOUNS, BEFORE_ANY_CLAUSE].some((words) => words.has(first)))
    return at;
  const phrase = INTRODUCING_PHRASES.find((words) =>
    words.every((word, index) => lowerAt(tokens, at + index) === word),
  );
  return phrase ? at + phrase.length - 1 : -1;
}

/** Returns true if a subject and a verb that are no question follow the introduction: not "Finally my turn". */
function isClauseAfter(tokens: readonly Token[], end: number): boolean {
  const start = end + 1;
  const subject = tokens[start];
  if (!subject?.blankBefore || subject.isMasked) return false;
  if (!mayFollow(subject, lowerAt(tokens, end))) return false;
  let hasVerb = false;
  for (let at = start + 1; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || /^[.!]$/.test(token.text)) break;
    if (token.text === '?') return false;
    if (at < start + 10 && /^(?:VERB|AUX)$/.test(token.pos)) hasVerb = true;
  }
  return hasVerb;
}

/** Returns true if a word may be the first of a clause after the introduction that ends in the word `last`. */
function mayFollow(word: Token, last: string): boolean {
  if (BEFORE_PRONOUNS.has(last)) return word.lower !== 'you' && PRONOUNS.has(word.lower);
  if (AFTER_INTRODUCTION.has(word.lower)) return true;
  if (!BEFORE_ANY_CLAUSE.has(last)) return false;
  return (
    CLAUSE_OPENERS.has(word.lower) || (last !== 'however' && (isNoun(word) || word.pos === 'ADJ'))
  );
}

const isNoun = ({ pos }: Token) => pos === 'NOUN' || pos === 'PROPN';

/** "However you do it, …", "However the vote goes, …": the clause says in whatever way, so no comma follows. */
function isConcession(tokens: readonly Token[], next: number): boolean {
  // "However you should" is no concession.
  if (lowerAt(tokens, next) === 'you' && !/^(?:MODAL|AUX)$/.test(posAt(tokens, next + 1)))
    return true;
  if (/^(?:may|might)$/.test(lowerAt(tokens, next + 1))) return true;
  for (let at = next + 1; at < tokens.length; at += 1) {
    const word = lowerAt(tokens, at);
    if (/^[.!;:]$/.test(word)) return false;
    if (word === ',')
      return (
        !CLAUSE_OPENERS.has(lowerAt(tokens, next)) &&
        !/^(?:and|but|or|so|which|who|because|although|as|since|even|especially|for|such|including|not)$/.test(
          lowerAt(tokens, at + 1),
        )
      );
  }
  return false;
}

const POSSESSIVES = set('possessives');
const SUBORDINATORS = set('subordinators');
const ENDS_CLAUSE = set('ends a clause');

/** `When I was young I played football`: a comma before the main clause. */
const commaAfterClause: TaggedRule = {
  ruleId: 'punctuation.comma-after-clause',
  category: 'punctuation',
  severity: 'warning',
  explanation:
    'A comma separates a clause with "when", "if" or "although" from the main clause after it: If it rains, we stay home.',
  example: 'When I was {young=>young,} I played football.',
  check(tokens, at) {
    if (!SUBORDINATORS.has(lowerAt(tokens, at)) || !isSentenceStart(tokens, at)) return null;
    if (!startsNounPhrase(tokens[at + 1])) return null;
    const main = mainClauseAfter(tokens, at + 2);
    const last = tokens[main - 1];
    return last ? missingAfter(last, 'A comma is missing before the main clause.') : null;
  },
};

/** Returns the place of the pronoun that starts the main clause, or 0. */
function mainClauseAfter(tokens: readonly Token[], start: number): number {
  let hasVerb = false;
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || token.isMasked || (token.pos === 'PUNCT' && !isPartOfWord(token))) return 0;
    if (hasVerb && isSubjectWithVerb(tokens, at))
      return endsClause(tokens, at - 1) && !isFollowedByClause(tokens, at) ? at : 0;
    if (/^(?:VERB|AUX)$/.test(token.pos)) hasVerb = true;
  }
  return 0;
}

const isPartOfWord = ({ text }: Token) => /^[-'’]/.test(text);

/** Returns true for `he`, `the`, `my` and `Anna`. */
const startsNounPhrase = (token: Token | undefined) =>
  token !== undefined &&
  (PRONOUNS.has(token.lower) || /^(?:DET|PROPN)$/.test(token.pos) || POSSESSIVES.has(token.lower));

/** Returns true for `my friends like` and `the poor people always need`. */
function isNounWithVerb(tokens: readonly Token[], at: number): boolean {
  const first = tokens[at];
  if (!first || PRONOUNS.has(first.lower) || !startsNounPhrase(first)) return false;
  let next = first.pos === 'PROPN' ? at : at + 1;
  while (next < at + 4 && /^(?:ADJ|NOUN|PROPN)$/.test(posAt(tokens, next))) next += 1;
  const noun = tokens[next - 1];
  if (!noun || !isNoun(noun) || noun.isMasked) return false;
  if (posAt(tokens, next) === 'ADV') next += 1;
  const verb = tokens[next];
  return (
    verb !== undefined &&
    !verb.isMasked &&
    (verb.pos === 'AUX' || (verb.pos === 'VERB' && !verb.lower.endsWith('ing')))
  );
}

/** Returns true for `we play`, `it is` and `there are`. "It" may also be an object. */
function isSubjectWithVerb(tokens: readonly Token[], at: number): boolean {
  const pronoun = lowerAt(tokens, at);
  // In instructions to readers, commas before "you" are often left out.
  if (!PRONOUNS.has(pronoun) || pronoun === 'you' || !tokens[at]?.blankBefore) return false;
  const isAdverb = posAt(tokens, at + 1) === 'ADV';
  const next = tokens[isAdverb ? at + 2 : at + 1];
  if (!next?.blankBefore || next.isMasked) return false;
  if (/^(?:it|there)$/.test(pronoun))
    return (
      next.pos === 'AUX' ||
      MODALS.has(next.lower) ||
      /^(?:is|are|was|were|has|have)$/.test(next.lower)
    );
  return /^(?:VERB|AUX)$/.test(next.pos);
}

/** Returns false after a word that a clause may complete: "when I think we", "if the book I". */
function endsClause(tokens: readonly Token[], at: number): boolean {
  const last = tokens[at];
  if (!last || !/^[a-z]+$/.test(last.text)) return false;
  if (ENDS_CLAUSE.has(last.lower)) return true;
  if (/^(?:ADJ|ADV)$/.test(last.pos))
    return !/^(?:than|as|so|that|how|when|where|why|then|now|even|only)$/.test(last.lower);
  // "If you see the book I lost": a noun after an article may have a relative clause.
  if (!isNoun(last)) return false;
  return (
    !/^(?:the|every|all|any|only|first|last|thing|way)$/.test(lowerAt(tokens, at - 1)) &&
    !/^(?:things?|ways?|times?|moment|day|people|person)$/.test(last.lower)
  );
}

/** Returns true if a comma follows that may be the one before the main clause: "If you have a book you like, keep it". */
function isFollowedByClause(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < tokens.length; at += 1) {
    const word = lowerAt(tokens, at);
    if (/^[.!?;:]$/.test(word)) return word === '?';
    if (word === ',')
      return !/^(?:and|but|or|so|which|who|because|although)$/.test(lowerAt(tokens, at + 1));
  }
  return false;
}

/** Fewest words of a clause that a comma separates. Short clauses need none. */
const FEWEST_WORDS = 4;

/** `We were tired so we went home`: a comma between two sentences that "but" or "so" joins. */
const commaBetweenClauses: TaggedRule = {
  ruleId: 'punctuation.comma-between-clauses',
  category: 'punctuation',
  severity: 'warning',
  explanation:
    'A comma comes before "but" and "so" if a whole sentence follows, unless both are very short: It was late, so we went home.',
  example: 'I would like to {come=>come,} but I have to work today.',
  check(tokens, at) {
    const joint = lowerAt(tokens, at);
    const last = tokens[at - 1];
    if (!/^(?:but|so)$/.test(joint) || !last || !/^\p{Ll}+$/u.test(last.text)) return null;
    if (!tokens[at]?.blankBefore || last.isMasked || isPartOfCompound(tokens, at)) return null;
    if (!isSubjectWithVerb(tokens, at + 1) && !isNounWithVerb(tokens, at + 1)) return null;
    if (wordsAfter(tokens, at) < FEWEST_WORDS) return null;
    if (joint === 'so' && !isConsequence(tokens, at)) return null;
    if (!isWholeSentenceBefore(tokens, at)) return null;
    return missingAfter(last, `A comma is missing before "${joint}".`);
  },
};

/** Returns false for a purpose, "so you can", and for "and so he did", "I think so it". */
function isConsequence(tokens: readonly Token[], at: number): boolean {
  if (/^(?:it|there|that)$/.test(lowerAt(tokens, at + 1))) return false;
  if (MODALS.has(lowerAt(tokens, at + 2))) return false;
  // "I was tired so I slept", but not "he said so they left".
  if (/^(?:ADV|VERB|AUX|CCONJ|SCONJ)$/.test(posAt(tokens, at - 1)))
    return /ed$/.test(lowerAt(tokens, at - 1)) && posAt(tokens, at - 2) === 'AUX';
  return !/^(?:and|or|if|just|even|as|than)$/.test(lowerAt(tokens, at - 1));
}

function wordsAfter(tokens: readonly Token[], at: number): number {
  let count = 0;
  while (
    count < FEWEST_WORDS &&
    posAt(tokens, at + count + 1) !== '' &&
    posAt(tokens, at + count + 1) !== 'PUNCT'
  )
    count += 1;
  return count;
}

/** Returns true if the words before a conjunction start a sentence with a subject and a verb. */
function isWholeSentenceBefore(tokens: readonly Token[], end: number): boolean {
  let start = end;
  while (start > 0 && end - start < 40 && !isSign(tokens[start - 1])) start -= 1;
  if (end - start < FEWEST_WORDS || !isSentenceStart(tokens, start)) return false;
  const words = tokens.slice(start, end);
  if (words.some(({ isMasked, lower }) => isMasked || CORRELATIVE.test(lower))) return false;
  if (
    !PRONOUNS.has(lowerAt(tokens, start)) &&
    !/^(?:DET|PRON|NOUN|PROPN)$/.test(posAt(tokens, start))
  )
    return false;
  return words.slice(1, 8).some(({ pos }) => /^(?:VERB|AUX)$/.test(pos));
}

const isSign = (token: Token | undefined) => token?.pos === 'PUNCT' && !isPartOfWord(token);

/** "Not because I like it but I have to", "I asked if he came but he did not". */
const CORRELATIVE = /^(?:not|neither|nothing|if|whether)$/;

/** The rules about missing commas. */
export const COMMA_RULES: readonly TaggedRule[] = [
  commaAfterIntroduction,
  commaAfterClause,
  commaBetweenClauses,
];
