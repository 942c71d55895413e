import { posix } from 'node:path';
import {
  operationNamed,
  operationsOf,
  operationPageFile,
  readApiDocument,
} from '../reference/api-document.mjs';
import { highlight } from './highlight.mjs';
import { outlineOf } from './outline.mjs';

const CALLOUT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;

/** Where a long name in a table may continue on the next line, but not in a number. */
const SEPARATOR = /(?<=[a-z])[._](?=[a-z])|(?<=\w)\/(?=[\w{])/gi;

/** Languages that become tabs when their blocks follow each other. */
const TABS = { sh: 'curl', ts: 'TypeScript', python: 'Python' };

/** Changes Eleventy's Markdown renderer. Each page is rendered with `env.doc`, its {@link import('./sources.mjs').Page}. */
export function configureMarkdown(md, links, outlines) {
  md.set({ html: true });
  md.core.ruler.push('site-headings', ({ tokens, env }) => {
    const outline = outlineOf(tokens);
    if (env.doc) outlines.set(env.doc.path, outline);
  });
  md.core.ruler.push('site-callouts', addCallouts);
  const operations = operationsOf(readApiDocument());
  md.core.ruler.push('site-operations', (state) => linkOperations(state, operations));
  md.core.ruler.push('site-links', (state) => resolveLinks(state, links));
  md.core.ruler.push('site-tabs', addTabs);
  md.core.ruler.push('site-tables', markCodeInTables);
  md.renderer.rules.code_inline = (tokens, index) => inlineCode(tokens[index], md.utils.escapeHtml);
  md.renderer.rules.fence = (tokens, index) => codeBlock(tokens[index], md.utils.escapeHtml);
  md.renderer.rules.table_open = () => '<div class="table-box"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
  md.renderer.rules.th_open = (tokens, index) => `<th${alignmentOf(tokens[index])}>`;
  md.renderer.rules.td_open = (tokens, index) => `<td${alignmentOf(tokens[index])}>`;
  md.renderer.rules.heading_open = (tokens, index) => {
    const { tag, attrs } = tokens[index];
    const id = md.utils.escapeHtml(Object.fromEntries(attrs ?? []).id ?? '');
    return tag === 'h1' ? `<h1 id="${id}">` : `<div class="heading"><${tag} id="${id}">`;
  };
  md.renderer.rules.heading_close = (tokens, index) => {
    const { tag, meta } = tokens[index];
    if (tag === 'h1') return '</h1>\n';
    const label = md.utils.escapeHtml(`Link to this section: ${meta.text}`);
    return `</${tag}><a class="heading-link" href="#${meta.id}" aria-label="${label}">#</a></div>\n`;
  };
}

function markCodeInTables({ tokens }) {
  for (const [index, { children }] of tokens.entries()) {
    if (children === null || tokens[index - 1]?.type !== 'td_open') continue;
    for (const child of children)
      if (child.type === 'code_inline') child.meta = { isInTable: true };
  }
}

/** Styles allow these breaks on phones only. */
function inlineCode({ content, meta }, escape) {
  const text = escape(content);
  return `<code>${meta?.isInTable ? text.replace(SEPARATOR, '$&<wbr>') : text}</code>`;
}

/** Markdown's alignment of a column, as a class: the policy drops inline styles. */
function alignmentOf(token) {
  const [, side] = /text-align:(right|center)/.exec(token.attrGet('style') ?? '') ?? [];
  return side === undefined ? '' : ` class="align-${side}"`;
}

/** Turns quotes that begin with `[!NOTE]` into callouts. */
function addCallouts({ tokens }) {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'blockquote_open') continue;
    const inline = tokens[index + 2];
    const [mark, kind] = CALLOUT.exec(inline?.content ?? '') ?? [];
    if (mark === undefined) continue;
    const first = inline.children[0];
    first.content = first.content.replace(CALLOUT, '');
    if (first.content === '' && inline.children[1]?.type === 'softbreak')
      inline.children.splice(0, 2);
    const close = closingOf(tokens, index);
    token.type = close.type = 'html_block';
    token.content = `<div class="callout callout-${kind.toLowerCase()}" role="note"><p class="callout-title">${kind[0]}${kind.slice(1).toLowerCase()}</p>\n`;
    close.content = '</div>\n';
  }
}

function closingOf(tokens, open) {
  const { level } = tokens[open];
  return tokens.find(
    (token, index) => index > open && token.type === 'blockquote_close' && token.level === level,
  );
}

/** Links code such as `GET /v1/documents` to the page of the operation, except in headings and in links. */
function linkOperations({ tokens, env, Token }, operations) {
  for (const [index, { type, children }] of tokens.entries()) {
    if (type !== 'inline' || tokens[index - 1]?.type === 'heading_open') continue;
    let depth = 0;
    const linked = children.flatMap((token) => {
      depth += token.nesting * Number(/^link_/.test(token.type));
      const operation =
        token.type === 'code_inline' && depth === 0 && operationNamed(operations, token.content);
      const file = operation && operationPageFile(operation.operationId);
      return !file || file === env.doc?.file
        ? [token]
        : inLink(Token, token, relativeFrom(env.doc, file));
    });
    children.splice(0, children.length, ...linked);
  }
}

function inLink(Token, token, href) {
  const [open, close] = [new Token('link_open', 'a', 1), new Token('link_close', 'a', -1)];
  open.attrSet('href', href);
  return [open, token, close];
}

function relativeFrom(page, file) {
  return posix.relative(posix.dirname(page.file), file);
}

function resolveLinks({ tokens, env }, links) {
  if (!env.doc) return;
  for (const { type, children, map } of tokens) {
    if (type !== 'inline') continue;
    let line = env.doc.firstLine + (map?.[0] ?? 0) + 1;
    let isDropped = false;
    for (const token of children) {
      if (token.type === 'softbreak' || token.type === 'hardbreak') line += 1;
      if (token.type === 'image') {
        token.attrSet('src', links.image(token.attrGet('src'), env.doc, line));
        token.attrSet('loading', 'lazy');
      }
      if (token.type === 'link_open') {
        const url = links.resolve(token.attrGet('href'), env.doc, line);
        isDropped = url === undefined;
        if (isDropped) token.hidden = true;
        else token.attrSet('href', url);
      }
      if (token.type === 'link_close' && isDropped) token.hidden = true;
    }
    dropHidden(children);
  }
}

function dropHidden(tokens) {
  const shown = tokens.filter(({ type, hidden }) => !(hidden && /^link_/.test(type)));
  tokens.splice(0, tokens.length, ...shown);
}

const languageOf = (token) =>
  token?.type === 'fence' ? token.info.trim().split(/\s+/)[0] : undefined;

/** Wraps neighboring blocks in different languages of {@link TABS}, so that the page's script can show them as tabs. */
function addTabs(state) {
  const { tokens, Token } = state;
  const result = [];
  for (let index = 0; index < tokens.length;) {
    const end = endOfTabs(tokens, index);
    if (end - index < 2) {
      result.push(tokens[index]);
      index += 1;
      continue;
    }
    result.push(html(Token, '<div class="tabs">\n'));
    for (const token of tokens.slice(index, end)) {
      const language = languageOf(token);
      result.push(
        html(
          Token,
          `<div class="tab" data-tab="${language}"><p class="tab-name">${TABS[language]}</p>\n`,
        ),
        token,
        html(Token, '</div>\n'),
      );
    }
    result.push(html(Token, '</div>\n'));
    index = end;
  }
  state.tokens = result;
}

function endOfTabs(tokens, start) {
  const seen = new Set();
  let end = start;
  for (; end < tokens.length; end += 1) {
    const language = languageOf(tokens[end]);
    if (language === undefined || !Object.hasOwn(TABS, language) || seen.has(language)) break;
    seen.add(language);
  }
  return end;
}

function html(Token, content) {
  const token = new Token('html_block', '', 0);
  token.content = content;
  return token;
}

function codeBlock(token, escape) {
  const language = languageOf(token) ?? '';
  const code = highlight(token.content, language) ?? escape(token.content);
  const isOutput = language === '' ? ' is-output' : '';
  return `<div class="code${isOutput}"><pre><code data-language="${escape(language)}">${code.replace(/\n$/, '')}</code></pre></div>\n`;
}
