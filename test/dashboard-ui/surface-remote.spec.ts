import fc from 'fast-check';
import { EditorState, TextSelection } from 'prosemirror-state';
import { history, undo } from 'prosemirror-history';
import { withPlainLineBreaks } from '../../packages/dashboard/src/pages/documents/editor/line-breaks.js';
import {
  bare,
  looksSame,
} from '../../packages/dashboard/src/pages/documents/editor/surface/bare.js';
import { changeTo } from '../../packages/dashboard/src/pages/documents/editor/surface/remote-change.js';
import { Sources } from '../../packages/dashboard/src/pages/documents/editor/surface/sources.js';
import { readmes } from '../browser/support/readmes.js';
import { propertyRuns } from '../support/property-runs.js';

const texts = readmes()
  .map(({ text }) => withPlainLineBreaks(text))
  .filter(({ length }) => length > 300 && length < 20_000);

function open(text: string) {
  const sources = new Sources();
  const state = EditorState.create({ doc: sources.read(text), plugins: [history()] });
  return { sources, state };
}

/** Takes in newer text. */
function receive({ sources, state }: ReturnType<typeof open>, text: string) {
  const transaction = changeTo(state, sources, text);
  return { sources, state: transaction ? state.apply(transaction) : state, transaction };
}

function withCaret(opened: ReturnType<typeof open>, word: string) {
  const offset = opened.sources.write(opened.state.doc).indexOf(word);
  const position = opened.sources.positionAt(opened.state.doc, offset, 1) ?? 0;
  const { state } = opened;
  return {
    ...opened,
    state: state.apply(state.tr.setSelection(TextSelection.create(state.doc, position))),
  };
}

describe('text that others wrote', () => {
  it('the document reads as the newer text, and a caret in another block keeps its word', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.nat(),
        fc.nat(),
        fc.constantFrom('word', 'insert', 'delete', 'split'),
        (text, mine, theirs, kind) => {
          const opened = open(text);
          const { from, to, children } = opened.sources.layoutOf(opened.state.doc);
          const own = mine % children.length;
          const other = theirs % children.length;
          if (own === other) return;
          const [start = 0, end = 0] = [from[other], to[other]];
          const block = text.slice(start, end);
          const changed = {
            word: block.replace(/\w+/, 'newer words'),
            insert: `New paragraph.\n\n${block}`,
            delete: '',
            split: block.replace(' ', '\n\n'),
          }[kind];
          const newer = text.slice(0, start) + changed + text.slice(end);
          // The text of a whole block identifies it.
          const ownText = children[own]?.textContent ?? '';
          const position = opened.state.doc.content.content
            .slice(0, own)
            .reduce((sum, { nodeSize }) => sum + nodeSize, 0);
          const selection = TextSelection.near(opened.state.doc.resolve(position));
          const state = opened.state.apply(opened.state.tr.setSelection(selection));
          const isHere = selection.head > position && selection.$head.index(0) === own;
          const result = receive({ ...opened, state }, newer);
          expect(result.sources.write(result.state.doc)).toBe(newer);
          const fresh = new Sources().read(newer);
          expect(looksSame(bare(result.state.doc).node, bare(fresh).node)).toBe(true);
          const isKept = fresh.content.content.some(({ textContent }) => textContent === ownText);
          const { $head } = result.state.selection;
          if (isHere && isKept && ownText !== '') {
            expect($head.parent.textContent).toBe(selection.$head.parent.textContent);
            expect($head.parentOffset).toBe(selection.$head.parentOffset);
          }
        },
      ),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it.each([
    ['blank lines', 'One.\n\n\n\nTwo *three*.\n\nEnd.\n'],
    ['other signs', 'One.\n\nTwo _three_.\n\nEnd.\n'],
    ['the end of the text', 'One.\n\nTwo *three*.\n\nEnd.'],
  ])('a caret stays where it is if others only change the Markdown: %s', (_, newer) => {
    for (const word of ['One', 'Two', 'End']) {
      const opened = withCaret(open('One.\n\nTwo *three*.\n\nEnd.\n'), word);
      const { state, sources } = receive(opened, newer);
      expect(sources.write(state.doc)).toBe(newer);
      expect(state.doc.eq(new Sources().read(newer))).toBe(true);
      const { $head } = state.selection;
      expect($head.parent.textContent.slice($head.parentOffset)).toMatch(new RegExp(`^${word}`));
      const typed = state.apply(state.tr.insertText('x'));
      expect(sources.write(typed.doc)).toBe(newer.replace(word, `x${word}`));
    }
  });

  it('a word that others change leaves the caret in the same paragraph where it is', () => {
    const opened = withCaret(open('One two *three* four.\n\nEnd.\n'), 'four');
    const { state, sources } = receive(opened, 'One 2 *three* four.\n\nEnd.\n');
    expect(state.selection.$head.parent.textContent.slice(state.selection.$head.parentOffset)).toBe(
      'four.',
    );
    expect(sources.write(state.doc)).toBe('One 2 *three* four.\n\nEnd.\n');
  });

  it('marks that others add are changed without replacing text', () => {
    const { transaction } = receive(open('One two three.\n'), 'One **two** three.\n');
    expect(
      transaction?.steps.map((step) => (step.toJSON() as { stepType: string }).stepType),
    ).toEqual(['addMark']);
  });

  it('undo removes what was typed and keeps the newer text', () => {
    const opened = open('One.\n\nTwo.\n');
    const typed = { ...opened, state: opened.state.apply(opened.state.tr.insertText('x', 1)) };
    const received = receive(typed, 'xOne.\n\nTwo and more.\n');
    let { state } = received;
    undo(state, (transaction) => (state = state.apply(transaction)));
    expect(received.sources.write(state.doc)).toBe('One.\n\nTwo and more.\n');
  });

  it('a definition that others change changes the links that use it', () => {
    const { state, sources } = receive(open('[a][b]\n\n[b]: /one\n'), '[a][b]\n\n[b]: /two\n');
    expect(state.doc.firstChild?.firstChild?.marks[0]?.attrs['href']).toBe('/two');
    expect(sources.write(state.doc)).toBe('[a][b]\n\n[b]: /two\n');
  });

  it.each([
    ['an empty document gets text', '', 'One.\n\nTwo.\n'],
    ['a document gets blank text', 'One.\n\nTwo.\n', '\n \n'],
    ['a document becomes empty', 'One.\n\nTwo.\n', ''],
    ['only blank lines change', 'One.\n\nTwo.\n', '\nOne.\n\n\n\nTwo.'],
    [
      'a fence opens and nothing closes it',
      'One.\n\nTwo.\n\nThree.\n',
      'One.\n\n```\nTwo.\n\nThree.\n',
    ],
    ['a list item becomes loose', '- a\n- b\n- c\n', '- a\n\n- b\n- c\n'],
    ['two lists become one', '- a\n\n* b\n', '- a\n\n- b\n'],
  ])('%s: the document reads as the newer text', (_, before, after) => {
    const { state, sources } = receive(open(before), after);
    expect(sources.write(state.doc)).toBe(after);
    expect(looksSame(bare(state.doc).node, bare(new Sources().read(after)).node)).toBe(true);
  });

  it('the same text changes nothing', () => {
    const { sources, state } = open('One.\n');
    expect(changeTo(state, sources, 'One.\n')).toBeUndefined();
  });
});
