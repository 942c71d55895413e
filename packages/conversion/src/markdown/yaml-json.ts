import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import { nestsTooDeeply } from './yaml-depth.js';
import { unreadableFile } from '../conversion-errors.js';

/** A key of a mapping with its value. `value` is missing if nothing follows the colon. */
export interface Entry {
  key: string;
  value: Node | undefined;
}

/** A parsed YAML text, or the problem and its position. */
type ParsedYaml = { root: Node | undefined; problem?: never } | { problem: string };

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const TOO_DEEP = 'it is nested too deeply';

/** Parses one YAML 1.2 document. Does not resolve aliases or create objects from keys. */
export function parseYaml(yaml: string): ParsedYaml {
  if (nestsTooDeeply(yaml)) return { problem: TOO_DEEP };
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(yaml, {
      version: '1.2',
      schema: 'core',
      // Sets, ordered maps and binary data have no JSON form, so they are read as a mapping, list or string.
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
    // The parser recurses per level.
    if (error instanceof RangeError) return { problem: TOO_DEEP };
    throw error;
  }
}

/** Returns the entries of a mapping, an empty list for an empty document, or `undefined` for any other node. */
export function mappingEntries(root: Node | undefined): Entry[] | undefined {
  if (root === undefined || (isScalar(root) && root.value === null)) return [];
  if (!isMap(root)) return undefined;
  return root.items.map(({ key, value }) => ({
    key: keyText(key as Node | null, 'front matter'),
    value: (value as Node | null) ?? undefined,
  }));
}

/**
 * Returns the text of a scalar as spelled, or `undefined` if it is missing. Throws `ConversionError` for other nodes.
 */
export function textOfNode(node: Node | undefined, field: string): string | undefined {
  if (node === undefined) return undefined;
  if (!isScalar(node)) {
    throw unreadableFile(`front matter ${field} must be text; put it in quotes on one line`);
  }
  if (node.value === null) return undefined;
  return typeof node.value === 'string' ? node.value : (node.source ?? JSON.stringify(node.value));
}

/**
 * Returns a value as JSON text, spelled as in the source where that is JSON. Throws `ConversionError` for values that
 * JSON cannot represent.
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
    throw unreadableFile(`front matter must not use YAML aliases (${field}); write out the value`);
  }
  return jsonOfScalar(node.value, node.source, field);
}

function jsonOfScalar(value: unknown, source: string | undefined, field: string): string {
  if (typeof value === 'number' || typeof value === 'bigint') {
    if (source !== undefined && JSON_NUMBER.test(source)) return source;
    if (!Number.isFinite(Number(value))) {
      throw unreadableFile(
        `front matter contains a number that JSON cannot represent (${field}); put it in quotes`,
      );
    }
    return String(value);
  }
  return JSON.stringify(value ?? null);
}

/** Returns the source of a flow collection if it is valid JSON. */
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
  throw unreadableFile(`front matter keys must be text (${field}); use plain keys`);
}
