import type { Node } from 'prosemirror-model';
import { EditorState, Selection } from 'prosemirror-state';
import { history, undo } from 'prosemirror-history';
import {
  OriginalText,
  withPlainLineBreaks,
} from '../../packages/dashboard/src/pages/documents/editor/line-breaks.js';
import { Sources } from '../../packages/dashboard/src/pages/documents/editor/surface/sources.js';
import { readmes, startsWithDefinition } from '../browser/support/readmes.js';
import { drillCases } from '../support/drills.js';

const files = drillCases(readmes(), (_, index) => index % 16 === 0).map(({ file, text }) => ({
  file,
  text: withPlainLineBreaks(text),
}));

describe('a README in the editor', () => {
  it('a README that nobody edits keeps every byte', () => {
    const changed = files.filter(({ text }) => {
      const sources = new Sources();
      return sources.write(sources.read(text)) !== text;
    });
    expect(changed.map(({ file }) => file)).toEqual([]);
  });

  it('a letter that is typed into a README changes only its block, and undo restores every byte', () => {
    const wrong: string[] = [];
    const counts = { exact: 0, rewritten: 0, unverified: 0 };
    for (const [seed, { file, text }] of files.entries()) {
      const { state, sources, place } = typed(text, seed);
      if (!state) continue;
      const after = sources.write(state.doc);
      const { from, to } = place;
      const isOutside = after.startsWith(text.slice(0, from)) && after.endsWith(text.slice(to));
      if (!isOutside || after === text) wrong.push(file);
      counts[isOneLetter(text, after) ? 'exact' : 'rewritten'] += 1;
      counts.unverified += sources.counts.unverified;
      let undone = state;
      undo(state, (transaction) => (undone = state.apply(transaction)));
      if (sources.write(undone.doc) !== text) wrong.push(`${file} after undo`);
    }
    expect(wrong).toEqual([]);
    expect(counts.unverified).toBe(0);
    // All of the full run: 1,293 of 1,311.
    expect(counts.exact).toBeGreaterThan(files.length * 0.95);
  });

  it('a letter that is typed at the start of a README changes only its block', () => {
    const wrong = files.filter(({ text }) => {
      const sources = new Sources();
      const state = EditorState.create({ doc: sources.read(text) });
      const [end = 0] = sources.layoutOf(state.doc).to;
      const { doc } = state.apply(state.tr.insertText('q', Selection.atStart(state.doc).from));
      const after = sources.write(doc);
      const [typedEnd = 0] = sources.layoutOf(doc).to;
      const isSame = after.slice(typedEnd) === text.slice(end);
      return after === text || (!isSame && !startsWithDefinition(text));
    });
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  it('a letter that is typed into a README with Windows line breaks keeps all of them', () => {
    const wrong: string[] = [];
    for (const [seed, { file, text }] of files.entries()) {
      const { state, sources } = typed(text, seed);
      if (!state) continue;
      const original = new OriginalText(text.replaceAll('\n', '\r\n'));
      const after = sources.write(state.doc);
      original.change(after);
      if (original.text !== after.replaceAll('\n', '\r\n')) wrong.push(file);
    }
    expect(wrong).toEqual([]);
  });
});

/** Types a letter into a word of the text. `place` is the range of its block. */
function typed(text: string, seed: number) {
  const sources = new Sources();
  const opened = EditorState.create({ doc: sources.read(text), plugins: [history()] });
  const layout = sources.layoutOf(opened.doc);
  const places = wordsIn(opened.doc);
  const at = places[(seed * 7919) % Math.max(1, places.length)];
  const index = at === undefined ? 0 : opened.doc.resolve(at).index(0);
  const place = { from: layout.from[index] ?? 0, to: layout.to[index] ?? 0 };
  const state = at === undefined ? undefined : opened.apply(opened.tr.insertText('q', at));
  return { sources, state, place };
}

function isOneLetter(before: string, after: string): boolean {
  let at = 0;
  while (at < before.length && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  return after.charAt(at) === 'q' && after.slice(at + 1) === before.slice(at);
}

/** Returns positions after the first letter of words, one for each text. */
function wordsIn(doc: Node): number[] {
  const places: number[] = [];
  doc.descendants((node, position) => {
    const at = node.text?.search(/\w/) ?? -1;
    if (at !== -1) places.push(position + at + 1);
  });
  return places;
}
