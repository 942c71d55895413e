import type { Lint, LintConfig, LocalLinter } from 'harper.js';
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

/** Harper takes time that grows faster than the text when a paragraph has no end. In UTF-16 units. */
const LONGEST_TEXT = 6_000;

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
    if (text.length > LONGEST_TEXT || !/[a-z]/i.test(text)) return [];
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
