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
  const siblings = () => open.at(-1)?.children ?? roots;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const element = { name, attributes, children: [] };
        siblings().push(element);
        open.push(element);
      },
      onclosetag: () => {
        open.pop();
      },
      ontext: (text) => {
        const nodes = siblings();
        const last = nodes.at(-1);
        // The parser reports character references separately.
        if (typeof last === 'string') nodes[nodes.length - 1] = last + text;
        else nodes.push(text);
      },
    },
    { decodeEntities: true, recognizeSelfClosing: false },
  );
  parser.end(html);
  return roots;
}
