import { Parser } from 'htmlparser2';
import type { Attributes } from './elements.js';

/** Text, or an element. */
export type HtmlNode = string | HtmlElement;

export interface HtmlElement {
  /** In lower case. */
  name: string;
  attributes: Attributes;
  children: HtmlNode[];
}

/** Parses HTML of any quality. Leaves out comments, document types and processing instructions. */
export function parseHtml(html: string): HtmlNode[] {
  const roots: HtmlNode[] = [];
  const open: HtmlElement[] = [];
  const add = (node: HtmlNode) => (open.at(-1)?.children ?? roots).push(node);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const element = { name, attributes, children: [] };
        add(element);
        open.push(element);
      },
      onclosetag: () => {
        open.pop();
      },
      ontext: add,
    },
    { decodeEntities: true, recognizeSelfClosing: false },
  );
  parser.end(html);
  return roots;
}
