import type { Mark, Node } from 'prosemirror-model';
import { schema, type Alignment } from './schema.js';

const { nodes, marks } = schema;

/** How text is escaped, from readable to safe. */
export type Escaping = 'none' | 'usual' | 'addresses' | 'entities';

export interface WriteStyle {
  escaping: Escaping;
  /** The sign of emphasis. */
  emphasis: '*' | '_';
}

/** Returns the Markdown of a block, without a line break at its end. */
export function writeBlock(node: Node, style: WriteStyle): string {
  switch (node.type) {
    case nodes['paragraph']:
      return writeParagraph(node, style);
    case nodes['heading']:
      return writeHeading(node, style);
    case nodes['code_block']:
      return writeCodeBlock(node);
    case nodes['raw_block']:
      return node.textContent;
    case nodes['horizontal_rule']:
      return String(node.attrs['markup']);
    case nodes['blockquote']:
      return indent(writeBlocks(node, style), '> ', '> ').replace(/^> +$/gm, '>');
    case nodes['bullet_list']:
    case nodes['ordered_list']:
      return writeList(node, style);
    case nodes['table']:
      return writeTable(node, style);
    default:
      return node.textContent;
  }
}

/** Returns the list with a marker that differs from `marker`, because equal ones would join two lists. */
export function withOtherMarker(list: Node, marker: string): Node {
  const isBullet = list.type === nodes['bullet_list'];
  const other = isBullet
    ? { mark: marker === '-' ? '*' : '-' }
    : { delimiter: marker === '.' ? ')' : '.' };
  return list.type.create({ ...list.attrs, ...other }, list.content);
}

/** Returns the sign of a list's items: `-`, `*`, `+`, `.` or `)`. Undefined for other blocks. */
export function listMarker({ type, attrs }: Node): string | undefined {
  if (type === nodes['bullet_list']) return String(attrs['mark']);
  return type === nodes['ordered_list'] ? String(attrs['delimiter']) : undefined;
}

/** Returns the list with the marker of another one. */
export function withMarkerOf(list: Node, other: Node): Node {
  const isSame = list.type !== other.type || listMarker(list) === listMarker(other);
  if (isSame || listMarker(list) === undefined) return list;
  const name = list.type === nodes['bullet_list'] ? 'mark' : 'delimiter';
  return list.type.create({ ...list.attrs, [name]: listMarker(other) }, list.content);
}

/** Returns true for an empty paragraph, which has no Markdown unless it is the only block of its parent. */
export function isEmptyParagraph(node: Node): boolean {
  return node.type === nodes['paragraph'] && node.content.size === 0;
}

function writeBlocks(parent: Node, style: WriteStyle, isTight = false): string {
  let text = '';
  let previous: Node | undefined;
  parent.forEach((child, _, index) => {
    if (isEmptyParagraph(child) && parent.childCount > 1 && !isTaskText(parent, index)) return;
    const node = previous ? distinct(child, previous) : child;
    if (previous) text += isTight && canFollow(node, previous) ? '\n' : '\n\n';
    text += writeBlock(node, style);
    previous = node;
  });
  return text;
}

/** Returns true for the paragraph beside the box of a task, which the item has even if it is empty. */
export function isTaskText(parent: Node, index: number): boolean {
  const isTask = typeof parent.attrs['checked'] === 'boolean';
  return index === 0 && isTask && parent.firstChild?.type === nodes['paragraph'];
}

/** Returns true for a list that may follow text or a list without a blank line. */
function canFollow(node: Node, previous: Node): boolean {
  const isAfterText = previous.type === nodes['paragraph'] || listMarker(previous) !== undefined;
  if (!isAfterText) return false;
  const first = node.firstChild?.firstChild;
  const isList = listMarker(node) !== undefined;
  const isFirst = node.type === nodes['bullet_list'] || node.attrs['order'] === 1;
  return isList && isFirst && first !== null && first !== undefined && !isEmptyParagraph(first);
}

/** Returns a block that does not join the block before it when it is read back. */
export function distinct(node: Node, previous: Node): Node {
  const marker = listMarker(node);
  if (marker !== undefined && previous.type === node.type && listMarker(previous) === marker) {
    return withOtherMarker(node, marker);
  }
  const isIndented = node.type === nodes['code_block'] && node.attrs['fence'] === '';
  const wouldJoin =
    listMarker(previous) !== undefined ||
    (previous.type === nodes['code_block'] && previous.attrs['fence'] === '') ||
    previous.attrs['kind'] === 'footnote';
  return isIndented && wouldJoin
    ? node.type.create({ ...node.attrs, fence: '```' }, node.content)
    : node;
}

function indent(text: string, first: string, rest: string): string {
  return text
    .split('\n')
    .map((line, index) => {
      if (index === 0) return first + line;
      return line === '' ? rest.trimEnd() : rest + line;
    })
    .join('\n');
}

function writeParagraph(node: Node, style: WriteStyle): string {
  const text = writeInline(node, style).replace(/^[ \t]+|[ \t]+$/g, '');
  return style.escaping === 'none' ? text : escapeLineStarts(text);
}

function escapeLineStarts(text: string): string {
  return text
    .replace(/^([ \t]*)(?=#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|[=-]+[ \t]*$|~~~|\||:?-)/gm, '$1\\')
    .replace(/^([ \t]*\d{1,9})(?=[.)](?:\s|$))/gm, '$1\\');
}

function writeHeading(node: Node, style: WriteStyle): string {
  const { level, underline } = node.attrs as { level: number; underline: string };
  const text = writeInline(node, style).trim();
  if (underline !== '' && level < 3 && text !== '') {
    const sign = level === 1 ? '=' : '-';
    const line = underline.startsWith(sign) ? underline : sign.repeat(3);
    return `${style.escaping === 'none' ? text : escapeLineStarts(text)}\n${line}`;
  }
  const hashes = '#'.repeat(level);
  return text === '' ? hashes : `${hashes} ${text.replace(/(^|\s)(#+)$/, '$1\\$2')}`;
}

function writeCodeBlock(node: Node): string {
  const text = node.textContent;
  const { fence, info } = node.attrs as { fence: string; info: string };
  const canBeIndented = text.trim() !== '' && !/^[ \t]*\n|\n[ \t]*$/.test(text);
  if (fence === '' && info === '' && canBeIndented) return indent(text, '    ', '    ');
  const line = fenceFor(text, fence, info);
  return `${line}${info}\n${text === '' ? '' : `${text}\n`}${line}`;
}

/** Returns a fence that no line of the code closes. */
function fenceFor(text: string, fence: string, info: string): string {
  let line = fence === '' ? '```' : fence;
  // A backtick after a fence of backticks makes it a code span.
  if (line.startsWith('`') && info.includes('`')) line = '~~~';
  const sign = line.charAt(0);
  for (const [, found = ''] of text.matchAll(/^[ \t]*(`{3,}|~{3,})[ \t]*$/gm)) {
    if (found.startsWith(sign) && found.length >= line.length) line = sign.repeat(found.length + 1);
  }
  return line;
}

function writeList(node: Node, style: WriteStyle): string {
  const { mark, order, delimiter, tight } = node.attrs as {
    mark?: string;
    order?: number;
    delimiter?: string;
    tight: boolean;
  };
  const items: string[] = [];
  node.forEach((item, _, index) => {
    const marker = mark ?? `${String((order ?? 1) + index)}${delimiter ?? '.'}`;
    const { checked } = item.attrs as { checked: boolean | null };
    const box = checked === null ? '' : `[${checked ? 'x' : ' '}] `;
    const content = writeBlocks(withStart(item), style, tight);
    const body = (box + content).replace(/^(\[[ x]\]) (?=\n|$)/, '$1');
    const rest = ' '.repeat(marker.length + 1);
    items.push(indent(body, body === '' ? marker : `${marker} `, rest));
  });
  return items.join(tight ? '\n' : '\n\n');
}

/** Returns an item that does not start with indented code, or with a rule that would join the marker. */
function withStart(item: Node): Node {
  const first = item.firstChild;
  const attrs =
    first?.type === nodes['horizontal_rule']
      ? { markup: '___' }
      : first?.attrs['fence'] === '' && { fence: '```' };
  if (!first || !attrs) return item;
  const start = first.type.create({ ...first.attrs, ...attrs }, first.content);
  return item.copy(item.content.replaceChild(0, start));
}

const DELIMITERS: Readonly<Record<string, string>> = {
  left: ':---',
  right: '---:',
  center: ':---:',
};

function writeTable(node: Node, style: WriteStyle): string {
  const rows: string[] = [];
  node.forEach((row) => {
    const cells: string[] = [];
    row.forEach((cell) => {
      const paragraph = cell.firstChild;
      cells.push(paragraph ? writeInline(paragraph, style, true).replace(/\n/g, ' ').trim() : '');
    });
    rows.push(`| ${cells.join(' | ')} |`);
  });
  const delimiters: string[] = [];
  node.firstChild?.forEach((cell) => {
    const align = cell.attrs['align'] as Alignment;
    delimiters.push(align === null ? '---' : (DELIMITERS[align] ?? '---'));
  });
  rows.splice(1, 0, `| ${delimiters.join(' | ')} |`);
  return rows.join('\n');
}

// --- Inline ---

const SIGNS: Readonly<Partial<Record<string, string>>> = { strong: '**', strike: '~~' };

/** Marks, outermost first, where two of them have the same range. */
const ORDER = ['link', 'strong', 'em', 'strike'];

/** A text or an inline node, with the marks that have delimiters. */
interface Piece {
  node: Node;
  text: string;
  marks: Mark[];
  isSpace: boolean;
}

/** Returns the Markdown of a text block's content. */
export function writeInline(node: Node, style: WriteStyle, isInCell = false): string {
  return new InlineWriter(piecesOf(node), style, isInCell).write();
}

/**
 * Splits spaces from marked text. Spaces at the edge of a mark leave it, because Markdown cannot mark them.
 */
function piecesOf(node: Node): Piece[] {
  const pieces: Piece[] = [];
  node.forEach((child) => {
    const delimited = delimitedMarks(child);
    const add = (text: string, isSpace: boolean) => {
      if (text !== '') pieces.push({ node: child, text, marks: delimited, isSpace });
    };
    if (!child.isText) {
      const isSpace = child.type === nodes['hard_break'];
      pieces.push({ node: child, text: '', marks: delimited, isSpace });
      return;
    }
    const text = child.text ?? '';
    if (delimited.length === 0 || isVerbatim(child)) {
      add(text, delimited.length > 0 ? false : text.trim() === '' && !isVerbatim(child));
      return;
    }
    const [, before = '', inner = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
    add(before, true);
    add(inner, false);
    add(after, true);
  });
  return settleSpaces(pieces);
}

/** Returns the inline nodes of a text block, with the marks that Markdown can give to spaces. */
export function settledInline(node: Node): Node[] {
  const pieces = piecesOf(node);
  if (pieces.every((piece) => piece.marks.length === delimitedMarks(piece.node).length)) {
    return [...node.content.content];
  }
  const found: Node[] = [];
  for (const { node: child, text, marks: delimited } of pieces) {
    const others = child.marks.filter(({ type }) => !ORDER.includes(type.name));
    const set = delimited.reduce<readonly Mark[]>((all, mark) => mark.addToSet(all), others);
    const settled = child.isText ? schema.text(text, set) : child.mark(set);
    const last = found.at(-1);
    if (last?.isText && settled.isText && last.sameMarkup(settled)) {
      found[found.length - 1] = schema.text((last.text ?? '') + text, set);
    } else {
      found.push(settled);
    }
  }
  return found;
}

function delimitedMarks(node: Node): Mark[] {
  return node.marks.filter(({ type }) => ORDER.includes(type.name));
}

function isVerbatim(node: Node): boolean {
  return (
    marks['code'].isInSet(node.marks) !== undefined ||
    marks['html'].isInSet(node.marks) !== undefined
  );
}

/** Gives every space the marks that the texts on both sides of it share. */
function settleSpaces(pieces: readonly Piece[]): Piece[] {
  const following: (Piece | undefined)[] = [];
  let next: Piece | undefined;
  for (const [index, piece] of [...pieces.entries()].reverse()) {
    following[index] = next;
    if (!piece.isSpace) next = piece;
  }
  let previous: Piece | undefined;
  return pieces.map((piece, index) => {
    if (!piece.isSpace) {
      previous = piece;
      return piece;
    }
    const [left, right] = [previous, following[index]];
    const shared = piece.marks.filter(
      (mark) => left && right && mark.isInSet(left.marks) && mark.isInSet(right.marks),
    );
    return { ...piece, marks: shared };
  });
}

interface OpenMark {
  mark: Mark;
  closing: string;
  isAutolink: boolean;
}

class InlineWriter {
  private text = '';
  private readonly open: OpenMark[] = [];

  constructor(
    private readonly pieces: readonly Piece[],
    private readonly style: WriteStyle,
    private readonly isInCell: boolean,
  ) {}

  write(): string {
    for (const [index, piece] of this.pieces.entries()) {
      let kept = 0;
      while (kept < this.open.length && this.open[kept]?.mark.isInSet(piece.marks)) kept += 1;
      this.close(kept);
      const opening = piece.marks
        .filter((mark) => !this.open.some((open) => open.mark.eq(mark)))
        .map((mark) => ({ mark, length: this.lengthOf(mark, index) }))
        .sort((one, other) => other.length - one.length || rank(one.mark) - rank(other.mark));
      for (const { mark, length } of opening) {
        this.openMark(mark, this.pieces.slice(index, index + length));
      }
      this.text += this.writePiece(piece, index);
    }
    this.close(0);
    return this.text;
  }

  /** Number of pieces that have the mark, from `index`. */
  private lengthOf(mark: Mark, index: number): number {
    let end = index;
    while (this.pieces[end] && mark.isInSet(this.pieces[end]?.marks ?? [])) end += 1;
    return end - index;
  }

  private close(kept: number): void {
    while (this.open.length > kept) this.text += this.open.pop()?.closing ?? '';
  }

  private openMark(mark: Mark, pieces: readonly Piece[]): void {
    if (mark.type !== marks['link']) {
      const sign = SIGNS[mark.type.name] ?? this.style.emphasis;
      this.text += sign;
      this.open.push({ mark, closing: sign, isAutolink: false });
      return;
    }
    const { href, title } = mark.attrs as { href: string; title: string | null };
    const kind = autolinkKind(pieces, href, title);
    if (kind) {
      this.text += kind === 'angled' ? '<' : '';
      this.open.push({ mark, closing: kind === 'angled' ? '>' : '', isAutolink: true });
    } else {
      this.text += '[';
      const closing = `](${this.inPlace(destination(href) + titleOf(title))})`;
      this.open.push({ mark, closing, isAutolink: false });
    }
  }

  private writePiece({ node, text }: Piece, index: number): string {
    if (node.type === nodes['hard_break']) return this.isInCell ? '<br>' : '\\\n';
    if (node.type === nodes['image']) {
      const { src, alt, title } = node.attrs as { src: string; alt: string; title: string | null };
      const escaping = this.style.escaping === 'none' ? 'usual' : this.style.escaping;
      return this.inPlace(`![${escapeText(alt, escaping)}](${destination(src)}${titleOf(title)})`);
    }
    if (marks['code'].isInSet(node.marks)) {
      const span = codeSpan(text);
      return this.isInCell ? span.replace(/\|/g, '\\|') : span;
    }
    const isPlain = marks['html'].isInSet(node.marks) || this.open.some((one) => one.isAutolink);
    if (isPlain) return this.inPlace(text);
    return this.inPlace(this.escape(text, index));
  }

  private escape(text: string, index: number): string {
    const { escaping } = this.style;
    const escaped = escapeText(text, escaping);
    const [before, after] = [this.pieces[index - 1], this.pieces[index + 1]];
    if (escaping === 'none') return text;
    if (escaping !== 'entities') {
      // Before a link, `!` would make an image.
      return after && hasLink(after) ? escaped.replace(/!$/, '\\!') : escaped;
    }
    // Markers count as such only beside a sign or a space.
    const isAlone = (other: Piece | undefined) =>
      other !== undefined && !sameMarks(other.marks, this.pieces[index]?.marks ?? []);
    let result = escaped;
    if (isAlone(after)) result = result.replace(/[^!-/:-@[-`{-~]$/u, encode);
    if (isAlone(before)) result = result.replace(/^[^!-/:-@[-`{-~]/u, encode);
    return result;
  }

  /** A pipe would end a cell, also in code and addresses. */
  private inPlace(text: string): string {
    return this.isInCell ? text.replace(/(?<!\\)((?:\\\\)*)\|/g, '$1\\|') : text;
  }
}

function hasLink({ marks: own }: Piece): boolean {
  return own.some(({ type }) => type === marks['link']);
}

function rank({ type }: Mark): number {
  return ORDER.indexOf(type.name);
}

function sameMarks(one: readonly Mark[], other: readonly Mark[]): boolean {
  return one.length === other.length && one.every((mark) => mark.isInSet(other));
}

function encode(character: string): string {
  return `&#${String(character.codePointAt(0) ?? 0)};`;
}

function escapeText(text: string, escaping: Escaping): string {
  if (escaping === 'none') return text;
  if (escaping === 'entities') return text.replace(/[!-/:-@[-`{-~]|[^\S ]/g, encode);
  const escaped = text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)|[`*[\]<]|~(?=~)|(?<=~)~/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/[\n\f\r\v]/g, encode);
  if (escaping === 'usual') return escaped;
  return escaped
    .replace(/:(?=\/\/|[^\s:]*@)/g, '\\:')
    .replace(/\b(www|mailto|xmpp)(?=[.:])/g, '$1\\')
    .replace(/@/g, '\\@')
    .replace(/~/g, (sign, at: number) => (escaped.charAt(at - 1) === '\\' ? sign : '\\~'));
}

function destination(address: string): string {
  if (address === '') return '<>';
  const isPlain = !/[\s<>\\]|\p{Cc}|&(?=#?\w+;)/u.test(address) && hasPairedParentheses(address);
  if (isPlain) return address;
  return `<${address
    .replace(/[<>\\]|&(?=#?\w+;)/g, '\\$&')
    .replace(/[\n\r]/g, (lineBreak) => encodeURIComponent(lineBreak))}>`;
}

function hasPairedParentheses(address: string): boolean {
  let depth = 0;
  for (const character of address) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function titleOf(title: string | null): string {
  if (title === null) return '';
  return ` "${title.replace(/["\\]|&(?=#?\w+;)/g, '\\$&').replace(/\n\s*\n/g, '\n')}"`;
}

function codeSpan(code: string): string {
  const runs = new Set((code.match(/`+/g) ?? []).map(({ length }) => length));
  let length = 1;
  while (runs.has(length)) length += 1;
  const fence = '`'.repeat(length);
  const isPadded = /^`|`$/.test(code) || (/^ .* $/s.test(code) && code.trim() !== '');
  const pad = isPadded ? ' ' : '';
  return fence + pad + code + pad + fence;
}

/** Returns how an address that is its own text is written: alone, or in angle brackets. */
function autolinkKind(
  pieces: readonly Piece[],
  href: string,
  title: string | null,
): 'bare' | 'angled' | undefined {
  const isText = pieces.every(
    ({ node, marks: own }) => node.isText && own.length === 1 && !isVerbatim(node),
  );
  if (title !== null || !isText) return undefined;
  const text = pieces.map((piece) => piece.text).join('');
  if (/[\s<>]/.test(text)) return undefined;
  if (href === `mailto:${text}` && /^[\w.+-]+@[\w-]+(?:\.[\w-]+)*$/.test(text)) return 'angled';
  if (href !== text || !/^[a-z][\w+.-]{1,31}:/i.test(text)) return undefined;
  return /^https?:\/\/[\w.-]+\.\w+(?:[^\s<>*_~`|]*[\w/])?$/.test(text) ? 'bare' : 'angled';
}
