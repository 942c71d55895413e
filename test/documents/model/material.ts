import { NULL, textOf, type Json } from './json-tree.js';
import type { Edit } from './edited-text.js';
import type { FieldsPatch } from './model-types.js';
import type { Random } from './random.js';

/** Pieces of text that have each broken some software. */
const PIECES = [
  'one ',
  'two',
  'One. ',
  '\n',
  '\r\n',
  '\t',
  '"\\',
  '\u0001',
  'é',
  'e\u0301',
  '\ufeff',
  '\u2028',
  '👩‍👩‍👧',
  '𝒳',
  'שלום \u202e',
  '日本語',
  'ไทย',
  '</script>',
  "'; --",
  '$1 $& %s',
];
const NAMES = ['a', 'b', 'B', '10', '2', '__proto__', 'constructor', 'ü', 'a b', ''];
const LEAVES = ['1', '1.0', '1e2', '-0', '12345678901234567890', 'true', '[]', '[1,null,{"x":1}]'];
const TYPES = ['document', 'report', 'article', 'research', 'technical'];
const STATUSES = ['draft', 'in_review', 'published', 'archived'];

export function someText(random: Random, most: number): string {
  return random.list(most, () => random.pick(PIECES)).join('');
}

/** Enough for operations that only apply to long texts. */
const someFiller = (random: Random) => (random.chance(0.1) ? 'lorem 𝒳 '.repeat(800) : '');

export const someTitle = (random: Random) => `T${someText(random, 3)}`;

/** An open object. In a patch, null removes a member. */
export function someObject(random: Random, depth = 2): Json {
  const members = random.list(4, (): [string, Json] => [
    random.pick(NAMES),
    depth > 0 && random.chance(0.4) ? someObject(random, depth - 1) : someLeaf(random),
  ]);
  return { members: new Map(members) };
}

function someLeaf(random: Random): Json {
  if (random.chance(0.25)) return NULL;
  if (random.chance(0.4)) return { text: JSON.stringify(someText(random, 2)) };
  return { text: random.pick(LEAVES) };
}

/** Returns fields that a client may send, each one sometimes. */
export function someFields(random: Random, withStatus: boolean): FieldsPatch {
  const fields: FieldsPatch = {};
  if (random.chance(0.4)) fields.title = someTitle(random);
  if (random.chance(0.2)) fields.type = random.pick(TYPES);
  if (random.chance(0.5)) fields.content = someText(random, 12) + someFiller(random);
  if (random.chance(0.4)) fields.metadata = someObject(random);
  if (random.chance(0.2)) fields.aiSettings = someObject(random, 1);
  if (withStatus && random.chance(0.3)) fields.status = random.pick(STATUSES);
  return fields;
}

/** Returns the request body for these fields. */
export function bodyOf({ metadata, aiSettings, ...plain }: FieldsPatch): string {
  const members = Object.entries(plain).map(
    ([name, value]) => `"${name}":${JSON.stringify(value)}`,
  );
  if (metadata) members.push(`"metadata":${textOf(metadata)}`);
  if (aiSettings) members.push(`"aiSettings":${textOf(aiSettings)}`);
  return `{${members.join(',')}}`;
}

/** Returns the same body, sometimes with members that responses have but nobody can change. */
export function changeOf(random: Random, fields: FieldsPatch): string {
  const body = bodyOf(fields);
  const readOnly = '{"wordCount":7,"createdBy":{"id":"me"}';
  if (!random.chance(0.1)) return body;
  return body === '{}' ? `${readOnly}}` : `${readOnly},${body.slice(1)}`;
}

/** Returns edits, most of which apply to `content`. */
export function someEdits(random: Random, content: string): Edit[] {
  return [someEdit(random, content), ...random.list(3, () => someEdit(random, content))];
}

function someEdit(random: Random, content: string): Edit {
  const text = someText(random, 2);
  const find = random.chance(0.2) ? random.pick(PIECES) : somePart(random, content);
  const all = random.chance(0.3) ? { all: random.chance(0.8) } : {};
  return random.pick<Edit>([
    { op: 'append', text },
    { op: 'insert', at: random.pick(['start', 'end', random.upTo(content.length + 1)]), text },
    { op: 'replace', find, with: text, ...all },
    { op: 'delete', find, ...all },
  ]);
}

/** Returns a part that does not split characters. */
function somePart(random: Random, content: string): string {
  const characters = Array.from(content);
  const start = random.upTo(characters.length);
  return characters.slice(start, start + 1 + random.upTo(3)).join('');
}

/** Returns the document's tag, or one of many others. */
export function someIfMatch(random: Random, version: number): string | undefined {
  if (random.chance(0.6)) return undefined;
  const right = `"${String(version)}"`;
  return random.pick([
    right,
    right,
    '*',
    `"0", ${right}`,
    `"${String(version + 1)}"`,
    `W/${right}`,
    `"a,b",${right}`,
    `"0,${String(version)}"`,
    String(version),
    'x',
    '',
  ]);
}

/** Bodies that are invalid for a document, whatever the method. */
export const REFUSED_BODIES = [
  '[]',
  '"title"',
  'null',
  '{"title":"x"',
  '',
  '{"title":"x","title":"x"}',
  '{"title":"half \\ud800"}',
  '{"title":"zero \\u0000"}',
  '{"title":"x","metadata":{"n":1e400}}',
  '{"title":"x","metadata":[]}',
  '{"title":" \\n"}',
  '{"title":null}',
  '{"title":"x","__proto__":{}}',
  '{"title":"x","titel":"x"}',
  '{"title":"x","type":"novel"}',
];
