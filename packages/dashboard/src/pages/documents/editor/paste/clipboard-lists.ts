import type { HtmlElement, HtmlNode } from '@document-service/conversion/html/html-tree';

/** A list item of Word: a paragraph with a level, not an item in a list. */
export interface Item {
  level: number;
  /** Number of the item. Undefined for bullets. */
  number: number | undefined;
  isChecked?: boolean | undefined;
  nodes: HtmlNode[];
}

/** Word marks the paragraphs of lists, and text for programs without lists. */
const LEVEL = /mso-list:[^;]*\blevel([1-9])/i;
const MARKER = /mso-list:\s*ignore/i;
const NUMBER = /^\(?(?:[a-z\d]{1,4}\.)*(\d{1,4}|[a-z]{1,5})[.):]$/i;

/** Returns the items of an element, or undefined. */
export function itemsOf(element: HtmlElement): Item[] | undefined {
  const { name, attributes, children } = element;
  const { style = '', class: classes = '' } = attributes;
  if (name === 'p') {
    const level = LEVEL.exec(style)?.[1];
    return level === undefined ? undefined : [wordItem(element, Number(level))];
  }
  // Confluence.
  if (name === 'div' && attributes['data-task-state'] !== undefined) {
    const isChecked = attributes['data-task-state'] === 'DONE';
    return [{ level: 1, number: undefined, isChecked, nodes: children }];
  }
  if (name === 'div' && classes.includes('ListContainerWrapper')) {
    const found = children.map((child) => (typeof child === 'string' ? [] : itemsOf(child)));
    return found.includes(undefined) ? undefined : found.flatMap((items) => items ?? []);
  }
  return /^[ou]l$/.test(name) ? onlineItems(element) : undefined;
}

/** True for a second or later paragraph of an item in Word. */
export function isListParagraph({ name, attributes }: HtmlElement): boolean {
  return name === 'p' && /\bMsoListParagraph/.test(attributes['class'] ?? '');
}

function wordItem({ children }: HtmlElement, level: number): Item {
  const marker = markerIn(children);
  const nodes = marker ? without(marker, children) : children;
  const written = NUMBER.exec(marker ? plainText(marker.children) : '')?.[1];
  if (written === undefined) return { level, number: undefined, nodes };
  return { level, number: /^\d+$/.test(written) ? Number(written) : 1, nodes };
}

/** Word on the web creates one list per item, with its level. */
function onlineItems({ name, attributes, children }: HtmlElement): Item[] | undefined {
  const items = children.filter((child) => typeof child !== 'string');
  const levels = items.map((item) => Number(item.attributes['data-aria-level']));
  if (items.length === 0 || levels.some((level) => !(level > 0))) return undefined;
  const start = Number(attributes['start'] ?? 1);
  return items.map((item, index) => ({
    level: levels[index] ?? 1,
    number: name === 'ol' ? start + index : undefined,
    nodes: item.children,
  }));
}

function markerIn(nodes: readonly HtmlNode[]): HtmlElement | undefined {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    const found = MARKER.test(node.attributes['style'] ?? '') ? node : markerIn(node.children);
    if (found) return found;
  }
  return undefined;
}

function without(removed: HtmlElement, nodes: readonly HtmlNode[]): HtmlNode[] {
  return nodes
    .filter((node) => node !== removed)
    .map((node) =>
      typeof node === 'string' ? node : { ...node, children: without(removed, node.children) },
    );
}

function plainText(nodes: readonly HtmlNode[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node : plainText(node.children)))
    .join('')
    .trim();
}

/** Returns nested lists for items with levels. `read` cleans the content of an item. */
export function listsOf(
  items: readonly Item[],
  read: (nodes: readonly HtmlNode[]) => HtmlNode[],
): HtmlElement[] {
  const lists: HtmlElement[] = [];
  const outermost = items[0]?.level ?? 1;
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    if (!item) break;
    const name = item.number === undefined ? 'ul' : 'ol';
    let list = lists.at(-1);
    if (list?.name !== name) {
      const start = String(item.number ?? 1);
      list = { name, attributes: name === 'ol' ? { start } : {}, children: [] };
      lists.push(list);
    }
    let end = at + 1;
    while ((items[end]?.level ?? 0) > outermost) end += 1;
    const inner = listsOf(items.slice(at + 1, end), read);
    const children = [...boxOf(item), ...read(item.nodes), ...inner];
    list.children.push({ name: 'li', attributes: {}, children });
    at = end - 1;
  }
  return lists;
}

function boxOf({ isChecked }: Item): HtmlElement[] {
  if (isChecked === undefined) return [];
  const attributes = { type: 'checkbox', ...(isChecked && { checked: '' }) };
  return [{ name: 'input', attributes, children: [] }];
}
