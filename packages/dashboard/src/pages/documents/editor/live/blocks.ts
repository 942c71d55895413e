import { WidgetType } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import type { Construct, LivePage } from './page.js';

/** Maximum level of quotes with a separate style. */
const DEEPEST_QUOTE = 4;

function atxHeading(level: number) {
  return (node: SyntaxNode, page: LivePage) => {
    page.line(page.state.doc.lineAt(node.from), `cm-heading cm-h${String(level)}`);
    if (page.isOnLines(node)) return;
    const [first, last] = node.getChildren('HeaderMark');
    if (!first) return;
    const spaces = /^[ \t]*/.exec(page.text({ from: first.to, to: node.to }))?.[0].length ?? 0;
    page.hide({ from: first.from, to: first.to + spaces });
    if (!last) return;
    const before = page.text({ from: first.to + spaces, to: last.from });
    page.hide({ from: last.from - (before.length - before.trimEnd().length), to: last.to });
  };
}

/** A heading underlined with `===` or `---`. */
function setextHeading(level: number) {
  return (node: SyntaxNode, page: LivePage) => {
    const mark = node.getChild('HeaderMark');
    for (const line of page.lines(node)) {
      const isUnderline = mark !== null && line.from <= mark.from && mark.from <= line.to;
      if (!isUnderline) page.line(line, `cm-heading cm-h${String(level)}`);
      else if (page.isOnLines(node)) page.line(line, 'cm-fence');
      else {
        page.line(line, 'cm-underline');
        page.hide(mark);
      }
    }
  };
}

function codeLines(node: SyntaxNode, page: LivePage): void {
  for (const line of page.lines(node)) {
    const isFirst = line.from <= node.from;
    const isLast = line.to >= node.to;
    page.line(
      line,
      `cm-code-line${isFirst ? ' cm-code-first' : ''}${isLast ? ' cm-code-last' : ''}`,
    );
  }
}

class Rule extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const rule = document.createElement('span');
    rule.className = 'cm-rule';
    rule.setAttribute('role', 'separator');
    return rule;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

const RULE = new Rule();

function htmlLines(node: SyntaxNode, page: LivePage): void {
  for (const line of page.lines(node)) page.line(line, 'cm-html-line');
}

function depthOf(node: SyntaxNode, name: string): number {
  let depth = 0;
  for (let at: SyntaxNode | null = node; at; at = at.parent) if (at.name === name) depth += 1;
  return depth;
}

export const blocks: Construct = {
  ATXHeading1: atxHeading(1),
  ATXHeading2: atxHeading(2),
  ATXHeading3: atxHeading(3),
  ATXHeading4: atxHeading(4),
  ATXHeading5: atxHeading(5),
  ATXHeading6: atxHeading(6),
  SetextHeading1: setextHeading(1),
  SetextHeading2: setextHeading(2),
  Blockquote: (node, page) => {
    const depth = Math.min(depthOf(node, 'Blockquote'), DEEPEST_QUOTE);
    for (const line of page.lines(node)) page.line(line, `cm-quote cm-quote-${String(depth)}`);
  },
  QuoteMark: (node, page) => {
    if (page.isOnLines(node)) return;
    const hasSpace = page.text({ from: node.to, to: node.to + 1 }) === ' ';
    page.hide({ from: node.from, to: node.to + (hasSpace ? 1 : 0) });
  },
  FencedCode: (node, page) => {
    codeLines(node, page);
    for (const mark of node.getChildren('CodeMark')) {
      page.line(page.state.doc.lineAt(mark.from), 'cm-fence');
    }
  },
  CodeBlock: codeLines,
  HTMLBlock: htmlLines,
  CommentBlock: htmlLines,
  ProcessingInstructionBlock: htmlLines,
  LinkReference: (node, page) => {
    for (const line of page.lines(node)) page.line(line, 'cm-reference');
  },
  HorizontalRule: (node, page) => {
    if (!page.isOnLines(node)) page.replace(node, RULE);
  },
};
