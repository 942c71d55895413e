import { readNodes } from '@document-service/conversion/html/html-reader';
import { parseHtml, type HtmlNode } from '@document-service/conversion/html/html-tree';
import { writeMarkdown } from '@document-service/conversion/markdown/markdown-writer';
import { sameMarks, type Block } from '@document-service/conversion/rich-text/rich-text';
import { cleanHtml, styleOf } from './clipboard-html.js';

interface ConvertedHtml {
  markdown: string;
  /** True if plain text is better: for code, or one passage without formatting. */
  isPlain: boolean;
  /** True for code, whose text has spaces and line breaks that count. */
  isCode: boolean;
  /** Number of images that were left out because they are not on the web. */
  embeddedImages: number;
  /** Names of elements with contents that Markdown cannot represent, such as `iframe`. */
  lostElements: readonly string[];
}

/** Converts HTML from the clipboard or a file to Markdown. Never returns scripts, styles, or links that run code. */
export function htmlToMarkdown(html: string): ConvertedHtml {
  const parsed = parseHtml(html);
  const { nodes, embeddedImages } = cleanHtml(parsed);
  const { text, losses } = readNodes(nodes, { embeddedImages: 'describe' });
  const { blocks } = text;
  return {
    markdown: writeMarkdown(text),
    isPlain: isCode(parsed) || isUniform(blocks),
    isCode: isCode(parsed),
    embeddedImages,
    lostElements: [...losses.elements],
  };
}

/** True if everything is in one `pre`, or in one element that preserves spaces, as code editors write it. */
function isCode(nodes: readonly HtmlNode[]): boolean {
  const [only, ...others] = nodes.filter((node) =>
    typeof node === 'string' ? node.trim() !== '' : !/^(?:head|link|meta|style)$/.test(node.name),
  );
  if (only === undefined || typeof only === 'string' || others.length > 0) return false;
  return only.name === 'pre' || styleOf(only).get('white-space') === 'pre' || isCode(only.children);
}

/** True for one paragraph or heading in one style, without links and images. */
function isUniform([first, ...others]: readonly Block[]): boolean {
  if (first === undefined) return true;
  if (others.length > 0 || (first.kind !== 'paragraph' && first.kind !== 'heading')) return false;
  const texts = first.inlines.filter((inline) => inline.kind !== 'break');
  const [start] = texts;
  return texts.every(
    (inline) =>
      inline.kind === 'text' &&
      start?.kind === 'text' &&
      sameMarks(inline.marks, start.marks) &&
      inline.marks.link === undefined,
  );
}
