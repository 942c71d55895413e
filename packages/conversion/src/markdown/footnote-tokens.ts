import type { FootnoteMark } from '@document-service/markdown/footnotes';
import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { escapeHtml } from '../html/escape-html.js';

/**
 * Moves the footnotes to the end, in the order in which the text refers to them, and renders them as HTML that our reader
 * understands. A footnote that nothing refers to stays where it is, as text with its label.
 */
export function renderFootnotes({ core, renderer }: MarkdownIt): void {
  core.ruler.push('footnotes', (state) => {
    if (state.tokens.some(({ type }) => type === 'footnote_open')) moveToEnd(state);
  });
  renderer.rules['footnote_ref'] = (tokens, index) => {
    const { key, label } = markOf(tokens[index]);
    return `<a data-footnote-ref href="#${escapeHtml(key)}">${escapeHtml(label)}</a>`;
  };
  renderer.rules['footnotes_open'] = () => '<section data-footnotes><ol>';
  renderer.rules['footnotes_close'] = () => '</ol></section>';
  renderer.rules['footnote_open'] = (tokens, index) =>
    `<li id="${escapeHtml(markOf(tokens[index]).key)}">`;
  renderer.rules['footnote_close'] = () => '</li>';
}

interface Definition {
  mark: FootnoteMark;
  tokens: Token[];
  /** True if nothing in use refers to it. */
  isText: boolean;
}

function moveToEnd(state: StateCore): void {
  const definitions: Definition[] = [];
  const text: (Token | Definition)[] = [];
  const open: Definition[] = [];
  for (const token of state.tokens) {
    if (token.type === 'footnote_open') {
      const definition = { mark: markOf(token), tokens: [], isText: false };
      definitions.push(definition);
      text.push(definition);
      open.push(definition);
    } else if (token.type === 'footnote_close') open.pop();
    else (open.at(-1)?.tokens ?? text).push(token);
  }
  const notes = new Notes(definitions);
  notes.follow(text.filter((part) => 'type' in part));
  // A footnote that is not in use is text, which may refer to others.
  for (const definition of definitions)
    if (!notes.inUse.has(definition)) {
      asText(state, definition);
      notes.follow(definition.tokens);
    }
  const used = [...notes.inUse].flatMap(({ mark, tokens }) => [
    tokenOf(state, 'footnote_open', mark),
    ...tokens,
    tokenOf(state, 'footnote_close', mark),
  ]);
  const inPlace = text.flatMap((part) => {
    if ('type' in part) return [part];
    return notes.inUse.has(part) ? [] : part.tokens;
  });
  state.tokens = [
    ...inPlace,
    ...(used.length === 0
      ? []
      : [tokenOf(state, 'footnotes_open'), ...used, tokenOf(state, 'footnotes_close')]),
  ];
}

/** Finds the footnotes in use. */
class Notes {
  /** In the order of their first references. */
  readonly inUse = new Set<Definition>();
  private readonly byKey = new Map<string, Definition>();

  constructor(definitions: readonly Definition[]) {
    for (const definition of definitions)
      if (!this.byKey.has(definition.mark.key)) this.byKey.set(definition.mark.key, definition);
  }

  /** Adds the footnotes that the tokens refer to, then those that these refer to. */
  follow(tokens: readonly Token[]): void {
    const waiting: Definition[] = [];
    const visit = (list: readonly Token[]) => {
      for (const { children } of list)
        for (const child of children ?? []) {
          if (child.type !== 'footnote_ref') continue;
          const definition = this.byKey.get(markOf(child).key);
          if (definition?.isText) {
            child.type = 'text';
            child.content = `[^${markOf(child).label}]`;
          } else if (definition && !this.inUse.has(definition)) {
            this.inUse.add(definition);
            waiting.push(definition);
          }
        }
    };
    visit(tokens);
    for (const definition of waiting) visit(definition.tokens);
  }
}

/** Puts the label of a footnote before its text. */
function asText(state: StateCore, definition: Definition): void {
  const { mark, tokens } = definition;
  definition.isText = true;
  const label = new state.Token('text', '', 0);
  label.content = `[^${mark.label}]: `;
  const [first, inline] = tokens;
  if (first?.type === 'paragraph_open' && inline?.children) {
    inline.children.unshift(label);
    return;
  }
  const paragraph = new state.Token('inline', '', 0);
  paragraph.children = [label];
  tokens.unshift(
    new state.Token('paragraph_open', 'p', 1),
    paragraph,
    new state.Token('paragraph_close', 'p', -1),
  );
}

function tokenOf(state: StateCore, type: string, mark?: FootnoteMark): Token {
  const token = new state.Token(type, '', 0);
  if (mark) token.meta = mark;
  return token;
}

function markOf(token: Token | undefined): FootnoteMark {
  return (token?.meta ?? { label: '', key: '' }) as FootnoteMark;
}
