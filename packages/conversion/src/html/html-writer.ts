import { createHash } from 'node:crypto';
import type {
  Block,
  Footnote,
  Inline,
  Marks,
  RichText,
  Table,
  TableCell,
} from '../rich-text/rich-text.js';
import { TITLE_CLASS } from './elements.js';
import { escapeHtml } from './escape-html.js';

/** Style of exported pages. It uses the fonts of the reader's computer. */
const PAGE_STYLE = `
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.6em 0 0.6em; }
img { max-width: 100%; height: auto; }
pre, code { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { padding: 0.8rem; overflow-x: auto; border: 1px solid #8886; border-radius: 4px; }
blockquote { margin: 1em 0; padding: 0 1em; border-inline-start: 4px solid #8888; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #8888; padding: 0.3em 0.6em; text-align: start; vertical-align: top; }
th[align="center"], td[align="center"] { text-align: center; }
th[align="right"], td[align="right"] { text-align: right; }
th[align="left"], td[align="left"] { text-align: left; }
.footnotes { margin-top: 2.5em; border-top: 1px solid #8888; font-size: 0.9em; }
@media print { body { max-width: none; margin: 0; } }
`;

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

/** Blocks scripts and all remote content except images. Allows only the style above. */
const POLICY = `default-src 'none'; img-src https: http: data:; style-src 'sha256-${STYLE_HASH}'; form-action 'none'; base-uri 'none'`;

/** Writes a self-contained page. `showTitle` puts the title above the text. */
export function writeHtmlPage(
  title: string,
  { blocks, notes }: RichText,
  { showTitle }: { showTitle: boolean },
): string {
  const header = showTitle
    ? `<header class="${TITLE_CLASS}"><h1 dir="auto">${escapeHtml(title)}</h1></header>\n`
    : '';
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
${header}<main>
${writeBlocks(blocks)}${writeNotes(notes)}</main>
</body>
</html>
`;
}

/** Returns the footnotes as HTML. Each ends with links to the references. */
function writeNotes(notes: readonly Footnote[] = []): string {
  if (notes.length === 0) return '';
  const items = notes.map((note, index) => writeNote(note, index + 1)).join('');
  return `<section class="footnotes" aria-label="Footnotes" data-footnotes>\n<ol>\n${items}</ol>\n</section>\n`;
}

function writeNote({ blocks, references }: Footnote, number: number): string {
  const links = Array.from({ length: references }, (_, index) => {
    const reference = referenceId(number, index + 1);
    return ` <a href="#${reference}" aria-label="Back to the text" data-footnote-backref>↩</a>`;
  }).join('');
  const last = blocks.at(-1);
  const end =
    last?.kind === 'paragraph'
      ? `<p dir="auto">${writeInlines(last.inlines)}${links}</p>`
      : `<p>${links.trimStart()}</p>`;
  const others = last?.kind === 'paragraph' ? blocks.slice(0, -1) : blocks;
  return `<li id="${noteId(number)}" dir="auto">\n${writeBlocks(others)}${end}\n</li>\n`;
}

function noteId(number: number): string {
  return `fn-${String(number)}`;
}

function referenceId(number: number, occurrence: number): string {
  return `fnref-${String(number)}${occurrence === 1 ? '' : `-${String(occurrence)}`}`;
}

/** Returns the blocks as HTML. Everything other than our elements is escaped. */
export function writeBlocks(blocks: readonly Block[]): string {
  return blocks.map((block) => `${writeBlock(block)}\n`).join('');
}

function writeBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p dir="auto">${writeInlines(block.inlines)}</p>`;
    case 'heading':
      return `<h${String(block.level)} dir="auto">${writeInlines(block.inlines)}</h${String(block.level)}>`;
    case 'quote':
      return `<blockquote dir="auto">\n${writeBlocks(block.blocks)}</blockquote>`;
    case 'list':
      return writeList(block.start, block.items.map(writeItem).join(''));
    case 'code':
      return writeCode(block.language, block.text);
    case 'table':
      return writeTable(block);
    case 'rule':
      return '<hr>';
  }
}

function writeList(start: number | undefined, items: string): string {
  if (start === undefined) return `<ul dir="auto">\n${items}</ul>`;
  return `<ol dir="auto"${start === 1 ? '' : ` start="${String(start)}"`}>\n${items}</ol>`;
}

function writeItem({ blocks, checked }: { blocks: Block[]; checked?: boolean }): string {
  const box =
    checked === undefined ? '' : `<input type="checkbox" disabled${checked ? ' checked' : ''}> `;
  const [only] = blocks;
  const content =
    blocks.length === 1 && only?.kind === 'paragraph'
      ? writeInlines(only.inlines)
      : `\n${writeBlocks(blocks)}`;
  return `<li dir="auto">${box}${content}</li>\n`;
}

function writeCode(language: string, text: string): string {
  const named = language === '' ? '' : ` class="language-${escapeHtml(language)}"`;
  return `<pre dir="ltr"><code${named}>${escapeHtml(text)}\n</code></pre>`;
}

function writeTable({ headed, rows, alignments }: Table): string {
  const write = (row: TableCell[], name: 'td' | 'th') => {
    const cells = row.map(({ blocks }, column) => {
      const align = alignments[column];
      return `<${name} dir="auto"${align ? ` align="${align}"` : ''}>${writeCell(blocks)}</${name}>`;
    });
    return `<tr>${cells.join('')}</tr>\n`;
  };
  const [head = []] = headed ? rows : [];
  const body = headed ? rows.slice(1) : rows;
  const headRows = headed ? `<thead>\n${write(head, 'th')}</thead>\n` : '';
  return `<table>\n${headRows}<tbody>\n${body.map((row) => write(row, 'td')).join('')}</tbody>\n</table>`;
}

function writeCell(blocks: Block[]): string {
  const [only] = blocks;
  if (blocks.length === 0) return '';
  if (blocks.length === 1 && only?.kind === 'paragraph') return writeInlines(only.inlines);
  return `\n${writeBlocks(blocks)}`;
}

function writeInlines(inlines: readonly Inline[]): string {
  return inlines.map(writeInline).join('');
}

function writeInline(inline: Inline): string {
  switch (inline.kind) {
    case 'break':
      return '<br>\n';
    case 'image': {
      const image = `<img src="${escapeHtml(inline.source)}" alt="${escapeHtml(inline.description)}" loading="lazy">`;
      return inline.link === undefined ? image : writeLink(inline.link, image);
    }
    case 'note': {
      const id = referenceId(inline.number, inline.occurrence);
      return `<sup><a href="#${noteId(inline.number)}" id="${id}" data-footnote-ref>${String(inline.number)}</a></sup>`;
    }
    case 'text':
      return writeMarked(escapeHtml(inline.text), inline.marks);
  }
}

/** The element of each mark, innermost first. */
const MARK_ELEMENTS: readonly [Exclude<keyof Marks, 'link'>, string][] = [
  ['code', 'code'],
  ['subscript', 'sub'],
  ['superscript', 'sup'],
  ['underline', 'u'],
  ['strike', 'del'],
  ['italic', 'em'],
  ['bold', 'strong'],
];

function writeMarked(text: string, marks: Marks): string {
  let written = text;
  for (const [mark, element] of MARK_ELEMENTS) {
    if (marks[mark]) written = `<${element}>${written}</${element}>`;
  }
  return marks.link === undefined ? written : writeLink(marks.link, written);
}

function writeLink(address: string, content: string): string {
  return `<a href="${escapeHtml(address)}" rel="noopener noreferrer nofollow">${content}</a>`;
}
