import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode, Tree } from '@lezer/common';

/** Protocols that a link may open. */
const SAFE = new Set(['http:', 'https:', 'mailto:']);

/** Returns the address if it is safe to open. Excludes scripts, files and relative addresses. */
export function safeAddress(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return SAFE.has(protocol) ? href : undefined;
}

/** Caches the definitions `[label]: address` of a text by its tree. */
const references = new WeakMap<Tree, Map<string, string>>();

function referencesOf(state: EditorState): Map<string, string> {
  const tree = syntaxTree(state);
  const known = references.get(tree);
  if (known) return known;
  const found = new Map<string, string>();
  tree.iterate({
    enter: ({ name, node }) => {
      if (name === 'LinkReference') {
        const label = node.getChild('LinkLabel');
        const url = node.getChild('URL');
        if (!label || !url) return false;
        const key = labelKey(state.sliceDoc(label.from, label.to));
        if (!found.has(key)) found.set(key, plainAddress(state.sliceDoc(url.from, url.to)));
      }
      // Definitions elsewhere are rare, and searching for them is slow.
      return name === 'Document';
    },
  });
  references.set(tree, found);
  return found;
}

function labelKey(label: string): string {
  return label.slice(1, -1).trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

function plainAddress(address: string): string {
  return address.replace(/^<(.*)>$/s, '$1');
}

/** Returns the address of a link, image or bare URL as written, or undefined for brackets without a definition. */
export function addressOf(state: EditorState, node: SyntaxNode): string | undefined {
  const source = (at: { from: number; to: number }) => state.sliceDoc(at.from, at.to);
  if (node.name === 'URL') {
    const written = source(node);
    if (/^www\./i.test(written)) return `http://${written}`;
    return written.includes('@') && !written.includes(':') ? `mailto:${written}` : written;
  }
  const url = node.getChild('URL');
  if (url) return node.name === 'Autolink' ? addressOf(state, url) : plainAddress(source(url));
  const [open, close] = node.getChildren('LinkMark');
  if (!open || !close) return undefined;
  const label = node.getChild('LinkLabel');
  const isFull = label !== null && label.to - label.from > 2;
  return referencesOf(state).get(
    labelKey(isFull ? source(label) : `[${state.sliceDoc(open.to, close.from)}]`),
  );
}

/** Returns the innermost link, image or bare URL at a position. */
export function linkAt(state: EditorState, position: number): SyntaxNode | undefined {
  for (const side of [1, -1] as const) {
    let found: SyntaxNode | undefined;
    for (
      let node: SyntaxNode | null = syntaxTree(state).resolveInner(position, side);
      node;
      node = node.parent
    ) {
      if (/^(Link|Autolink)$/.test(node.name)) return node;
      if (node.name === 'URL' && !/^(Image|LinkReference)$/.test(node.parent?.name ?? ''))
        found = node;
    }
    if (found) return found;
  }
  return undefined;
}
