import type { Finding } from '../analysis.js';
import { linesIn, readSections } from '../data-file.js';
import type { Paragraph } from '../text/prose.js';
import { readingOf } from '../text/reading.js';
import { baseLanguage } from '../language/base-language.js';

/** A form that is always wrong. */
interface WrongForm {
  pattern: RegExp;
  right: string;
}

const LISTS = readSections(import.meta.url, 'wrong-forms.txt');

/** Bounded, because it is tried at every position. */
const SENTENCE_START = String.raw`(?<=^|[.!?…]["”»’)]{0,3}\s{1,3}[¡¿"“„«]?|[¡¿])`;
const WORD_START = String.raw`(?<![\p{L}\p{M}\p{N}'’_-])`;
const WORD_END = String.raw`(?![\p{L}\p{M}\p{N}_-])`;

const compiled = new Map<string, readonly WrongForm[]>();

const EXPLANATION =
  'This form is wrong in every context. Writers often confuse it with the right one.';

/** No form of the list occurs in the texts that we measured, so this is an estimate. */
const CONFIDENCE = 0.89;

/** Returns the forms of a paragraph that are wrong in every context. Empty for languages without a list. */
export function wrongForms(paragraph: Paragraph, language: string): Finding[] {
  const forms = formsFor(baseLanguage(language));
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
      return [
        {
          ruleId: 'spelling.wrong-form',
          category: 'spelling',
          severity: 'error',
          message: `“${original}” is wrong. Write “${value}”.`,
          explanation: EXPLANATION,
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
  const words = before.trim() === '' ? [] : before.trim().split(/\s+/).map(anyCase);
  const start = wrong.startsWith('^') ? SENTENCE_START : WORD_START;
  const notAfter = words.length === 0 ? '' : String.raw`(?<!${WORD_START}(?:${words.join('|')})\s)`;
  return {
    pattern: new RegExp(start + notAfter + anyCase(form) + WORD_END, 'gu'),
    right: right.trim(),
  };
}

/** Returns a pattern for a form with or without a capital. */
function anyCase(form: string): string {
  return `[${form.charAt(0)}${form.charAt(0).toUpperCase()}]${form.slice(1)}`;
}
