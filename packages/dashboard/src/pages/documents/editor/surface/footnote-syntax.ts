import type { BlockContext, Line, MarkdownConfig } from '@lezer/markdown';

const NAME = 'FootnoteDefinition';
const DEFINITION = /^\[\^([^\]\s[]{1,900})\]:[ \t]*/;
const REFERENCE = /^\[\^([^\]\s[]{1,900})\]/;

/** Number of columns by which continuation lines of a footnote are indented. */
const INDENT = 4;

/** Returns the label of the footnote that a text starts to define. */
export function definedFootnote(text: string): string | undefined {
  return DEFINITION.exec(text)?.[1];
}

/** Returns the reference at the start of a text, such as `[^1]`. */
export function footnoteReference(text: string): { text: string; label: string } | undefined {
  const [reference, label] = REFERENCE.exec(text) ?? [];
  return reference === undefined || label === undefined ? undefined : { text: reference, label };
}

function opening(line: Line): RegExpExecArray | null {
  if (line.indent >= line.baseIndent + INDENT) return null;
  return DEFINITION.exec(line.text.slice(line.pos));
}

/** Definitions of footnotes, which are containers like list items, as the service reads them. */
export const footnoteDefinitions: MarkdownConfig = {
  defineNodes: [
    {
      name: NAME,
      block: true,
      composite: (_: BlockContext, line: Line, indent: number) => {
        const isBlank = line.next === -1;
        if (!isBlank && line.indent < line.baseIndent + indent) return false;
        line.moveBaseColumn(line.baseIndent + indent);
        return true;
      },
    },
  ],
  parseBlock: [
    {
      name: NAME,
      parse: (context, line) => {
        const found = opening(line);
        if (!found) return false;
        context.startComposite(NAME, line.pos, INDENT);
        line.moveBase(line.pos + found[0].length);
        return null;
      },
      endLeaf: (_, line) => opening(line) !== null,
      before: 'LinkReference',
    },
  ],
};
