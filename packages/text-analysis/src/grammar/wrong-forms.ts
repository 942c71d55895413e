import type { Finding } from '../analysis.js';
import { linesIn, readSections } from '../data-file.js';
import type { Paragraph } from '../text/prose.js';
import { readingOf } from '../text/reading.js';

/** A form that is always wrong. */
interface WrongForm {
  pattern: RegExp;
  right: string;
}

const LISTS = readSections(import.meta.url, 'wrong-forms.txt');

/** Codes of the languages with a list. */
export const WRONG_FORM_LANGUAGES: readonly string[] = [...LISTS.keys()];

const SENTENCE_START = String.raw`(?<=^|[.!?…]["”»’)]*\s+[¡¿"“„«]?|[¡¿])`;
const WORD_START = String.raw`(?<![\p{L}\p{M}\p{N}'’_-])`;
const WORD_END = String.raw`(?![\p{L}\p{M}\p{N}_-])`;

const compiled = new Map<string, readonly WrongForm[]>();

/** The rule, as the list of rules shows it. */
export const WRONG_FORM_RULE = {
  ruleId: 'spelling.wrong-form',
  category: 'spelling',
  severity: 'error',
  explanation: 'This form is wrong in every context. Writers often confuse it with the right one.',
  example: 'Nie {wziąść=>wziąć} udziału w spotkaniu.',
  language: 'pl',
} as const;

/** No form of the list occurs in the texts that we measured, so this is an estimate. */
const CONFIDENCE = 0.89;

/** Returns the forms of a paragraph that are wrong in every context. Empty for languages without a list. */
export function wrongForms(paragraph: Paragraph, language: string): Finding[] {
  const forms = formsFor(language.split('-')[0] ?? language);
  if (forms.length === 0) return [];
  const reading = readingOf(paragraph);
  return forms.flatMap(({ pattern, right }) =>
    [...reading.text.matchAll(pattern)].flatMap((match): Finding[] => {
      const range = reading.sourceOf(match.index, match.index + match[0].length);
      if (!range) return [];
      const original = paragraph.prose.slice(range.start, range.end);
      const first = original.charAt(0);
      const isCapital = first !== first.toLowerCase();
      const value = isCapital ? right.charAt(0).toUpperCase() + right.slice(1) : right;
      const { ruleId, category, severity, explanation } = WRONG_FORM_RULE;
      return [
        {
          ruleId,
          category,
          severity,
          message: `“${original}” is wrong. Write “${value}”.`,
          explanation,
          start: paragraph.start + range.start,
          end: paragraph.start + range.end,
          original,
          replacements: [{ value, confidence: CONFIDENCE }],
        },
      ];
    }),
  );
}

function formsFor(language: string): readonly WrongForm[] {
  let forms = compiled.get(language);
  if (!forms) {
    forms = LISTS.has(language) ? linesIn(LISTS, language).map(compile) : [];
    compiled.set(language, forms);
  }
  return forms;
}

/** Compiles a line `^ wrong > right ! words before`. */
function compile(line: string): WrongForm {
  const [wrong = '', rest = ''] = line.split('>');
  const [right = '', before = ''] = rest.split('!');
  const form = wrong.replace('^', '').trim();
  const words = before.trim() === '' ? [] : before.trim().split(/\s+/);
  const start = wrong.startsWith('^') ? SENTENCE_START : WORD_START;
  const notAfter = words.length === 0 ? '' : String.raw`(?<!${WORD_START}(?:${words.join('|')})\s)`;
  const anyCase = `[${form.charAt(0)}${form.charAt(0).toUpperCase()}]${form.slice(1)}`;
  return { pattern: new RegExp(start + notAfter + anyCase + WORD_END, 'gu'), right: right.trim() };
}
