import { footnotes } from '@document-service/markdown/footnotes';
import { taskBoxOf } from '@document-service/markdown/task-box';
import MarkdownIt, { type MarkdownIt as Parser } from 'markdown-it';
import { HTML_ELEMENTS } from '../html/elements.js';
import { escapeHtml } from '../html/escape-html.js';
import { readHtml } from '../html/html-reader.js';
import type { RichText } from '../rich-text/rich-text.js';
import { renderFootnotes } from './footnote-tokens.js';

// HTML in Markdown passes through the HTML reader too, so no script survives.
const markdown = new MarkdownIt({ html: true, linkify: true })
  .use(footnotes)
  .use(renderFootnotes)
  .use(taskLists)
  .use(foreignTags);
// Links only addresses with a scheme: `example.com` and `a@b.c` stay text.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

/**
 * Reads Markdown (CommonMark with tables, strikethrough, task lists, footnotes and HTML) as formatted text. Throws as
 * `readHtml` does.
 */
export function readMarkdown(content: string): RichText {
  const html = markdown.render(content);
  const { blocks, notes } = readHtml(html, { embeddedImages: 'keep', footnotes: true }).text;
  return notes ? { blocks, notes } : { blocks };
}

/** Normalizes an address as the Markdown reader does: percent-encodes invalid characters. */
export function normalizeLink(address: string): string {
  return markdown.normalizeLink(address);
}

/** Turns `[x]` at the start of an item into a checkbox, unless its brackets are escaped. */
function taskLists(parser: Parser): void {
  parser.core.ruler.after('inline', 'task_lists', (state) => {
    for (const [index, { type, content, children }] of state.tokens.entries()) {
      if (type !== 'inline' || state.tokens[index - 2]?.type !== 'list_item_open') continue;
      const box = taskBoxOf(content);
      const [first] = children ?? [];
      if (!box || first?.type !== 'text') continue;
      first.content = first.content.slice(box.length);
      const input = new state.Token('html_inline', '', 0);
      input.content = `<input type="checkbox"${box.isChecked ? ' checked' : ''}>`;
      children?.unshift(input);
    }
  });
}

/** Keeps text that only looks like a tag, such as `List<String>` or `<your name>`, as text. */
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
