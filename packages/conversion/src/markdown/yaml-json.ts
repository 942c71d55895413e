import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import { nestsTooDeeply } from './yaml-depth.js';
import { unreadableFile } from '../conversion-errors.js';

/** A key of a mapping with its value; no value where nothing stands behind the colon. */
export interface Entry {
  key: string;
  value: Node | undefined;
}

/** A YAML text, or what is wrong with it and where. */
type ParsedYaml = { root: Node | undefined; problem?: never } | { problem: string };

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const TOO_DEEP = 'it nests too deeply';

/** Parses one YAML 1.2 document. No anchors are followed and no objects are made of its keys. */
export function parseYaml(yaml: string): ParsedYaml {
  if (nestsTooDeeply(yaml)) return { problem: TOO_DEEP };
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(yaml, {
      version: '1.2',
      schema: 'core',
      // Sets, ordered maps and bytes have no JSON: they stay the mapping, the list or the text that stands there.
      resolveKnownTags: false,
      prettyErrors: false,
      logLevel: 'silent',
      lineCounter,
    });
    const [error] = document.errors;
    if (!error) return { root: (document.contents as Node | null) ?? undefined };
    if (error.code === 'RESOURCE_EXHAUSTION') return { problem: TOO_DEEP };
    const { line } = lineCounter.linePos(error.pos[0]);
    return { problem: `line ${String(line + 1)}: ${error.message.split('\n')[0] ?? ''}` };
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) return { problem: TOO_DEEP };
    throw error;
  }
}

/** The entries of a mapping, none of an empty document; `undefined` for everything else. */
export function mappingEntries(root: Node | undefined): Entry[] | undefined {
  if (root === undefined || (isScalar(root) && root.value === null)) return [];
  if (!isMap(root)) return undefined;
  return root.items.map(({ key, value }) => ({
    key: keyText(key as Node | null, 'front matter'),
    value: (value as Node | null) ?? undefined,
  }));
}

/** The text of a scalar as it is spelled; `undefined` for none. Throws `bad_request` for anything else. */
export function textOfNode(node: Node | undefined, field: string): string | undefined {
  if (node === undefined) return undefined;
  if (!isScalar(node)) {
    throw unreadableFile(
      `has front matter whose ${field} is no text; write it on one line, in quotes`,
    );
  }
  if (node.value === null) return undefined;
  return typeof node.value === 'string' ? node.value : (node.source ?? JSON.stringify(node.value));
}

/**
 * A value as JSON text: the very letters of the source where they are JSON, else JSON of the same value. Throws
 * `bad_request` for what JSON has not.
 */
export function jsonOfNode(node: Node | undefined, field: string, source: string): string {
  if (node === undefined) return 'null';
  if (isMap(node) || isSeq(node)) {
    const spelled = spelling(node, source);
    if (spelled !== undefined) return spelled;
  }
  if (isMap(node)) {
    const members = node.items.map(({ key, value }) => {
      const name = keyText(key as Node | null, field);
      const json = jsonOfNode((value as Node | null) ?? undefined, `${field}.${name}`, source);
      return `${JSON.stringify(name)}: ${json}`;
    });
    return `{${members.join(', ')}}`;
  }
  if (isSeq(node)) {
    const items = node.items.map((item, index) =>
      jsonOfNode(item as Node, `${field}[${String(index)}]`, source),
    );
    return `[${items.join(', ')}]`;
  }
  if (isAlias(node)) {
    throw unreadableFile(`has front matter with an alias (${field}); write the value itself`);
  }
  return jsonOfScalar(node.value, node.source, field);
}

function jsonOfScalar(value: unknown, source: string | undefined, field: string): string {
  if (typeof value === 'number' || typeof value === 'bigint') {
    if (source !== undefined && JSON_NUMBER.test(source)) return source;
    if (!Number.isFinite(Number(value))) {
      throw unreadableFile(
        `has front matter with a number that JSON cannot hold (${field}); put it in quotes`,
      );
    }
    return String(value);
  }
  return JSON.stringify(value ?? null);
}

/** The source of a collection in braces or brackets, if it is JSON as it stands there. */
function spelling(node: Node, source: string): string | undefined {
  const [start, end] = node.range ?? [0, 0];
  const text = source.slice(start, end);
  if (!/^[[{]/.test(text)) return undefined;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

function keyText(key: Node | null, field: string): string {
  if (key === null) return '';
  if (isScalar(key)) {
    return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
  }
  throw unreadableFile(`has front matter whose keys are no texts (${field}); write plain keys`);
}
