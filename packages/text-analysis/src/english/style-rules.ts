import type { Draft } from './draft.js';
import type { Token } from './tagger.js';
import { sentencesOf } from '../sentences.js';
import { likeCase } from './word-forms.js';

interface Wording {
  ruleId: string;
  category: 'wordiness' | 'simplicity' | 'inclusive';
  message: (right: string) => string;
  explanation: string;
  /** Wrong → right, separated by semicolons; several right ones by `|`; nothing right: leave it out. */
  list: string;
}

const WORDINGS: readonly Wording[] = [
  {
    ruleId: 'wordiness.phrase',
    category: 'wordiness',
    message: (right) =>
      right ? `"${right}" says the same in fewer words.` : 'This can be left out.',
    explanation: 'Words that carry nothing make the others harder to find.',
    list: 'in order to>to;due to the fact that>because;in spite of the fact that>although;despite the fact that>although;in the event that>if;at this point in time>now;at the present time>now;for the purpose of>for;in the process of>;with regard to>about;with reference to>about;in terms of>in;a large number of>many;a majority of>most;the majority of>most;has the ability to>can;have the ability to>can;is able to>can;are able to>can;on a regular basis>regularly;on a daily basis>daily;in close proximity to>near;until such time as>until;it is important to note that>;it should be noted that>;please note that>;needless to say>;as a matter of fact>in fact;for all intents and purposes>;in the near future>soon;take into consideration>consider;make a decision>decide;give consideration to>consider;is in possession of>has;the reason why is that>because;by means of>by;as to whether>whether;each and every>each;first and foremost>first;absolutely essential>essential;completely finished>finished;end result>result;past history>history;advance planning>planning;free gift>gift;future plans>plans;basic fundamentals>fundamentals;close proximity>proximity;final outcome>outcome;unexpected surprise>surprise;whether or not>whether;whatsoever>;all of the>all the',
  },
  {
    ruleId: 'simplicity.word',
    category: 'simplicity',
    message: (right) => `"${right}" is simpler.`,
    explanation: 'The common word is read faster, and by more readers.',
    list: 'utilize>use;utilizes>uses;utilized>used;utilizing>using;utilise>use;utilisation>use;utilization>use;facilitate>help|ease;facilitates>helps|eases;commence>begin|start;commences>begins;commenced>began;terminate>end;endeavor>try;endeavour>try;ascertain>find out;approximately>about;sufficient>enough;additional>more|further;subsequently>later;subsequent to>after;prior to>before;purchase>buy;assistance>help;demonstrate>show;demonstrates>shows;numerous>many;attempt to>try to;regarding>about;initiate>start;expedite>speed up;leverage>use;leverages>uses;leveraging>using;nevertheless>but|still;consequently>so;henceforth>from now on;aforementioned>this;notwithstanding>despite;heretofore>until now;herein>here;therein>there;in lieu of>instead of;methodology>method;functionality>function|feature;optimum>best;cognizant of>aware of;erroneous>wrong;remuneration>pay;remainder>rest;requisite>needed;ameliorate>improve',
  },
  {
    ruleId: 'inclusive.term',
    category: 'inclusive',
    message: (right) => `"${right}" includes everybody.`,
    explanation: 'Some terms exclude or hurt readers, and a neutral one says the same.',
    list: 'whitelist>allowlist;whitelists>allowlists;whitelisted>allowlisted;whitelisting>allowlisting;blacklist>blocklist|denylist;blacklists>blocklists|denylists;blacklisted>blocklisted;blacklisting>blocklisting;chairman>chair|chairperson;chairmen>chairs;fireman>firefighter;firemen>firefighters;policeman>police officer;policemen>police officers;mankind>humanity|people;manpower>workforce|staff;man-made>artificial|synthetic;manmade>artificial;man hours>person hours|working hours;man-hours>person-hours;businessman>business person;businessmen>business people;salesman>salesperson;salesmen>salespeople;stewardess>flight attendant;mailman>mail carrier;middleman>intermediary;spokesman>spokesperson;grandfathered>legacy|exempt;sanity check>quick check|confidence check;sanity checks>quick checks;dummy value>placeholder value;crippled>limited;housewife>homemaker;master/slave>primary/replica;slave>replica|secondary;slaves>replicas',
  },
];

interface Entry extends Wording {
  right: string[];
}

const ENTRIES = new Map<string, Entry>();
for (const wording of WORDINGS) {
  for (const pair of wording.list.split(';')) {
    const [wrong = '', right = ''] = pair.split('>');
    ENTRIES.set(wrong, { ...wording, right: right.split('|') });
  }
}

const LISTED = new RegExp(
  `(?<![\\w-])(?:${[...ENTRIES.keys()]
    .sort((a, b) => b.length - a.length)
    .map((wrong) => wrong.replace(/[/-]/g, '\\$&'))
    .join('|')})(?![\\w-])`,
  'gi',
);

/** A sentence of more words is hard to follow. */
const LONG_SENTENCE = 40;

/** What is not wrong, but may be said better. */
export function styleFindings(text: string, tokens: readonly Token[]): Draft[] {
  return [...listedWordings(text), ...longSentences(text), ...passives(tokens)];
}

function* listedWordings(text: string): Generator<Draft> {
  for (const match of text.matchAll(LISTED)) {
    const passage = match[0];
    const entry = ENTRIES.get(passage.toLowerCase());
    if (!entry) continue;
    const start = match.index;
    let end = start + passage.length;
    // What is left out takes its blank along.
    if (entry.right[0] === '' && text[end] === ' ') end += 1;
    yield {
      start,
      end,
      ruleId: entry.ruleId,
      category: entry.category,
      severity: entry.category === 'inclusive' ? 'style' : 'style',
      message: entry.message(entry.right[0] ?? ''),
      explanation: entry.explanation,
      replacements: entry.right.map((value, index) => ({
        value: likeCase(passage, value),
        confidence: index === 0 ? 0.6 : 0.3,
      })),
    };
  }
}

function* longSentences(text: string): Generator<Draft> {
  for (const { start, end } of sentencesOf(text)) {
    const words = text.slice(start, end).split(/\s+/).length;
    if (words <= LONG_SENTENCE) continue;
    yield {
      start,
      end,
      ruleId: 'length.sentence',
      category: 'length',
      severity: 'style',
      message: `This sentence has ${String(words)} words.`,
      explanation: `A sentence of more than ${String(LONG_SENTENCE)} words is hard to follow: two may say it better.`,
      replacements: [],
    };
  }
}

const BE = new Set('is are was were be been being'.split(' '));
const PARTICIPLE =
  /^(?:\p{L}{2,}ed|done|made|given|taken|seen|known|written|shown|found|built|sent|held|kept|set|put|run|read|chosen|thrown|drawn|broken|driven|left|lost|told|said|used)$/u;
/** Describe a state rather than what was done. */
const STATES = new Set(
  'based needed related required supposed interested located involved tired married excited used allowed deprecated limited concerned pleased bored advanced left set'.split(
    ' ',
  ),
);

function* passives(tokens: readonly Token[]): Generator<Draft> {
  for (const [at, token] of tokens.entries()) {
    if (!BE.has(token.lower)) continue;
    let next = at + 1;
    if (tokens[next]?.pos === 'ADV' || tokens[next]?.lower === 'not') next += 1;
    const participle = tokens[next];
    if (
      !participle ||
      participle.isMasked ||
      participle.pos !== 'VERB' ||
      STATES.has(participle.lower) ||
      !PARTICIPLE.test(participle.lower)
    )
      continue;
    yield {
      start: token.start,
      end: participle.end,
      ruleId: 'passive.voice',
      category: 'passive',
      severity: 'style',
      message: 'The passive does not say who does it.',
      explanation: 'A sentence that names who acts is shorter and clearer, if who acts matters.',
      replacements: [],
    };
  }
}
