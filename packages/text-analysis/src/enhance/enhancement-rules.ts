import type { RuleDescription } from '../english/rule-description.js';

const STYLE = { severity: 'style' } as const;

/** The rules of the goals `consistency` and `simplify`, by their name in the code. */
export const RULES = {
  spelling: {
    ...STYLE,
    ruleId: 'consistency.spelling',
    category: 'spelling',
    explanation:
      'One spelling in the whole document looks careful and makes it easier to search. The more frequent one wins.',
    example: 'A color, the color, this color and one {colour=>color}.',
  },
  hyphenation: {
    ...STYLE,
    ruleId: 'consistency.hyphenation',
    category: 'spelling',
    explanation:
      'A term that is always written the same way is easier to recognize and to search. The more frequent way wins.',
    example: 'An email, the email, this email and one {e-mail=>email}.',
  },
  capitals: {
    ...STYLE,
    ruleId: 'consistency.capitals',
    category: 'casing',
    explanation:
      'A name or term that always has the same capitals is easier to recognize. The more frequent spelling wins.',
    example: 'We use GitHub, like GitHub, pay GitHub and need {Github=>GitHub}.',
  },
  headingCase: {
    ...STYLE,
    ruleId: 'consistency.heading-case',
    category: 'casing',
    explanation:
      'Headings with the same capitalization show that they have the same role. The more frequent style wins.',
    example: '## Run the tests\n## Read the logs\n## Write a plugin\n## Use {The Image=>the image}',
  },
  listEnd: {
    ...STYLE,
    ruleId: 'consistency.list-end',
    category: 'punctuation',
    explanation:
      'Items of one list that end in the same way read as one list. The more frequent end wins.',
    example: '- The first.\n- The second.\n- The third.\n- The {fourth=>fourth.}',
  },
  ambiguousDate: {
    ...STYLE,
    ruleId: 'consistency.ambiguous-date',
    category: 'simplicity',
    explanation:
      'Readers in the United States read the month first, most others the day. Write the month as a word, or the date as year-month-day.',
    example: 'We met on {03/04/2025=>April 3, 2025}.',
  },
  plainWord: {
    ...STYLE,
    ruleId: 'simplicity.word',
    category: 'simplicity',
    explanation: 'More readers understand the common word, and they read it faster.',
    example: 'We {utilize=>use} the tool.',
  },
  plainPhrase: {
    ...STYLE,
    ruleId: 'wordiness.phrase',
    category: 'wordiness',
    explanation: 'Words that add nothing distract from the ones that matter.',
    example: 'She ran {in order to=>to} win.',
  },
  sentenceBreak: {
    ...STYLE,
    ruleId: 'simplify.sentence-break',
    category: 'length',
    explanation: 'Sentences of more than 35 words are hard to follow.',
    example: `We walked to the town and ${'then back to the house and '.repeat(5)}we were glad that it was over{; it=>. It} was a very long day for all.`,
  },
} as const satisfies Record<string, RuleDescription>;

/** The rules that only enhancements use. The others of {@link RULES} also report issues of an analysis. */
export const ENHANCEMENT_RULES: readonly RuleDescription[] = Object.values(RULES).filter(
  ({ ruleId }) => /^(?:consistency|simplify)\./.test(ruleId),
);
