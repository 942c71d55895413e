import { readFileSync } from 'node:fs';

export type Language = 'sh' | 'ts' | 'python';

/** A code block of a page that a reader runs. */
export interface Block {
  /** Position of its fence, for messages: `docs/guides/search.md:12`. */
  place: string;
  /** Line of its first line of code, from 1. */
  line: number;
  language: Language;
  code: string;
  /** The output that the page shows directly below. */
  shown: Shown | undefined;
}

/** The output of a block: all of it, or an excerpt of its JSON. */
export interface Shown {
  place: string;
  kind: 'text' | 'json';
  text: string;
}

export interface PageBlocks {
  file: string;
  /** Blocks to run, in order. */
  blocks: Block[];
  /** Places of the blocks that are marked `no-run`. */
  marked: string[];
  /** What is wrong with its fences, in words. */
  problems: string[];
}

interface Fence {
  line: number;
  indent: string;
  marks: string;
  info: string;
  text: string[];
  /** True if only blank lines separate it from the fence before. */
  follows: boolean;
}

const FENCE = /^( *)(`{3,})([^`]*)$/;
const LANGUAGES: ReadonlySet<string> = new Set<Language>(['sh', 'ts', 'python']);
/** Other names of the same languages, which would escape the test. */
const OTHER_NAMES: Readonly<Record<string, Language>> = {
  bash: 'sh',
  shell: 'sh',
  console: 'sh',
  zsh: 'sh',
  typescript: 'ts',
  py: 'python',
  python3: 'python',
};

/** Returns the blocks of a Markdown file. `source` replaces its text. */
export function blocksOf(file: string, source = readFileSync(file, 'utf8')): PageBlocks {
  const page: PageBlocks = { file, blocks: [], marked: [], problems: [] };
  let last: Block | undefined;
  for (const fence of fencesOf(source)) {
    const place = `${file}:${String(fence.line)}`;
    const [language = '', ...words] = fence.info.trim().split(/\s+/);
    const text = fence.text.join('\n');
    if (fence.follows && last && isOutput(language, last)) {
      last.shown = { place, kind: language === 'json' ? 'json' : 'text', text };
      if (language === 'json') page.problems.push(...jsonProblems(text, place));
      continue;
    }
    const block = startBlock(page, { place, language, words }, fence);
    if (block) page.blocks.push(block);
    if (language === '' && isBanner(text)) addBanner(page, place, text);
    if (!isTabOf(last, block, fence)) last = block;
  }
  return page;
}

function startBlock(
  page: PageBlocks,
  { place, language, words }: { place: string; language: string; words: string[] },
  fence: Fence,
): Block | undefined {
  const name = OTHER_NAMES[language];
  if (name) page.problems.push(`${place}: write \`${name}\` instead of \`${language}\`.`);
  if (!isLanguage(language)) return undefined;
  if (words.includes('no-run')) {
    page.marked.push(place);
    return undefined;
  }
  const unknown = words.join(' ');
  if (unknown) page.problems.push(`${place}: \`${unknown}\` has no meaning after \`${language}\`.`);
  const code = fence.text.join('\n');
  return { place, line: fence.line + 1, language, code, shown: undefined };
}

/** The output of a start has text between it and its command. */
const isBanner = (text: string) => text.includes('The Document Service is running.');

function addBanner(page: PageBlocks, place: string, text: string): void {
  const start = page.blocks.findLast(({ code }) => code.includes('npm start'));
  if (start) start.shown ??= { place, kind: 'text', text };
}

const isLanguage = (name: string): name is Language => LANGUAGES.has(name);

/** In tabs, the output below all languages belongs to the commands. */
const isTabOf = (last: Block | undefined, block: Block | undefined, { follows }: Fence) =>
  follows &&
  last?.language === 'sh' &&
  !last.shown &&
  block !== undefined &&
  block.language !== 'sh';

const isOutput = (language: string, last: Block) =>
  last.language === 'sh' && last.shown === undefined && (language === '' || language === 'json');

function jsonProblems(text: string, place: string): string[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [`${place}: an excerpt of a response must be valid JSON: ${(error as Error).message}`];
  }
}

function* fencesOf(source: string): Iterable<Fence> {
  let open: Fence | undefined;
  let follows = false;
  for (const [index, line] of source.split('\n').entries()) {
    const [, indent = '', marks = '', info = ''] = FENCE.exec(line) ?? [];
    if (open) {
      if (marks === open.marks && info.trim() === '') {
        yield open;
        follows = true;
        open = undefined;
      } else open.text.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    } else if (marks) open = { line: index + 1, indent, marks, info, text: [], follows };
    else if (line.trim() !== '') follows = false;
  }
}
