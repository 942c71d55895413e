import MarkdownIt, { type MarkdownIt as Parser } from 'markdown-it';
import { HTML_ELEMENTS } from '../html/elements.js';
import { escapeHtml } from '../html/html-writer.js';
import { readHtml } from '../html/html-reader.js';
import type { RichText } from '../rich-text/rich-text.js';

// HTML within Markdown goes through the reader of HTML like everything else, so nothing of it can run.
const markdown = new MarkdownIt({ html: true, linkify: true }).use(taskLists).use(foreignTags);
// `example.com` and `a@b.c` are words; only what names its scheme is an address.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

const TASK = /^\[([ xX])\][ \t]+(?=\S)/;

/** Reads Markdown (CommonMark, with tables, strikethrough, task lists and HTML) as formatted text. Throws as `readHtml` does. */
export function readMarkdown(content: string): RichText {
  const { text } = readHtml(markdown.render(content), { embeddedImages: 'keep' });
  return { blocks: text.blocks };
}

/** An address as reading Markdown gives it: what may not stand in one is percent-encoded. */
export function normalizeLink(address: string): string {
  return markdown.normalizeLink(address);
}

/** Makes `[x]` at the beginning of an item a box, unless its brackets are escaped. */
function taskLists(parser: Parser): void {
  parser.core.ruler.after('inline', 'task_lists', (state) => {
    for (const [index, { type, content, children }] of state.tokens.entries()) {
      if (type !== 'inline' || state.tokens[index - 2]?.type !== 'list_item_open') continue;
      const box = TASK.exec(content);
      const [first] = children ?? [];
      if (!box || first?.type !== 'text') continue;
      first.content = first.content.slice(box[0].length);
      const input = new state.Token('html_inline', '', 0);
      input.content = `<input type="checkbox"${box[1] === ' ' ? '' : ' checked'}>`;
      children?.unshift(input);
    }
  });
}

/** Shows what only looks like a tag, such as `List<String>` or `<your name>`, as the text it is. */
function foreignTags({ renderer }: Parser): void {
  renderer.rules['html_inline'] = (tokens, index) => {
    const { content = '' } = tokens[index] ?? {};
    return isForeign(content) ? escapeHtml(content) : content;
  };
  renderer.rules['html_block'] = (tokens, index) => {
    const { content = '' } = tokens[index] ?? {};
    return isForeign(content) ? `<p>${escapeHtml(content)}</p>` : content;
  };
}

function isForeign(html: string): boolean {
  const name = /^\s*<\/?([a-z][^\s/>]*)/i.exec(html)?.[1];
  return name !== undefined && !HTML_ELEMENTS.has(name.toLowerCase());
}
