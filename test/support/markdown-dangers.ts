import { parseDocument } from 'htmlparser2';
import MarkdownIt from 'markdown-it';

const renderer = new MarkdownIt({ html: true, linkify: true });
// The strictest reader: a link that this one would refuse must not be written in the first place.
renderer.validateLink = () => true;

/** Returns what could run in a page that shows the Markdown with its HTML. */
export function dangersIn(markdown: string): string[] {
  const found: string[] = [];
  interface Node {
    name?: string;
    attribs?: Record<string, string>;
    children?: Node[];
  }
  const visit = ({ name = '', attribs = {}, children = [] }: Node) => {
    if (/^(?:script|style|iframe|object|embed|svg|math|form|base|link|meta|template)$/.test(name))
      found.push(name);
    for (const [attributeName, value] of Object.entries(attribs)) {
      if (/^on|^style$/.test(attributeName)) found.push(`${name} ${attributeName}`);
      // eslint-disable-next-line no-control-regex
      const address = value.replaceAll(/[\u0000-\u0020]/g, '');
      if (
        /^(?:href|src)$/.test(attributeName) &&
        /^(?:javascript|vbscript|data|file):/i.test(address)
      )
        found.push(`${name} ${value}`);
    }
    children.forEach(visit);
  };
  visit(parseDocument(renderer.render(markdown)) as unknown as Node);
  return found;
}
