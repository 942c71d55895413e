import type { HtmlElement, HtmlNode } from '@document-service/conversion/html/html-tree';
import { isListParagraph, itemsOf, listsOf, type Item } from './clipboard-lists.js';

interface CleanHtml {
  nodes: HtmlNode[];
  /** Number of images that are inside the HTML or in a file of the other program. */
  embeddedImages: number;
}

/**
 * Rewrites clipboard HTML of other programs as plain HTML: styles as elements, paragraphs that look like lists as
 * lists, and layout tables as text.
 */
export function cleanHtml(nodes: readonly HtmlNode[]): CleanHtml {
  const cleaner = new Cleaner();
  return { nodes: cleaner.all(nodes, {}), embeddedImages: cleaner.embeddedImages };
}

type Style = ReadonlyMap<string, string>;

interface Surroundings {
  /** White space is significant. */
  isCode?: boolean;
  /** Headings and table headers are bold anyway. */
  isBold?: boolean;
  /** Line breaks become spaces. */
  isHeading?: boolean;
  language?: string;
}

const HEADING = /^h[1-6]$/;
const SHORT_NAMES = new Map([
  ['b', 'strong'],
  ['i', 'em'],
]);
const EMOJI =
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0f|:[\w+-]+:)+$/u;
/** Width or height of tracking images. */
const TRACKER = /^\s*[0-2](?:\.\d+)?(?:px)?\s*$/;

class Cleaner {
  embeddedImages = 0;
  private readonly headRows = new Set<HtmlElement>();

  all(nodes: readonly HtmlNode[], around: Surroundings): HtmlNode[] {
    const result: HtmlNode[] = [];
    let items: Item[] = [];
    const endList = () => {
      result.push(...listsOf(items, (inner) => this.all(inner, around)));
      items = [];
    };
    for (const node of around.isCode || around.isHeading ? nodes : withParagraphs(nodes)) {
      const found = typeof node === 'string' ? undefined : itemsOf(node);
      if (found) items.push(...found);
      else if (items.length > 0 && isBlank(node)) continue;
      else if (typeof node !== 'string' && isListParagraph(node) && items.length > 0) {
        items.at(-1)?.nodes.push({ ...node, name: 'p', attributes: {} });
      } else {
        endList();
        result.push(...this.one(node, around));
      }
    }
    endList();
    return result;
  }

  private one(node: HtmlNode, around: Surroundings): HtmlNode[] {
    if (typeof node === 'string') return [around.isCode ? node : withPlainSpaces(node)];
    const style = styleOf(node);
    if (isHidden(node, style)) return [];
    const special = this.special[node.name];
    if (special) return special(node, around, style);
    if (isWithoutEffect(node, style, around)) return this.all(node.children, around);
    const heading = headingOf(node);
    const inside = heading ? { isBold: true, isHeading: true } : this.surroundingsIn(node);
    const name = heading ?? SHORT_NAMES.get(node.name) ?? node.name;
    const children = this.all(node.children, { ...around, ...inside });
    return [{ name, attributes: node.attributes, children }];
  }

  private readonly special: Readonly<
    Partial<Record<string, (node: HtmlElement, around: Surroundings, style: Style) => HtmlNode[]>>
  > = {
    br: (node, { isHeading }) => (isHeading ? [' '] : [node]),
    font: (node, around, style) => this.styled(node, around, style),
    img: (node, _, style) => this.image(node, style),
    li: (node, around) => [taskOf(node, this.all(node.children, around))],
    pre: ({ attributes, children }, around) => [
      {
        name: 'pre',
        attributes: around.language ? { class: `language-${around.language}` } : attributes,
        children: this.all(children, { ...around, isCode: true }),
      },
    ],
    span: (node, around, style) => this.styled(node, around, style),
    table: (node, around) => this.table(node, around),
  };

  private surroundingsIn(node: HtmlElement): Surroundings {
    if (node.name === 'div') return languageOf(node);
    return node.name === 'th' || this.headRows.has(node) ? { isBold: true } : {};
  }

  /** Returns elements for the style of a `span` or `font`. */
  private styled({ children }: HtmlElement, around: Surroundings, style: Style): HtmlNode[] {
    const inner = this.all(children, around);
    if (around.isCode) return inner;
    if (style.get('display') === 'block') return [{ name: 'div', attributes: {}, children: inner }];
    const line = `${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`;
    const names = [
      ...(isHeavy(style) && !around.isBold ? ['strong'] : []),
      ...(style.get('font-style') === 'italic' ? ['em'] : []),
      ...(line.includes('line-through') ? ['del'] : []),
    ];
    return names.reduce<HtmlNode[]>(
      (contents, name) => [{ name, attributes: {}, children: contents }],
      inner,
    );
  }

  private image({ attributes }: HtmlElement, style: Style): HtmlNode[] {
    const { src = '', alt = '', class: classes = '' } = attributes;
    if (attributes['aria-roledescription'] === 'checkbox' || isTracker(attributes, style)) {
      return [];
    }
    const isEmoji =
      /emoji/i.test(`${classes} ${Object.keys(attributes).join(' ')}`) || EMOJI.test(alt);
    if (isEmoji && alt !== '') return [alt];
    if (/^\s*(?:https?:)?\/\//i.test(src)) {
      return [{ name: 'img', attributes: { src: src.trim(), alt }, children: [] }];
    }
    this.embeddedImages += 1;
    return alt === '' ? [] : [alt];
  }

  /** Replaces a layout table with its contents. */
  private table(table: HtmlElement, around: Surroundings): HtmlNode[] {
    const cells = elementsIn(table, /^(?:td|th)$/);
    const isLayout =
      /^(?:presentation|none)$/.test(table.attributes['role'] ?? '') ||
      cells.length < 2 ||
      cells.some((cell) => elementsIn(cell, /^table$/).length > 0);
    if (isLayout) {
      return cells.map(({ children }) => ({
        name: 'div',
        attributes: {},
        children: this.all(children, around),
      }));
    }
    const [head] = elementsIn(table, /^tr$/);
    if (head) this.headRows.add(head);
    const { name, attributes, children } = table;
    return [{ name, attributes, children: this.all(children, around) }];
  }
}

/** True for elements that show nothing here, or have no Markdown. */
function isWithoutEffect({ name, attributes }: HtmlElement, style: Style, around: Surroundings) {
  switch (name) {
    case 'b':
    case 'strong':
      return around.isBold === true || isLight(style);
    case 'i':
    case 'em':
      return style.get('font-style') === 'normal';
    case 'a':
      // A link within the other document leads nowhere here.
      return attributes['href']?.startsWith('#') === true;
    default:
      // Underlined text would need HTML in the Markdown.
      return name === 'u' || name === 'ins';
  }
}

/** Returns the outermost elements with a name, in order. */
function elementsIn({ children }: HtmlElement, name: RegExp): HtmlElement[] {
  return children.flatMap((child) => {
    if (typeof child === 'string') return [];
    return name.test(child.name) ? [child] : elementsIn(child, name);
  });
}

/** Returns the properties of a style attribute, in lower case. */
export function styleOf({ attributes }: HtmlElement): Style {
  const properties = (attributes['style'] ?? '').toLowerCase().split(';');
  return new Map(
    properties.map((property) => {
      const at = property.indexOf(':');
      return [property.slice(0, at).trim(), property.slice(at + 1).trim()] as const;
    }),
  );
}

function isHidden({ attributes }: HtmlElement, style: Style): boolean {
  return (
    'hidden' in attributes || style.get('display') === 'none' || style.get('mso-hide') === 'all'
  );
}

function isHeavy(style: Style): boolean {
  const weight = style.get('font-weight') ?? '';
  return /^bold/.test(weight) || Number(weight) >= 600;
}

function isLight(style: Style): boolean {
  return style.has('font-weight') && !isHeavy(style);
}

function isTracker({ width, height }: HtmlElement['attributes'], style: Style): boolean {
  const sizes = [width ?? style.get('width'), height ?? style.get('height')];
  return sizes.some((size) => size !== undefined && TRACKER.test(size));
}

/** Returns the heading element for an element that is a heading. */
function headingOf({ name, attributes }: HtmlElement): string | undefined {
  const { class: classes = '', role, 'aria-level': level = '' } = attributes;
  if (HEADING.test(name)) return name;
  if (/\bMsoTitle\b/.test(classes)) return 'h1';
  return role === 'heading' && /^[1-6]$/.test(level) ? `h${level}` : undefined;
}

/** Returns the language that GitHub's HTML names for code. */
function languageOf({ attributes }: HtmlElement): Surroundings {
  const language = /\bhighlight-(?:source|text)-([\w+#-]+)/.exec(attributes['class'] ?? '')?.[1];
  return language === undefined ? {} : { language };
}

/** Returns a task item if another program shows a checkbox. */
function taskOf({ attributes }: HtmlElement, children: HtmlNode[]): HtmlElement {
  const [, mark] = /^\s*\[([ xX])\]\s/.exec(textOf(children)) ?? [];
  const isTask = attributes['role'] === 'checkbox' || mark !== undefined;
  if (!isTask) return { name: 'li', attributes, children };
  const isChecked = attributes['aria-checked'] === 'true' || /x/i.test(mark ?? '');
  const box: HtmlElement = {
    name: 'input',
    attributes: { type: 'checkbox', ...(isChecked && { checked: '' }) },
    children: [],
  };
  const rest = mark === undefined ? children : withoutMark(children);
  return { name: 'li', attributes, children: [box, ...rest] };
}

/** Removes `[x]` at the start of the text. */
function withoutMark([first, ...others]: HtmlNode[]): HtmlNode[] {
  if (first === undefined) return [];
  if (textOf([first]).trim() === '') return withoutMark(others);
  if (typeof first === 'string') return [first.replace(/^\s*\[[ xX]\]\s*/, ''), ...others];
  return [{ ...first, children: withoutMark(first.children) }, ...others];
}

function textOf(nodes: readonly HtmlNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');
}

function isBlank(node: HtmlNode): boolean {
  return typeof node === 'string' && node.trim() === '';
}

/** Replaces no-break spaces used for layout. A single one between two characters is text, as in French. */
function withPlainSpaces(text: string): string {
  return text.replaceAll(/^\u00a0|\u00a0$|[\s\u00a0]{2,}/g, ' ');
}

/** Starts a paragraph after several consecutive line breaks. */
function withParagraphs(nodes: readonly HtmlNode[]): HtmlNode[] {
  const result: HtmlNode[] = [];
  let breaks = 0;
  for (const node of nodes) {
    const isBreak = typeof node !== 'string' && node.name === 'br';
    if (isBreak) breaks += 1;
    else if (!isBlank(node)) breaks = 0;
    if (breaks === 2 && isBreak) result.push({ name: 'p', attributes: {}, children: [] });
    else if (breaks < 2) result.push(node);
  }
  return result;
}
