import type { Check, Severity } from '../analysis.js';
import { COMMON_VERBS, gerundOf, likeCase, NO_PLURAL } from './word-forms.js';

/** A mistake that a run of words proves. Patterns take linear time; `find` is the passage told of, the rest is context. */
export interface PhraseRule {
  ruleId: string;
  category: Check;
  severity: Severity;
  /** Case-insensitive, with `g`. The group `find`, or all of the match, is the finding. */
  pattern: RegExp;
  /** What the passage should be, the likeliest first. */
  replace: (groups: Record<string, string>, passage: string) => string[];
  message: string;
  explanation: string;
  /** Of the first replacement: 0.9 and more only where it was right in 95 of 100 measured cases. */
  confidence: number;
}

type Parts = Omit<PhraseRule, 'category' | 'severity' | 'confidence'> & Partial<PhraseRule>;

const grammar = (parts: Parts): PhraseRule => ({
  category: 'grammar',
  severity: 'error',
  confidence: 0.85,
  ...parts,
});
const style = (category: Check, parts: Parts): PhraseRule => ({
  category,
  severity: 'style',
  confidence: 0.6,
  ...parts,
});

const verbs = (form: (base: string) => string = (base) => base) =>
  new Map([...COMMON_VERBS].map((base) => [base, form(base)]));
const BASES = [...COMMON_VERBS].join('|');
const GERUNDS = verbs(gerundOf);
const asGerund = (base: string) => GERUNDS.get(base.toLowerCase()) ?? base;

/** One word, or the words before it, call for another preposition. */
function preposition(before: string, wrong: string, right: string, after = ''): PhraseRule {
  return grammar({
    ruleId: 'grammar.preposition',
    pattern: new RegExp(`\\b(?:${before}) (?<find>${wrong})\\b${after}`, 'gi'),
    replace: () => [right],
    message: `"${right}" is usual here.`,
    explanation:
      'Many verbs, adjectives and nouns go with one preposition only: depend on, interested in, married to.',
    severity: 'warning',
  });
}

const CONTRACTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'dont doesnt didnt isnt wasnt werent arent hasnt havent hadnt couldnt shouldnt wouldnt mustnt cant'
      .split(' ')
      .map((word): [string, string] => [word, `${word.slice(0, -1)}'t`]),
  ),
  im: "I'm",
  ive: "I've",
  youre: "you're",
  theyre: "they're",
  weve: "we've",
  theyve: "they've",
  youve: "you've",
  youll: "you'll",
  theyll: "they'll",
  thats: "that's",
  theres: "there's",
  whats: "what's",
  heres: "here's",
  couldve: "could've",
  shouldve: "should've",
  wouldve: "would've",
};

const UNITS = '(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|decades?|centuries)';
const AMOUNT =
  '(?:a few|several|many|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|\\d{1,4})';
const PERSON = '(?:I|you|he|she|it|we|they|who)';

/** What stands after "it's" and, but for a few nouns, never after "its". */
const JUDGED =
  '(?:important|possible|impossible|necessary|easy|hard|difficult|clear|true|likely|better|best|good|bad|nice|great|obvious|strange|fine|safe|enough)';
const AFTER_IT_IS = [
  '(?:an?|the)(?! *-)(?: |$)',
  'been\\b',
  '(?:too|because|supposed|okay|ok|recommended|worth)(?=[ .,;!?]|$)',
  'up to (?:you|me|us|him|her|them|the)\\b',
  'going to (?:be|do|get|make|take|have|happen|work|rain|need|cost|fail|break)\\b',
  'time (?:to (?!live|first|next)|for (?:us|me|you|him|her|them|a|the)\\b)',
  `${JUDGED} (?:to|that|for (?:us|me|you|him|her|them|everyone)|if|when|because|not to|than)\\b`,
  `(?:very|so|really|not|quite|pretty|also|just) ${JUDGED}(?:[.,;!?]|$| (?:to|that|for|if|when|because|and|but)\\b)`,
  '(?:not|just|only|also|always|never|really|still|probably|actually|basically) (?:an?|the|been|that|because|about|like|my|your|his|her|our|in|on|going|going to|working|too|so|very|possible|me|us|for)(?! *-)\\b',
].join('|');
const AFTER_YOU_ARE = [
  '(?:an?|the)(?! *-)(?: |$)',
  '(?:welcome|wrong|sure|ready|done|happy|here|right|very welcome|so welcome)(?:[.,;!?]|$)',
  '(?:right|wrong|sure|happy|here|ready) (?:that|about|when|if|because|but|with)\\b',
  '(?:able|allowed|supposed|invited|welcome|happy|ready|trying|sure|going) to (?!and\\b)',
  'interested in\\b',
  'not (?:an?|the|alone|sure|going|able|allowed|supposed|in|on|my|ready|welcome|interested|the only|looking|using|doing|trying)\\b',
  'looking (?:for|to|at|forward)\\b',
  'using (?:an?|the|this)\\b',
  'doing (?:well|great|fine|it|an?|the|this|that|something)\\b',
  'working (?:on|with|for|at)\\b',
  'getting (?:an?|the|better|worse|older|this|that|ready|married)\\b',
  '(?:very|so) (?:good|kind|nice|right|smart|lucky|brave|clever|funny|talented|helpful|wrong|busy|tired)(?:[.,;!?]|$| (?:to|that|at|and|but|for)\\b)',
].join('|');

export const PHRASE_RULES: readonly PhraseRule[] = [
  grammar({
    ruleId: 'punctuation.missing-apostrophe',
    category: 'punctuation',
    pattern: new RegExp(
      `(?<![\\w'’-])(?:${Object.keys(CONTRACTIONS)
        .flatMap((word) => (word === 'im' ? ['Im'] : [word, likeCase('A', word)]))
        .join('|')})(?![\\w'’-])`,
      'g',
    ),
    replace: (_, passage) => {
      const right = CONTRACTIONS[passage.toLowerCase()] ?? passage;
      return [
        passage === passage.toUpperCase() && passage.length > 2
          ? right.toUpperCase()
          : likeCase(passage, right),
      ];
    },
    message: 'The apostrophe is missing.',
    explanation:
      'A contraction marks with an apostrophe where letters were left out: do not → don’t.',
    confidence: 0.97,
  }),
  grammar({
    ruleId: 'punctuation.missing-apostrophe',
    category: 'punctuation',
    pattern: new RegExp(`\\b${PERSON} (?<find>wont)\\b`, 'gi'),
    replace: () => ["won't"],
    message: 'The apostrophe is missing.',
    explanation:
      'A contraction marks with an apostrophe where letters were left out: will not → won’t.',
    confidence: 0.95,
  }),
  grammar({
    ruleId: 'grammar.could-of',
    pattern:
      /(?<!\b(?:the|its|his|her|their|our|a|this|all|military|full) )\b(?:could|should|would|might|must)(?:n['’]t| not)? (?<find>of)\b(?! (?:course|necessity|all|itself|late)\b)/gi,
    replace: () => ['have'],
    message: 'This should be "have".',
    explanation: '"Could of" is how "could’ve" sounds; what is meant is "could have".',
    confidence: 0.95,
  }),
  preposition(
    'depend|depends|depended|depending',
    'of|from',
    'on',
    '(?! (?:course|the (?:ceiling|roof|wall|neck))\\b)',
  ),
  preposition(
    '(?:am|is|are|was|were|be|been|very|really|so|more|not|get|become|became) interested',
    'on|for|about|at',
    'in',
  ),
  preposition(
    'married',
    'with',
    'to',
    '(?! (?:no|two|three|four|five|\\d|a (?:child|son|daughter|kid|family|baby)|children|kids|grown)\\b)',
  ),
  preposition(
    'arrive|arrives|arrived|arriving',
    'to',
    'at',
    '(?= (?:the|a|an|my|our|his|her|their|work|school|home|this|that)\\b)(?! (?:an?|the) (?:warm|cold|rousing|standing|hero|sound|sight|smell|news|cheers|applause|crowd|chorus|empty)\\b)',
  ),
  preposition('afraid|scared|frightened|capable|proud|jealous|ashamed', 'from', 'of'),
  // One may be proud or ashamed for somebody, and for a while.
  preposition(
    'capable|proud|jealous|ashamed',
    'for',
    'of',
    '(?! (?:him|her|you|them|us|me|(?:a|two|three|many|several|some) (?:time|while|day|year|month|week|reason)s?)\\b)',
  ),
  preposition('similar', 'with|as', 'to'),
  preposition('according', 'with', 'to'),
  preposition('responsible', 'of', 'for', '(?! (?:late|course)\\b)'),
  preposition('apologi[sz]e|apologi[sz]ed|apologi[sz]es', 'of|about', 'for'),
  preposition('insist|insists|insisted', 'in|for', 'on'),
  preposition(
    'good|bad|excellent|terrible|brilliant',
    'in',
    'at',
    '(?= (?:math|maths|mathematics|english|french|german|spanish|sports?|tennis|football|chess|physics|cooking|drawing|swimming|dancing|singing|writing|speaking)\\b)',
  ),
  preposition(
    'surprised|shocked|impressed',
    'from|of',
    'by',
    '(?! (?:the (?:start|beginning|outset|first)|afar|time to time|course|late)\\b)',
  ),
  preposition(
    'participate|participates|participated|participating',
    'to|at|on',
    'in',
    '(?! (?:every|each|all|any|various|different|an? |the (?:same|highest|local|time|moment)|home|work|once|will|mondays?|weekends?|behalf|equal)\\b)',
  ),
  preposition(
    '(?<!\\bto )concentrate|concentrates|concentrated|focus|focuses|focused',
    'in|at',
    'on',
    '(?= (?:my|your|his|her|their|our|studying|learning|doing|making|getting|work|studies)\\b)',
  ),
  preposition('different', 'of', 'from', '(?! (?:late|course|necessity)\\b)'),
  preposition('congratulated? (?:him|her|them|you|me|us)', 'for', 'on'),
  preposition(
    'remind(?:s|ed)? (?:me|him|her|us|them)',
    'to',
    'of',
    '(?= (?:the|my|a|an|his|her)\\b)',
  ),
  grammar({
    ruleId: 'grammar.in-on-at-time',
    pattern:
      /\b(?<find>in|at) (?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|christmas day|my birthday)\b(?! (?:through|to) )/gi,
    replace: (_, passage) => [likeCase(passage, 'on')],
    message: '"on" is used with days.',
    explanation: 'Days take "on", months and years "in", hours "at".',
  }),
  grammar({
    ruleId: 'grammar.in-on-at-time',
    pattern:
      /\b(?<find>on|at) (?:january|february|april|june|july|september|october|november|december)\b(?! (?:\d{1,2}(?:st|nd|rd|th)?\b(?!\d)|the|first|second))/gi,
    replace: (_, passage) => [likeCase(passage, 'in')],
    message: '"in" is used with months.',
    explanation: 'Days take "on", months and years "in", hours "at".',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.in-on-at-time',
    pattern: /\b(?<find>at|on) the (?:morning|afternoon|evening)\b(?! of)/gi,
    replace: (_, passage) => [likeCase(passage, 'in')],
    message: '"in" is used with parts of the day.',
    explanation: 'Parts of a day take "in": in the morning, in the evening; but at night.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.in-on-at-time',
    pattern:
      /\b(?<find>in|on) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}) o['’]clock\b/gi,
    replace: (_, passage) => [likeCase(passage, 'at')],
    message: '"at" is used with hours.',
    explanation: 'Days take "on", months and years "in", hours "at".',
  }),
  grammar({
    ruleId: 'grammar.since-for',
    pattern: new RegExp(`\\b(?<find>since) ${AMOUNT} ${UNITS}\\b(?! ago)`, 'gi'),
    replace: (_, passage) => [likeCase(passage, 'for')],
    message: 'A span of time takes "for".',
    explanation:
      '"Since" names when something began (since Monday), "for" how long it has lasted (for two days).',
  }),
  grammar({
    ruleId: 'grammar.during-for',
    pattern: new RegExp(
      `\\b(?<find>during) ${AMOUNT} ${UNITS}\\b(?! (?:of|period|season|window))`,
      'gi',
    ),
    replace: (_, passage) => [likeCase(passage, 'for')],
    message: 'How long something lasts takes "for".',
    explanation: '"During" says when (during the night), "for" how long (for two weeks).',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.in-the-other-hand',
    pattern: /\b(?<find>(?:in|at|by) the other hand)\b(?=,| )/gi,
    replace: (_, passage) => [likeCase(passage, 'on the other hand')],
    message: 'The phrase is "on the other hand".',
    explanation: 'A fixed phrase that sets one thought against another.',
  }),
  grammar({
    ruleId: 'grammar.modal-to',
    pattern: new RegExp(
      `(?<!\\b(?:the|an?|his|her|my|our|your|their|its|no|any|free|good|ill|political|strong|this|that|of) )\\b(?:must|should|can|could|might|may|will|cannot) (?<find>to )(?=(?:be|${BASES})\\b)`,
      'gi',
    ),
    replace: () => [''],
    message: 'No "to" stands after this verb.',
    explanation:
      'Must, should, can, could, might, may and will are followed by the plain verb: I must go.',
  }),
  grammar({
    ruleId: 'grammar.am-agree',
    pattern: /\b(?:I|we|you|they) (?<find>(?:am|are|was|were) agree)\b/gi,
    replace: (_, passage) => [/^w/i.test(passage) ? 'agreed' : 'agree'],
    message: '"Agree" is a verb: it needs no "be".',
    explanation: 'I agree, not "I am agree".',
  }),
  grammar({
    ruleId: 'grammar.looking-forward-to',
    pattern: new RegExp(
      `\\blook(?:ing)? forward to (?<find>(?!visit|work|return|help|travel|talk|offer|love|study|walk|use|need\\b)(?:${BASES}))\\b(?! if)`,
      'gi',
    ),
    replace: (_, passage) => [asGerund(passage)],
    message: 'A verb after "look forward to" ends in -ing.',
    explanation:
      'The "to" of "look forward to" is a preposition: it takes a noun or the form in -ing.',
  }),
  grammar({
    ruleId: 'grammar.used-to',
    pattern: new RegExp(
      `\\b(?:I['’]m|I am|I was|(?:he|she)(?:['’]s| is| was)|(?:we|they|you)(?:['’]re| are| were)|get|got|getting) used to (?<find>(?:${BASES}))\\b`,
      'gi',
    ),
    replace: (_, passage) => [asGerund(passage)],
    message: 'A verb after "be used to" ends in -ing.',
    explanation:
      'Who is used to something takes a noun or the form in -ing; "used to do" speaks of the past.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.gerund-after',
    pattern: new RegExp(
      `\\b(?:enjoy|enjoys|enjoyed|suggest|suggests|suggested|avoid|avoids|avoided|finish|finished|mind|keep|consider|considered|imagine) (?<find>to (?<verb>${BASES}))\\b`,
      'gi',
    ),
    replace: ({ verb = '' }) => [asGerund(verb)],
    message: 'The form in -ing follows this verb.',
    explanation:
      'Enjoy, suggest, avoid, finish, mind, keep, consider and imagine take the form in -ing: I enjoy reading.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.gerund-after',
    pattern: new RegExp(
      `\\b(?:thank you for|thanks for|interested in|good at|bad at|tired of|afraid of|fond of|instead of|without|apologi[sz]e for|sorry for|insists? on|capable of|think of|dream of) (?<find>(?!visit|work|return|help|travel|talk|offer|love|study|walk|use|need|play|show|look|read|like|open|try|watch|mean|run|follow|stay|worry|wear|say|pay|fear|want|make|give|take|find|see|know|live|come|leave|have|do|go|get|be)(?:${BASES}|invite))\\b`,
      'gi',
    ),
    replace: (_, passage) => [passage.toLowerCase() === 'invite' ? 'inviting' : asGerund(passage)],
    message: 'A verb after a preposition ends in -ing.',
    explanation:
      'After of, in, at, for, without the form in -ing stands: thank you for inviting me.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.explain-to',
    pattern:
      /\bexplain(?:s|ed|ing)? (?<find>(?:me|us)(?! away)|(?:him|her|them)(?= (?:the|an?|why|how|what|that|this|my|our|your|everything)\b))(?=[ .,;!?]|$)/gi,
    replace: (_, passage) => [`to ${passage}`],
    message: '"Explain" takes "to" before the person.',
    explanation: 'One explains something to somebody.',
  }),
  grammar({
    ruleId: 'grammar.say-tell',
    pattern:
      /\b(?<find>said|says) (?:me|him|us|them)\b(?! (?:was|were|is|are|had|has|could|would|should|will|all|aloud|out|again|in|with|both|so|before|twice|and|or)\b)(?! (?:and|or) )/gi,
    replace: (_, passage) => [passage.toLowerCase() === 'said' ? 'told' : 'tells'],
    message: '"Tell" is followed by the person.',
    explanation: 'One says something, or tells somebody something.',
  }),
  grammar({
    ruleId: 'grammar.listen-to',
    pattern:
      /\blisten(?:s|ed|ing)? (?<find>(?=(?:music|the radio|radio|songs?|the teacher|people|her|him|me|them|my|your|his)\b))/gi,
    replace: () => ['to '],
    message: '"Listen" takes "to".',
    explanation: 'One listens to something.',
  }),
  grammar({
    ruleId: 'grammar.to-home',
    pattern:
      /\b(?:go|goes|going|went|gone|come|comes|came|return|returned|get|got) (?<find>to home)\b(?! (?:depot|screen|page|base|directory|office|country|plate|button|in|row|ground|health)\b)(?=[\s.,;!?]|$)/gi,
    replace: () => ['home'],
    message: 'No "to" stands before "home".',
    explanation: 'One goes home, comes home, gets home.',
  }),
  grammar({
    ruleId: 'grammar.although-but',
    pattern: /(?:^|[.!?] )(?:although|though|even though) [^,.;!?]{3,80}, (?<find>but )(?!for\b)/gi,
    replace: () => [''],
    message: '"Although" and "but" say the same: one is enough.',
    explanation: 'A sentence that begins with "although" goes on without "but".',
  }),
  grammar({
    ruleId: 'grammar.for-to',
    pattern: new RegExp(`\\b(?<find>for to) (?:${BASES})\\b`, 'gi'),
    replace: () => ['to'],
    message: 'An aim takes "to" alone.',
    explanation: 'I study to pass the exam.',
  }),
  grammar({
    ruleId: 'grammar.double-negative',
    pattern:
      /\b(?:don['’]t|doesn['’]t|didn['’]t|haven['’]t|hasn['’]t|can['’]t|couldn['’]t|won['’]t|cannot) (?:(?!(?:say|think|believe|know|claim|mean|assume|promise|pretend|imagine|suggest|guarantee|for|do)\b)\w+ )?(?<find>nothing|nobody|nowhere|no one)\b(?! (?:happen(?:ed|s)|is|was|has|had|will|can|could|would|works?|matters|cares?|changed|goes|went)\b)/gi,
    replace: (_, passage) => [
      passage
        .toLowerCase()
        .replace(/^no(?: )?/, (no) => (no.endsWith(' ') ? 'any' : 'any'))
        .replace('anyone', 'anyone'),
    ],
    message: 'Two negatives: "any…" stands after "not".',
    explanation: 'In standard English one negative is enough: I did not see anything.',
  }),
  grammar({
    ruleId: 'grammar.less-fewer',
    pattern:
      /\b(?<find>less) (?:people|students|cars|children|errors|bugs|users|friends|problems|mistakes|women|men|things|options|items|words|lines|files|calls|jobs|tourists|hours|books)\b/gi,
    replace: (_, passage) => [likeCase(passage, 'fewer')],
    message: '"Fewer" is used of what can be counted.',
    explanation: 'Less water, but fewer people.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.uncountable',
    pattern:
      /\b(?:informations|advices|furnitures|equipments|homeworks|feedbacks|softwares|luggages|knowledges|evidences|housework?s|traffics|researches|stuffs)\b(?! (?:the|into|how|about it)\b)/gi,
    replace: (_, passage) => [passage.slice(0, -1)],
    message: 'This noun has no plural.',
    explanation:
      'Information, advice, furniture, equipment, homework and software cannot be counted.',
    confidence: 0.95,
  }),
  grammar({
    ruleId: 'grammar.uncountable',
    pattern:
      /\b(?<find>an? (?<noun>information|advice|furniture|equipment|homework|luggage|baggage|housework|knowledge|feedback|software))(?=[.,;!?]|$| (?:about|on|for|from|to|in|at|with|and|or|but|is|was|when|because|before|after|by|if|so)\b(?! \w+-))/gi,
    replace: ({ noun = '' }, passage) => [
      likeCase(passage, noun),
      likeCase(passage, `some ${noun}`),
      likeCase(passage, `a piece of ${noun}`),
    ],
    message: 'This noun cannot be counted: it takes no "a".',
    explanation: 'Say "some advice" or "a piece of advice".',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.much-many',
    pattern: new RegExp(
      `\\b(?<find>many) (?:${[...NO_PLURAL].slice(0, 14).join('|')})\\b(?! \\w+s\\b)`,
      'gi',
    ),
    replace: (_, passage) => [likeCase(passage, 'much')],
    message: '"Much" is used of what cannot be counted.',
    explanation: 'Many books, but much information.',
  }),
  grammar({
    ruleId: 'grammar.much-many',
    pattern:
      /\b(?<find>much) (?:people|friends|students|children|things|books|cars|countries|problems|places|years|times|days|hours|tourists|questions|ways|cities|families|houses|women|men|girls|boys|items|files|users|words|errors)\b(?!(?<=\b(?:how|as|not|so) much \w+) (?:know|do|want|like|love|need|care|pay|think|hate|use|spend|eat|earn|talk|read|learn|can|will|could|would|should)\b)/gi,
    replace: (_, passage) => [likeCase(passage, 'many')],
    message: '"Many" is used of what can be counted.',
    explanation: 'Much water, but many people.',
  }),
  grammar({
    ruleId: 'grammar.people',
    pattern:
      /\b(?:many|a lot of|lots of|some|most|other|these|those|young|old|several|few) (?<find>peoples)\b(?! of)/gi,
    replace: () => ['people'],
    message: '"People" is the plural already.',
    explanation: 'One person, two people; "peoples" are nations.',
  }),
  grammar({
    ruleId: 'grammar.childrens',
    pattern: /\b(?<find>childrens)\b/gi,
    replace: (_, passage) => [likeCase(passage, "children's"), likeCase(passage, 'children')],
    message: '"Children" is the plural already.',
    explanation: 'One child, two children; what belongs to them is the children’s.',
  }),
  grammar({
    ruleId: 'grammar.plural-verb',
    pattern:
      /(?:^|[.!?,] |\b(?:because|that|and|but|when|if|where|think) )(?:the |most |many |some |young |old |other |these |those )*(?:people|police|children|men|women) (?<find>is|was|has|lives|likes|wants|needs|goes|makes|thinks|uses|does|doesn['’]t|comes|works)\b(?! (?:the most|a word))/gi,
    replace: (_, passage) => [PLURAL_VERBS[passage.toLowerCase().replace('’', "'")] ?? passage],
    message: 'The verb must be plural: people are.',
    explanation: 'People, police, children, men and women are plurals.',
  }),
  grammar({
    ruleId: 'grammar.plural-verb',
    pattern:
      /\b(?:people|students|children|men|women|friends|persons|those|tourists|workers|parents) who (?<find>is|was|has|lives|likes|wants|needs|goes|makes|thinks|uses|does|doesn['’]t|comes|works)\b/gi,
    replace: (_, passage) => [PLURAL_VERBS[passage.toLowerCase().replace('’', "'")] ?? passage],
    message: 'The verb must be plural.',
    explanation: '"Who" is plural after a plural: people who live here.',
  }),
  grammar({
    ruleId: 'grammar.singular-verb',
    pattern:
      /(?:^|[.!?,;] |\b(?:the|my|your|his|her|our|their|this|that|because|and|but) )(?:public )?(?:news|information|advice|furniture|equipment|homework|luggage|weather|traffic|hair|money|transport|knowledge|research|music) (?<find>are|were|have|don['’]t)\b(?! (?:you|we|they|been you)\b)/gi,
    replace: (_, passage) => [SINGULAR_VERBS[passage.toLowerCase().replace('’', "'")] ?? passage],
    message: 'The verb must be singular.',
    explanation: 'What cannot be counted takes a singular verb: the news is good.',
  }),
  grammar({
    ruleId: 'grammar.indefinite-pronoun',
    pattern: new RegExp(
      `(?<!\\b(?:let|make|makes|made|help|helps|helped|have|has|had|see|saw|watch|hear|heard|did|do|does|can|could|will|would|should|may|might|must|that|than|as|to|for|with|of|where|how|so|get|if) )\\b(?:everyone|everybody|someone|somebody|anyone|anybody|nobody|no one|everything|something|nothing) (?<find>are|were|have|don['’]t|know|want|need|(?<!thing )like|think|love|say|agree|understand|go)\\b(?! (?:to|how))`,
      'gi',
    ),
    replace: (_, passage) => [SINGULAR_VERBS[passage.toLowerCase().replace('’', "'")] ?? passage],
    message: 'The verb must be singular.',
    explanation: 'Everyone, somebody, nobody, everything and the like take a singular verb.',
  }),
  grammar({
    ruleId: 'grammar.one-of',
    pattern:
      /\b(?:one|each|neither|either) of (?:the|my|our|his|her|their|these|those|your|its|them|us|you)(?: (?!they|we|you|I|who|that|which|people|most)\w+s| them)? (?<find>are|were|have|do|don['’]t)\b(?! (?:you|we|they|I)\b)/gi,
    replace: (_, passage) => [SINGULAR_VERBS[passage.toLowerCase().replace('’', "'")] ?? passage],
    message: 'The verb must be singular: it goes with "one".',
    explanation: 'One of the servers is down: the verb belongs to "one", not to "servers".',
  }),
  grammar({
    ruleId: 'grammar.uncommon-comparative',
    pattern:
      /\bmore (?<find>(?<adjective>easy|cheap|fast|tall|old|young|small|big|high|short|long|strong|happy|heavy|rich|poor|nice|busy|early|large|good|bad))\b(?= than\b|[.,;!?]| (?:to|and|for)\b)(?!(?<=happy|early) to\b)(?! than (?:useful|clever|kind|able|angry|sad|wise|good|bad|anything)\b)/gi,
    replace: ({ adjective = '' }) => [comparativeOf(adjective)],
    message: 'This adjective forms its comparative with -er.',
    explanation: 'Short adjectives take -er: easier, cheaper, bigger; long ones "more".',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.profession-article',
    pattern:
      /\b(?:I am|I['’]m|I was|he is|she is|he['’]s|she['’]s|he was|she was|(?:mother|father|brother|sister|wife|husband|friend|son|daughter|uncle|aunt) (?:is|was)|become|becoming|became|works? as|worked as|job as) (?<find>(?=(?<noun>teacher|engineer|doctor|student|lawyer|nurse|actor|actress|waiter|waitress|architect|accountant|writer|singer|journalist|programmer|developer|manager|policeman|secretary|dentist|pilot|scientist|housewife|artist|musician|businessman)(?: at| in| for| of| and| who| when|[.,;!?]|$)))/gi,
    replace: ({ noun = '' }) => [/^[aeio]/i.test(noun) ? 'an ' : 'a '],
    message: 'An article is missing before the profession.',
    explanation: 'What somebody is takes "a" or "an": she is a teacher.',
  }),
  grammar({
    ruleId: 'grammar.missing-the',
    pattern:
      /\b(?:to|at|in|on|near|from) (?<find>(?=(?:beach|cinema|supermarket|airport|internet|countryside|same time|end of|beginning of|morning|afternoon|evening|middle of|other hand|future of|whole world|united states|center of|centre of)\b(?! \w+(?:er|or|ing|s)\b| explorer)))/gi,
    replace: () => ['the '],
    message: '"the" is missing.',
    explanation: 'Places and times that both sides know take "the": at the beach, in the morning.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.try-suppose',
    pattern: /\b(?:am|is|are|was|were|['’]m|['’]re|be|been) (?<find>suppose) to\b/gi,
    replace: () => ['supposed'],
    message: 'This should be "supposed".',
    explanation: 'What one ought to do is what one is supposed to do.',
    confidence: 0.95,
  }),
  grammar({
    ruleId: 'grammar.use-to',
    pattern: new RegExp(
      `(?<!\\b(?:did|didn['’]t|to|not|do|does|don['’]t|will|can|could|would|should|may|might|must|you|we|they|people|users?|developers?|tools?) )\\b(?:I|he|she|it|people|there) (?<find>use) to (?:be|${BASES})\\b`,
      'gi',
    ),
    replace: () => ['used'],
    message: 'This should be "used to".',
    explanation: 'What was so in the past and no longer is takes "used to".',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.between-and-me',
    pattern: /\bbetween (?:you|him|her|them) and (?<find>I)\b/g,
    replace: () => ['me'],
    message: 'A preposition takes "me".',
    explanation: '"Between" takes the object’s form: between you and me.',
  }),
  grammar({
    ruleId: 'grammar.to-and-me',
    pattern: /\b(?:gave (?:it|them)|to|for|with) (?:my \w+|[A-Z]\w+) and (?<find>I)(?=[.,;!?]|$)/g,
    replace: () => ['me'],
    message: 'A preposition takes "me".',
    explanation: 'After "to", "for" and "with" the object’s form stands: to my wife and me.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.advice-advise',
    pattern:
      /\b(?:some|any|good|bad|my|your|his|her|much|of|useful|great|legal) (?<find>advise)\b(?! (?:you|me|him|her|them|us|that|the|against|on)\b)/gi,
    replace: () => ['advice'],
    message: 'The noun is "advice".',
    explanation: 'To advise is the verb, advice the noun.',
  }),
  grammar({
    ruleId: 'grammar.advice-advise',
    pattern:
      /\b(?:I|we|they|you|to|would|will|can|could) (?<find>advice) (?=you|him|her|them|us|me|against|that)/gi,
    replace: () => ['advise'],
    message: 'The verb is "advise".',
    explanation: 'To advise is the verb, advice the noun.',
  }),
  grammar({
    ruleId: 'grammar.breath-breathe',
    pattern: /\b(?:a deep|take a|a|deep|last|his|her|my) (?<find>breathe)\b/gi,
    replace: () => ['breath'],
    message: 'The noun is "breath".',
    explanation: 'To breathe is the verb, breath the noun.',
  }),
  grammar({
    ruleId: 'grammar.breath-breathe',
    pattern: /\b(?:we|I|they|you|to|can|cannot|can['’]t|could) (?<find>breath)\b/gi,
    replace: () => ['breathe'],
    message: 'The verb is "breathe".',
    explanation: 'To breathe is the verb, breath the noun.',
  }),
  grammar({
    ruleId: 'grammar.lose-loose',
    pattern:
      /\b(?:to|will|don['’]t|can|could|may|might|would|not|you|we|they|I|never|must|should|and) (?<find>loose) (?=(?:the|your|my|our|his|her|its|their|all|any|some|data|weight|money|time|control|track|it|them|a|interest|focus|access|information|everything|hope)\b)(?! (?:tie|coupling|ends?)\b)/gi,
    replace: () => ['lose'],
    message: 'The verb is "lose".',
    explanation: 'To lose is no longer to have; loose is what is not tight.',
    confidence: 0.95,
  }),
  grammar({
    ruleId: 'grammar.affect-effect',
    pattern:
      /\b(?:an?|the|this|no|any|little|big|side|positive|negative|bad|good|great|its|what|real|same|opposite|desired|such) (?<find>affects?)\b(?= (?:on|of|in|is|was|has|does|do|did|from|upon)\b|[.,;!?]|$)/gi,
    replace: (_, passage) => [passage.replace(/^a/i, 'e')],
    message: 'The noun is "effect".',
    explanation: 'To affect is the verb; what comes of it is the effect.',
  }),
  grammar({
    ruleId: 'grammar.affect-effect',
    pattern:
      /\b(?:will|would|could|can|may|might|does|did|not|to|should|doesn['’]t|won['’]t|didn['’]t) (?<find>effect) (?=(?:the|all|your|my|our|his|her|their|its|any|how|other|every|you|us|them|me|people|users|performance|this|that|these|those)\b)(?!\w+ (?:changes?|real changes?|transition|repairs?|transfer|escape|cure|release)\b)/gi,
    replace: () => ['affect'],
    message: 'The verb is "affect".',
    explanation: 'To affect something is to change it; to effect it is to bring it about.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.weather-whether',
    pattern:
      /(?:^|\b(?:know|decide|decides|unsure|sure|question|wonder|wondering|see|check|determine|matter|about|of) )(?<find>weather) (?=(?:or not|you|he|she|they|we|I|it|to|there|this|that)\b)/gi,
    replace: (_, passage) => [likeCase(passage, 'whether')],
    message: 'This should be "whether".',
    explanation: 'Weather is rain and sun; whether asks which of two.',
  }),
  grammar({
    ruleId: 'grammar.past-passed',
    pattern:
      /\b(?:walk|walks|walked|run|ran|drive|drove|go|goes|went|get|got|ride|rode|moved|way|just|half|quarter) (?<find>passed)\b(?!-| (?:away|out|by|on|the test|the exam)\b)/gi,
    replace: () => ['past'],
    message: 'This should be "past".',
    explanation: 'Passed is the verb: he passed me. By something goes past it.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.past-passed',
    pattern: /\b(?:in|from|of) the (?<find>passed)\b/gi,
    replace: () => ['past'],
    message: 'This should be "past".',
    explanation: 'Passed is the verb; the time before now is the past.',
  }),
  grammar({
    ruleId: 'grammar.accept-except',
    pattern:
      /\b(?:I|we|you|they|to|will|not|please|cannot|can['’]t|don['’]t) (?<find>except) (?=(?:your|the|this|my|our|his|her|their|it|that|any|all)\b)/gi,
    replace: () => ['accept'],
    message: 'This should be "accept".',
    explanation: 'To accept is to take; except leaves out.',
  }),
  grammar({
    ruleId: 'grammar.accept-except',
    pattern:
      /\b(?:everyone|everything|everybody|all|nothing|nobody|came|ones?) (?<find>accept) (?=(?:for|him|her|me|the|that|those|when|in|them)\b)/gi,
    replace: () => ['except'],
    message: 'This should be "except".',
    explanation: 'To accept is to take; except leaves out.',
  }),
  grammar({
    ruleId: 'grammar.piece-peace',
    pattern:
      /\b(?<find>peace) of (?=(?:cake|paper|advice|information|code|software|furniture|music|work|the puzzle|equipment|art|wood|bread|data|text)\b)/gi,
    replace: (_, passage) => [likeCase(passage, 'piece')],
    message: 'This should be "piece".',
    explanation: 'A piece is a part; peace is no war.',
  }),
  grammar({
    ruleId: 'grammar.principle-principal',
    pattern:
      /\b(?:matter|in|on|of|as a|same|basic|first|general|guiding|design) (?<find>principals?)\b(?=[.,;!?]| (?:of|that|is|behind)\b|$)/gi,
    replace: (_, passage) => [passage.replace(/al/i, 'le')],
    message: 'This should be "principle".',
    explanation: 'A principle is a rule; the principal thing is the main one.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.know-no',
    pattern:
      /\b(?:I|you|we|they|to|don['’]t|already) (?<find>no) (?=(?:that|what|how|why|where|him|her|them|the answer|it)\b)/gi,
    replace: () => ['know'],
    message: 'This should be "know".',
    explanation: 'Who knows has knowledge; "no" denies.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.every-day',
    pattern:
      /\b(?:work|school|go|run|walk|use|used|do|it|home|here|there|happens|exercise|that|this|online|me|him|her|you) (?<find>everyday)(?=[.,;!?]|$| (?:and|but|because|to|at|for|in|from)\b)/gi,
    replace: () => ['every day'],
    message: '"Every day" says how often.',
    explanation: 'Everyday is an adjective (everyday life); how often takes two words.',
  }),
  grammar({
    ruleId: 'grammar.every-day',
    pattern: /(?:^|[.!?] )(?<find>everyday) (?=(?:I|we|he|she|they|you|it|the|people|my)\b)/gi,
    replace: (_, passage) => [likeCase(passage, 'every day')],
    message: '"Every day" says how often.',
    explanation: 'Everyday is an adjective (everyday life); how often takes two words.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.may-be',
    pattern:
      /\b(?:it|that|this|he|she|there|they|we|you|which) (?<find>maybe) (?=(?:a|an|the|true|wrong|right|possible|not|better|that|used|more|too|because|in|on|useful|necessary|helpful|good)\b)/gi,
    replace: () => ['may be'],
    message: 'The verb is "may be".',
    explanation: 'Maybe means perhaps; may be is a verb.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.then-than',
    pattern:
      /\b(?:better|worse|more|less|fewer|greater|smaller|larger|bigger|faster|slower|higher|lower|older|younger|taller|shorter|longer|easier|harder|earlier|later|rather|stronger|weaker|cheaper|nicer|newer|other|simpler|richer|deeper|wider) (?<find>then) (?=(?:I|me|you|him|he|she|her|it|we|us|they|them|the|a|an|my|your|his|our|their|this|that|these|those|what|any|anyone|ever|before|one|two|\d+|expected|usual|other|most|in|on|at|with)\b)/gi,
    replace: () => ['than'],
    message: 'A comparison takes "than".',
    explanation: 'Then speaks of time; than compares.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.then-than',
    pattern:
      /\bif [^,.;!?]{3,60}, (?<find>than) (?=(?:I|you|he|she|it|we|they|the|try|use|please|this|there)\b)/gi,
    replace: () => ['then'],
    message: 'What follows takes "then".',
    explanation: 'Then speaks of time and of what follows; than compares.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.their-there',
    pattern:
      /\b(?<find>their) (?=(?:is|are|was|were|will be|has been|have been|isn['’]t|aren['’]t|wasn['’]t|weren['’]t)\b)/gi,
    replace: (_, passage) => [likeCase(passage, 'there')],
    message: 'This should be "there".',
    explanation: 'Their says whose; there says where, or that something is.',
  }),
  grammar({
    ruleId: 'grammar.its-its',
    pattern: new RegExp(`\\b(?<find>its) (?=${AFTER_IT_IS})`, 'gi'),
    replace: (_, passage) => [likeCase(passage, "it's")],
    message: 'This should be "it’s".',
    explanation: 'Its says whose; it’s is short for it is or it has.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.its-its',
    pattern:
      /\b(?:of|in|on|with|for|from|by|wagged|changed|lost|has|have|and|to|all|had|into|through|at|under|within|per) (?<find>it['’]s) (?=(?:own|name|tail|value|contents?|way|users?|color|colour|size|position|parent|children|state|members?|data|original|first|default|dependencies|properties|options|place|kind|best|new|type|current|behaviou?r|methods?|effects?|purpose|output|input|customers|products|features)\b)/gi,
    replace: (_, passage) => [likeCase(passage, 'its')],
    message: 'This should be "its".',
    explanation: 'Its says whose; it’s is short for it is or it has.',
  }),
  grammar({
    ruleId: 'grammar.your-youre',
    pattern: new RegExp(
      `(?:^|[.!?,;] |\\b(?:that|if|think|know|when|because|hope|sure|and|while|since|as|where) )(?<find>your) (?=${AFTER_YOU_ARE})`,
      'gi',
    ),
    replace: (_, passage) => [likeCase(passage, "you're")],
    message: 'This should be "you’re".',
    explanation: 'Your says whose; you’re is short for you are.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.whose-whos',
    pattern:
      /(?<find>who['’]s) (?=(?:book|car|house|idea|fault|name|job|turn|phone|names?|parents?|children|work|value|values|code)\b)(?! (?:who|working))/gi,
    replace: (_, passage) => [likeCase(passage, 'whose')],
    message: 'This should be "whose".',
    explanation: 'Whose says to whom it belongs; who’s is short for who is.',
  }),
  grammar({
    ruleId: 'grammar.whose-whos',
    pattern:
      /\b(?<find>whos(?= \w)|whose(?= (?:(?:there|here|next|calling|coming|ready)(?:[?.!,]|$)|going to\b|been\b|in charge\b|responsible for\b|using (?:the|an?|it|this)\b|that\b(?!-)|the\b(?!-)|not (?:an?|the|in|on|here|there|going)\b)))/gi,
    replace: (_, passage) => [likeCase(passage, "who's")],
    message: 'This should be "who’s".',
    explanation: 'Whose says to whom it belongs; who’s is short for who is.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.lets',
    pattern:
      /(?:^|[.!?] )(?<find>lets) (?=(?:go(?! of)|see|try|do|get|make|take|start|talk|say|look|use|keep|have|be|not|just|meet|assume|suppose|consider|hope|face it)\b)/gi,
    replace: (_, passage) => [likeCase(passage, "let's")],
    message: 'This should be "let’s".',
    explanation: 'Let’s is short for let us; lets is what somebody does who allows it.',
  }),
  grammar({
    ruleId: 'grammar.too-to',
    pattern:
      /(?<!^|[.!?] |\bfrom \w{2,12} )\b(?<find>to) (?=(?:much|many|late|expensive|hot|cold|difficult|hard|slow|heavy|tired|big|small|busy|young|old|long|few|far|fast|loud|easy|soon|bad|dangerous|complicated|complex)\b(?: (?:for|to|of)\b|[.,;!?]|$))/gi,
    replace: (_, passage) => [likeCase(passage, 'too')],
    message: 'This should be "too".',
    explanation: 'Too means more than is good, or also.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'grammar.too-to',
    pattern: new RegExp(
      `\\b(?:want|wants|wanted|need|needs|needed|have|has|had|going|like|able|try|trying|used|how|ought|hope|decided) (?<find>too) (?:be|${BASES})\\b`,
      'gi',
    ),
    replace: () => ['to'],
    message: 'This should be "to".',
    explanation: 'Too means more than is good, or also; "to" stands before a verb.',
  }),
  grammar({
    ruleId: 'grammar.regardless',
    pattern: /\birregardless\b/gi,
    replace: (_, passage) => [likeCase(passage, 'regardless')],
    message: 'The word is "regardless".',
    explanation: '"Irregardless" negates twice.',
  }),
  grammar({
    ruleId: 'grammar.intents-and-purposes',
    pattern: /\bfor all (?<find>intensive purposes)\b/gi,
    replace: () => ['intents and purposes'],
    message: 'The phrase is "for all intents and purposes".',
    explanation: 'It means: as good as.',
  }),
  grammar({
    ruleId: 'casing.weekday',
    category: 'casing',
    pattern:
      /(?<![\w-])(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|april|june|july|september|october|november|december|english|french|german|spanish|italian|chinese|japanese|russian|portuguese|american|british|european|london|paris|berlin|england|germany|italy|spain|europe|japan)s?(?![\w-])/g,
    replace: (_, passage) => [passage.charAt(0).toUpperCase() + passage.slice(1)],
    message: 'A name begins with a capital letter.',
    explanation: 'Days, months, languages and places are names.',
    severity: 'warning',
  }),
  grammar({
    ruleId: 'casing.pronoun-i',
    category: 'casing',
    pattern:
      /(?<![\w'’.-])i(?=['’](?:m|ve|ll|d)\b| (?:am|have|was|think|will|would|can|could|want|need|like|know|don['’]t|didn['’]t|do|did|had|hope|believe|feel|love|just|also|really|should|must|went|go|got|get|saw|see|live)\b)/g,
    replace: () => ['I'],
    message: 'The pronoun "I" is a capital letter.',
    explanation: 'Whoever speaks of themselves writes I.',
    confidence: 0.95,
  }),
  grammar({
    ruleId: 'punctuation.doubled',
    category: 'punctuation',
    severity: 'warning',
    pattern:
      /(?<=[\p{L}\p{N}"”)])(?:,{2,}|;{2,}|(?<!\.)\.\.(?!\.)|,\.|\.,(?= \p{L}))(?=\s|$)(?<!\b(?:etc|e\.g|i\.e|Inc|Ltd|Co|Jr|Sr|al|vs|a\.m|p\.m)\.,)/gu,
    replace: (_, passage) => [passage.charAt(0)],
    message: 'One sign too many.',
    explanation: 'One comma, semicolon or full stop is enough.',
  }),
  grammar({
    ruleId: 'punctuation.space-before',
    category: 'punctuation',
    severity: 'warning',
    pattern: /(?<=\p{L}{2})(?<find> +[,;])(?= \p{L})/gu,
    replace: (_, passage) => [passage.trim()],
    message: 'No blank stands before this sign.',
    explanation: 'Commas and semicolons follow the word at once.',
  }),
  style('punctuation', {
    ruleId: 'punctuation.doubled-space',
    pattern: /(?<=\p{L},?)(?<find> {2,})(?=\p{L})/gu,
    replace: () => [' '],
    message: 'More than one blank.',
    explanation: 'One blank between words is enough.',
  }),
];

const PLURAL_VERBS: Record<string, string> = {
  is: 'are',
  was: 'were',
  has: 'have',
  lives: 'live',
  likes: 'like',
  wants: 'want',
  needs: 'need',
  goes: 'go',
  makes: 'make',
  thinks: 'think',
  uses: 'use',
  does: 'do',
  "doesn't": "don't",
  comes: 'come',
  works: 'work',
};

const SINGULAR_VERBS: Record<string, string> = {
  are: 'is',
  were: 'was',
  have: 'has',
  do: 'does',
  "don't": "doesn't",
  know: 'knows',
  want: 'wants',
  need: 'needs',
  like: 'likes',
  think: 'thinks',
  love: 'loves',
  say: 'says',
  agree: 'agrees',
  understand: 'understands',
  go: 'goes',
};

function comparativeOf(adjective: string): string {
  const irregular: Record<string, string> = { good: 'better', bad: 'worse', big: 'bigger' };
  const word = adjective.toLowerCase();
  if (irregular[word]) return irregular[word];
  if (word.endsWith('y')) return `${word.slice(0, -1)}ier`;
  return word.endsWith('e') ? `${word}r` : `${word}er`;
}
