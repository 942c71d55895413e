import type { Lint, LintConfig, LocalLinter } from 'harper.js';
import type { TextRange } from '../../../analysis.js';
import { PLACEHOLDER } from '../prose.js';
import { sentencesOf } from '../sentences.js';
import { chosenRule, HARPER_RULES_OFF, type ChosenRule } from './harper-rules.js';

/** What Harper says of a passage of the text it was given, in UTF-16 units. */
export interface HarperLint {
  start: number;
  end: number;
  rule: ChosenRule;
  message: string;
  /** What the passage becomes; empty text where it goes. */
  replacements: string[];
}

/** Harper takes time that grows faster than the text: more than this is cut between sentences. In UTF-16 units. */
const LONGEST_TEXT = 3_000;

/** Harper with the chosen rules: English only. 150 MB; the first text costs seconds, later ones about 100 ms per 1,000 words. */
export class Harper {
  private constructor(
    private readonly linter: LocalLinter,
    private readonly descriptions: Readonly<Record<string, string>>,
  ) {}

  static async load(): Promise<Harper> {
    const [{ LocalLinter, Dialect }, { slimBinary }] = await Promise.all([
      import('harper.js'),
      import('harper.js/slimBinary'),
    ]);
    const linter = new LocalLinter({ binary: slimBinary, dialect: Dialect.American });
    await linter.setup();
    const config: LintConfig = { ...(await linter.getDefaultLintConfig()) };
    for (const rule of Object.keys(config)) if (HARPER_RULES_OFF.has(rule)) config[rule] = false;
    await linter.setLintConfig(config);
    return new Harper(linter, await linter.getLintDescriptions());
  }

  /** The words that Harper's own dictionary does not know are told as rule `SpellCheck`. */
  async lintsOf(text: string): Promise<HarperLint[]> {
    const lints: HarperLint[] = [];
    for (const piece of piecesOf(text)) {
      const passage = withoutEndlessWords(text.slice(piece.start, piece.end));
      if (!/[a-z]/i.test(passage)) continue;
      for (const lint of await this.lintsOfPiece(passage)) {
        lints.push({ ...lint, start: lint.start + piece.start, end: lint.end + piece.start });
      }
    }
    return lints;
  }

  private async lintsOfPiece(text: string): Promise<HarperLint[]> {
    const byRule = await this.linter.organizedLints(text, { language: 'plaintext' });
    const lints: HarperLint[] = [];
    for (const [name, found] of Object.entries(byRule)) {
      for (const lint of found) {
        lints.push(this.lintOf(text, name, lint));
        // Memory of the WebAssembly module.
        lint.free();
      }
    }
    return lints;
  }

  private lintOf(text: string, name: string, lint: Lint): HarperLint {
    const span = lint.span();
    const { start, end } = span;
    span.free();
    const passage = text.slice(start, end);
    const replacements = lint.suggestions().map((suggestion) => {
      const kind: number = suggestion.kind();
      const value = suggestion.get_replacement_text();
      suggestion.free();
      return kind === REMOVE ? '' : kind === INSERT_AFTER ? passage + value : value;
    });
    return {
      start,
      end,
      rule: chosenRule(name, lint.lint_kind(), this.descriptions[name] ?? ''),
      message: lint.message(),
      replacements,
    };
  }
}

/** SuggestionKind of harper.js: an enum that exists in types and at run time only after it is loaded. */
const REMOVE = 1;
const INSERT_AFTER = 2;

/** The whole text, or runs of whole sentences. */
function piecesOf(text: string): TextRange[] {
  if (text.length <= LONGEST_TEXT) return [{ start: 0, end: text.length }];
  const pieces: TextRange[] = [];
  for (const sentence of sentencesOf(text)) {
    const last = pieces[pieces.length - 1];
    if (last && sentence.end - last.start <= LONGEST_TEXT) last.end = sentence.end;
    else pieces.push({ ...sentence });
  }
  return pieces;
}

/** Harper panics on a word of a thousand letters: what is longer than any word is a noun and blanks to it. */
function withoutEndlessWords(text: string): string {
  return text.replace(/[^\s]{80,}/g, (word) => PLACEHOLDER.padEnd(word.length));
}
