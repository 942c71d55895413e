import type { SyntaxNode, Tree } from '@lezer/common';
import { decodeNamedCharacterReference } from 'decode-named-character-reference';
import { labelKey } from './brackets.js';
import { definedFootnote } from './footnote-syntax.js';

interface Target {
  href: string;
  title: string | null;
}

/** What a text defines for its other blocks. */
export interface References {
  links: ReadonlyMap<string, Target>;
  footnotes: ReadonlySet<string>;
}

export const NO_REFERENCES: References = { links: new Map(), footnotes: new Set() };

const LEAVES = /^(?:Paragraph|ATX|Setext|Table|Fenced|CodeBlock|HTML|Task)/;

/** Returns the definitions of a parsed text. */
export function referencesIn(tree: Tree, text: string): References {
  const links = new Map<string, Target>();
  const footnotes = new Set<string>();
  tree.iterate({
    enter: ({ name, node, from, to }) => {
      if (name === 'FootnoteDefinition') {
        const label = definedFootnote(text.slice(from, to));
        if (label !== undefined) footnotes.add(labelKey(label));
      }
      if (name === 'LinkReference') {
        const [label, url] = [node.getChild('LinkLabel'), node.getChild('URL')];
        const key = label && labelKey(text.slice(label.from + 1, label.to - 1));
        if (key !== null && url && !links.has(key)) links.set(key, targetOf(node, text));
        return false;
      }
      return !LEAVES.test(name);
    },
  });
  return { links, footnotes };
}

/** Returns the address and title of a link or a definition. */
export function targetOf(node: SyntaxNode, text: string): Target {
  // The text of a link may contain an address too.
  const url = node.getChildren('URL').at(-1);
  const title = node.getChild('LinkTitle');
  const address = url ? text.slice(url.from, url.to) : '';
  return {
    href: unescape(address.startsWith('<') ? address.slice(1, -1) : address),
    title: title ? unescape(text.slice(title.from + 1, title.to - 1)) : null,
  };
}

function unescape(text: string): string {
  return text.replace(
    /\\([!-/:-@[-`{-~])|&(#x[\da-f]{1,6}|#\d{1,7}|\w+);/gi,
    (all, escaped: string | undefined, entity: string | undefined) =>
      escaped ?? decodeEntity(entity ?? '') ?? all,
  );
}

/** Returns the text of an entity such as `amp` or `#38`, or undefined if no entity has this name. */
export function decodeEntity(name: string): string | undefined {
  if (!name.startsWith('#')) return decodeNamedCharacterReference(name) || undefined;
  const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isValid = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code < 0xe0_00);
  return isValid ? String.fromCodePoint(code) : '\ufffd';
}
