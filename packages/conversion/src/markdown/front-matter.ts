import { isScalar } from 'yaml';
import { unreadableFile, type ConversionWarning } from '../conversion-errors.js';
import type { ExportedText } from '../formats.js';
import { jsonOfNode, mappingEntries, parseYaml, textOfNode, type Entry } from './yaml-json.js';

/** The metadata at the top of a Markdown file. */
interface FrontMatter {
  title?: string;
  type?: string;
  /** JSON text of an object. */
  metadata?: string;
}

interface MarkdownFile extends FrontMatter {
  /** Everything after the front matter, unchanged. */
  content: string;
  warnings: ConversionWarning[];
}

/** Enough for a title and 16 KiB of metadata in their longest form. */
const MAX_FRONT_MATTER = 256 * 1024;

const OPENING = /^---[ \t]*\r?\n/;
const CLOSING = /(^|\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/**
 * Splits a Markdown file into front matter and text. Keys other than title, type and metadata are merged into the
 * metadata. A file that only starts with a thematic break has no front matter. Throws `ConversionError` if the front
 * matter is invalid.
 */
export function readFrontMatter(file: string): MarkdownFile {
  const opening = OPENING.exec(file)?.[0];
  if (opening === undefined) return { content: file, warnings: [] };
  const closing = CLOSING.exec(file.slice(opening.length));
  if (!closing) return { content: file, warnings: [] };
  const [end, lineBreak = ''] = closing;
  const yaml = file.slice(opening.length, opening.length + closing.index + lineBreak.length);
  const entries = entriesOf(yaml);
  if (!entries) return { content: file, warnings: [] };
  const content = file.slice(opening.length + closing.index + end.length);
  return { ...readEntries(entries, yaml), content };
}

/** Returns `undefined` if the lines are text between two thematic breaks rather than front matter. */
function entriesOf(yaml: string): Entry[] | undefined {
  if (yaml.length > MAX_FRONT_MATTER) {
    if (!beginsWithKey(yaml)) return undefined;
    throw unreadableFile(
      `front matter must not exceed ${String(MAX_FRONT_MATTER)} characters; shorten it`,
    );
  }
  const parsed = parseYaml(yaml);
  if (parsed.problem === undefined) return mappingEntries(parsed.root);
  if (!beginsWithKey(yaml)) return undefined;
  throw unreadableFile(
    `front matter is not valid YAML (${parsed.problem}); correct it, or insert an empty line before the first ---`,
  );
}

/** Returns true if the first significant line is a key, so the author meant front matter. */
function beginsWithKey(yaml: string): boolean {
  const lines = yaml.slice(0, 2_000).split('\n');
  const first = lines.find((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  return first !== undefined && /^["']?[\w.-][^:]*:(?:\s|$)/.test(first);
}

function readEntries(
  entries: readonly Entry[],
  yaml: string,
): FrontMatter & Pick<MarkdownFile, 'warnings'> {
  const own = (name: string) => entries.find(({ key }) => key === name)?.value;
  const title = textOfNode(own('title'), 'title');
  const type = textOfNode(own('type'), 'type');
  const metadata = metadataOf(own('metadata'), yaml);
  const others = entries.filter(({ key }) => !['title', 'type', 'metadata'].includes(key));
  const warnings: ConversionWarning[] = [];
  return {
    ...(title === undefined ? {} : { title }),
    ...(type === undefined ? {} : { type }),
    ...withOthers(metadata, others, yaml, warnings),
    warnings,
  };
}

function withOthers(
  metadata: string | undefined,
  others: readonly Entry[],
  yaml: string,
  warnings: ConversionWarning[],
): { metadata?: string } {
  if (others.length === 0) return metadata === undefined ? {} : { metadata };
  const taken = new Set(Object.keys(JSON.parse(metadata ?? '{}') as object));
  const joining = others.filter(({ key }) => !taken.has(key));
  for (const { key } of others) {
    const issue = taken.has(key)
      ? `the front matter contains ${key} twice; the value in metadata was used`
      : 'imported from the front matter';
    warnings.push({ field: `metadata.${key}`, issue });
  }
  const members = joining.map(
    ({ key, value }) => `${JSON.stringify(key)}: ${jsonOfNode(value, `metadata.${key}`, yaml)}`,
  );
  const inner = (metadata ?? '{}').trim().slice(1, -1).trim();
  return { metadata: `{${[...(inner === '' ? [] : [inner]), ...members].join(', ')}}` };
}

/** Returns the metadata as JSON text, unchanged if it already is JSON, as in our exports. */
function metadataOf(node: Entry['value'], yaml: string): string | undefined {
  if (node === undefined) return undefined;
  if (isScalar(node)) {
    if (node.value === null) return undefined;
    // Exports write metadata that YAML would change as a quoted string.
    if (typeof node.value === 'string' && isJsonObject(node.value)) return node.value;
  }
  const json = jsonOfNode(node, 'metadata', yaml);
  if (!json.startsWith('{')) {
    throw unreadableFile('front matter metadata must be a mapping; write keys and values below it');
  }
  return json;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * Writes a document as a Markdown file with title, type and metadata as front matter. Reading it returns the same
 * title, type, metadata and content, byte for byte.
 */
export function writeMarkdownFile(document: ExportedText): string {
  const { title, type, metadata, content } = document;
  // JSON on one line is valid YAML. Metadata that YAML would change is written as a quoted string.
  const spellings = [metadata, quoted(metadata)];
  const files = spellings.map(
    (spelling) =>
      `---\ntitle: ${quoted(title)}\ntype: ${type}\nmetadata: ${spelling}\n---\n${content}`,
  );
  const [faithful] = files.filter((file) => isFaithful(file, document));
  if (faithful === undefined) throw new Error('The front matter does not read back as written.');
  return faithful;
}

function isFaithful(file: string, { title, type, metadata, content }: ExportedText): boolean {
  try {
    const read = readFrontMatter(file);
    return (
      read.title === title &&
      read.type === type &&
      read.metadata === metadata &&
      read.content === content
    );
  } catch {
    return false;
  }
}

/** Quotes text so that JSON and YAML read it alike. Escapes characters that do not print. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
