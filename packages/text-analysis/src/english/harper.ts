import type { Lint, LintConfig, LocalLinter } from 'harper.js';
import type { TextRange } from '../analysis.js';
import { PLACEHOLDER } from '../text/prose.js';
import { sentencesOf } from '../text/sentences.js';
import { chosenRule, HARPER_RULES_OFF, type ChosenRule } from './harper-rules.js';

/** A finding of Harper, with a range in UTF-16 units. */
export interface HarperLint {
  start: number;
  end: number;
  rule: ChosenRule;
  message: string;
  /** Replacements for the passage. An empty string removes it. */
  replacements: string[];
}

/**
 * Maximum length of a text for Harper, in UTF-16 units, because its time grows faster than the text. Each call costs
 * milliseconds.
 */
const LONGEST_TEXT = 3_000;

/** Separates paragraphs that are read in one call. */
const PARAGRAPH_END = '\n\n';

/**
 * Length of the texts that one task of a thread reads, in UTF-16 units, unless one passage is longer; and what each call
 * costs, as if it were text. Other texts wait for a task: about 50 ms on an idle CPU.
 */
const TASK = { length: 1_500, call: 300 };

/** A part of a text that Harper reads at once. */
interface Passage {
  /** Index of the text, and the offset of the passage in it. */
  of: number;
  start: number;
  text: string;
}

/** Passages for a few calls of Harper. */
export type HarperWork = Passage[][];
/** Findings, each with the index of its text. */
export type IndexedLints = [of: number, lint: HarperLint][];

/**
 * Runs Harper with the chosen rules, for English only. Uses 150 MB. The first text takes seconds; later ones take about
 * 100 ms per 1,000 words.
 */
export class Harper {
  private constructor(
    private readonly linter: LocalLinter,
    /** Descriptions of all rules that are on, by Harper's name. */
    readonly rules: ReadonlyMap<string, string>,
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
    const descriptions = await linter.getLintDescriptions();
    const on = Object.keys(config).filter((rule) => config[rule] === true);
    return new Harper(linter, new Map(on.map((rule) => [rule, descriptions[rule] ?? ''])));
  }

  /**
   * Returns the findings for each text. Other texts in the call have no effect. Spelling is not checked, because Harper
   * spends a quarter of its time on replacements, of which ours are better.
   */
  async lintsOf(texts: readonly string[]): Promise<HarperLint[][]> {
    const found: IndexedLints[] = [];
    for (const task of harperWork(texts)) found.push(await this.lintsIn(task));
    return lintsByText(texts.length, found);
  }

  /** Returns the findings of one of the tasks of {@link harperWork}. */
  async lintsIn(task: HarperWork): Promise<IndexedLints> {
    const lints: IndexedLints = [];
    for (const batch of task) {
      const found = await this.lintsOfPiece(batch.map(({ text }) => text).join(PARAGRAPH_END));
      let offset = 0;
      for (const { of, start, text } of batch) {
        const [from, to] = [offset, offset + text.length];
        for (const lint of found) {
          if (lint.start < from || lint.end > to) continue;
          const shift = start - from;
          lints.push([of, { ...lint, start: lint.start + shift, end: lint.end + shift }]);
        }
        offset = to + PARAGRAPH_END.length;
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
        // Frees memory of the WebAssembly module.
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
      rule: chosenRule(name, lint.lint_kind(), this.rules.get(name) ?? ''),
      message: lint.message(),
      replacements,
    };
  }
}

/** harper.js only exports this enum, `SuggestionKind.Remove`, at run time. */
const REMOVE = 1;
const INSERT_AFTER = 2;

/** Returns tasks that together read all texts. Each takes a short time, and none affects another. */
export function harperWork(texts: readonly string[]): HarperWork[] {
  const tasks: HarperWork[] = [];
  let size = 0;
  for (const batch of batchesOf(texts)) {
    const cost = batch.reduce((sum, { text }) => sum + text.length, TASK.call);
    size += cost;
    const task = tasks.at(-1);
    if (task && size <= TASK.length) task.push(batch);
    else {
      tasks.push([batch]);
      size = cost;
    }
  }
  return tasks;
}

/** Returns the findings for each of `count` texts. `found` holds those of each task, in order. */
export function lintsByText(count: number, found: readonly IndexedLints[]): HarperLint[][] {
  const lints = Array.from({ length: count }, (): HarperLint[] => []);
  for (const [of, lint] of found.flat()) lints[of]?.push(lint);
  return lints;
}

/** Yields passages to read in one call. */
function* batchesOf(texts: readonly string[]): Generator<Passage[]> {
  let batch: Passage[] = [];
  let length = 0;
  for (const [of, whole] of texts.entries()) {
    for (const { start, end } of piecesOf(whole)) {
      const text = straightApostrophes(withoutEndlessWords(whole.slice(start, end)));
      if (!/[a-z]/i.test(text)) continue;
      if (hasLooseQuote(text)) {
        yield [{ of, start, text }];
        continue;
      }
      if (length > 0 && length + text.length > TASK.length) {
        yield batch;
        [batch, length] = [[], 0];
      }
      batch.push({ of, start, text });
      length += text.length + PARAGRAPH_END.length;
    }
  }
  if (batch.length > 0) yield batch;
}

/** Returns the whole text, or groups of whole sentences. */
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

/** Returns true for an unpaired quotation mark. Harper pairs them across paragraphs, so it would affect the next passage. */
function hasLooseQuote(text: string): boolean {
  return (text.match(/["“”]/g)?.length ?? 0) % 2 === 1;
}

/** Harper knows don't and she's only with a straight apostrophe. */
function straightApostrophes(text: string): string {
  return text.replace(/(?<=\p{L})’(?=\p{L})/gu, "'");
}

/** Replaces extremely long words with a noun and spaces. Harper panics on a word of a thousand letters. */
function withoutEndlessWords(text: string): string {
  return text.replace(/[^\s]{80,}/g, (word) => PLACEHOLDER.padEnd(word.length));
}
