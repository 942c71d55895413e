/** Texts with marked mistakes, and how findings are compared with them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKS, type AnalysisResult } from '@document-service/text-analysis/analysis';

export const CORPUS = new URL('corpus/', import.meta.url);
export const ROOT = new URL('../../', import.meta.url).pathname;

/** From this confidence, a replacement is applied without a review. */
export const SAFE = 0.9;

/** Rules were tuned on the even lines of a corpus. The odd ones are held out and only measured. */
export const HALVES = ['tuned', 'held out'] as const;
export type Half = (typeof HALVES)[number];

/** A marked mistake: a range of the text and its correction. */
export interface Edit {
  start: number;
  end: number;
  value: string;
}

/** What an engine reports: a range with replacements, the best one first. */
interface Report {
  start: number;
  end: number;
  replacements: readonly { value: string; confidence: number }[];
}

export function linesOf(file: string, half: Half): string[] {
  const lines = readFileSync(new URL(file, CORPUS), 'utf8').split('\n').filter(Boolean);
  return lines.filter((_, index) => (index % 2 === 0) === (half === 'tuned'));
}

/** `She {go=>goes} home.` */
export function parseLine(line: string): { text: string; edits: Edit[] } {
  let text = '';
  let last = 0;
  const edits: Edit[] = [];
  for (const match of line.matchAll(/\{([^{}]*?)=>([^{}]*?)\}/g)) {
    const [whole, wrong = '', value = ''] = match;
    text += line.slice(last, match.index);
    if (wrong !== value) edits.push({ start: text.length, end: text.length + wrong.length, value });
    text += wrong;
    last = match.index + whole.length;
  }
  return { text: text + line.slice(last), edits };
}

/** Pairs each report with the mistake that it touches. `missed` are the mistakes without a report. */
export function pair<R extends Report>(
  reports: readonly R[],
  edits: readonly Edit[],
): { pairs: { report: R; edit: Edit | undefined }[]; missed: Edit[] } {
  const open = new Set(edits);
  const pairs = reports.map((report) => {
    const edit = [...open].find((one) => report.start <= one.end && report.end >= one.start);
    if (edit) open.delete(edit);
    return { report, edit };
  });
  return { pairs, missed: [...open] };
}

/** Returns whether the report's first replacement makes the text what the edit makes it, apart from case and spaces. */
export function corrects(text: string, { start, end, replacements }: Report, edit: Edit): boolean {
  const [first] = replacements;
  const apply = (one: Edit): string =>
    (text.slice(0, one.start) + one.value + text.slice(one.end))
      .replace(/\s+/g, ' ')
      .trim()
      .toLowerCase();
  return first !== undefined && apply({ start, end, value: first.value }) === apply(edit);
}

export const confidenceOf = ({ replacements }: Report): number => replacements[0]?.confidence ?? 0;

/** Markdown of our dependencies: written by people in many projects. */
export function readmes(): string[] {
  const files: string[] = [];
  const walk = (folder: string, depth: number) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) {
        if (depth < 2 && !/^(?:\.bin|docs?|test|dist|lib|src)$/.test(entry.name))
          walk(join(folder, entry.name), depth + 1);
      } else if (/^readme\.(?:md|markdown)$/i.test(entry.name))
        files.push(join(folder, entry.name));
    }
  };
  walk(join(ROOT, 'node_modules'), 0);
  const seen = new Set<string>();
  return files.sort().filter((file) => {
    const head = readFileSync(file, 'utf8').slice(0, 500);
    // Packages of one family share a text, and mostly Chinese text is not measured here.
    return !/\p{Script=Han}{12}/u.test(head) && !seen.has(head) && seen.add(head);
  });
}

/** Returns numbers from 0 to 1, the same ones in every run. */
export function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** Runs `work`. Returns its result with the CPU time in ms. */
export async function timed<T>(
  work: () => T | Promise<T>,
): Promise<{ result: T; milliseconds: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, milliseconds: (user + system) / 1_000 };
}

interface EngineText {
  content: string;
  format: 'markdown' | 'plain';
  language: string;
  level?: 'medium' | 'high';
}

/** Returns the engine's request for a text, with all checks. */
export function engineRequest({ content, format, language, level = 'medium' }: EngineText) {
  return {
    content,
    format,
    settings: { checks: [...CHECKS], language, suggestionLevel: level },
    rules: { words: [], styleRules: [] },
    dismissed: [],
    kept: null,
  };
}

export function resultOf({ result }: { result: string }): AnalysisResult {
  return JSON.parse(result) as AnalysisResult;
}

export function table(header: string, rows: readonly (readonly (string | number)[])[]): string {
  const columns = header.split(' | ');
  const lines = [columns, columns.map(() => '---'), ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

export function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n\n${lines.map((line) => `- ${line}`).join('\n')}\n`;
}

export const share = (some: number, all: number): string =>
  all === 0 ? '–' : `${String(some)} of ${String(all)} (${(some / all).toFixed(3)})`;
