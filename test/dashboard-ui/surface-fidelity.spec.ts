import type { Node } from 'prosemirror-model';
import { EditorState, type Transaction } from 'prosemirror-state';
import { applyEdits, textEdits } from '../../packages/text-merge/src/text-edits.js';
import { Sources } from '../../packages/dashboard/src/pages/documents/editor/surface/sources.js';
import { readmes } from '../browser/support/readmes.js';
import { drillCases } from '../support/drills.js';

const files = drillCases(
  readmes().map(({ file, text }) => ({ file, text: text.replaceAll(/\r\n?/g, '\n') })),
  (_, index) => index % 10 === 0,
);

describe('a README in the editor', () => {
  it('stays byte for byte the same when nobody edits it', () => {
    const changed = files.filter(({ text }) => {
      const sources = new Sources();
      return sources.write(sources.read(text)) !== text;
    });
    expect(changed.map(({ file }) => file)).toEqual([]);
  });

  it('changes only in the block in which a letter is typed', () => {
    let [outside, exact, blocks] = [0, 0, 0];
    const rewritten: string[] = [];
    const counts = { spliced: 0, merged: 0, written: 0, unverified: 0 };
    for (const [seed, { file, text }] of files.entries()) {
      const sources = new Sources();
      let state = EditorState.create({ doc: sources.read(text) });
      const before = sources.layoutOf(state.doc);
      blocks += before.children.length;
      const places = textPlaces(state.doc);
      const place = places[(seed * 7919) % Math.max(1, places.length)];
      if (place === undefined) continue;
      state = state.apply(state.tr.insertText('q', place));
      const after = sources.write(state.doc);
      const index = state.doc.resolve(place).index(0);
      const [from = 0, to = 0] = [before.from[index], before.to[index]];
      const isKept =
        after.startsWith(text.slice(0, from)) && after.endsWith(text.slice(to)) && after !== text;
      if (!isKept) outside += 1;
      if (isOneLetter(text, after)) exact += 1;
      else rewritten.push(file);
      for (const key of Object.keys(counts) as (keyof typeof counts)[])
        counts[key] += sources.counts[key];
    }
    report(
      `${String(files.length)} READMEs, ${String(blocks)} blocks: ${String(exact)} exact, ${JSON.stringify(counts)}, rewritten: ${rewritten.join(' ')}`,
    );
    expect(outside).toBe(0);
    expect(counts.unverified).toBe(0);
  });
});

function isOneLetter(before: string, after: string): boolean {
  if (after.length !== before.length + 1) return false;
  let at = 0;
  while (before[at] === after[at] && at < before.length) at += 1;
  return after[at] === 'q' && after.slice(at + 1) === before.slice(at);
}

/** Returns the positions of letters in the texts of a document. */
function textPlaces(doc: Node): number[] {
  const places: number[] = [];
  doc.descendants((node, position) => {
    if (node.isText && /\w/.test(node.text ?? ''))
      places.push(position + 1 + (node.text ?? '').search(/\w/));
  });
  return places;
}

function report(line: string): void {
  if (process.env['REPORT']) process.stdout.write(`${line}\n`);
}
