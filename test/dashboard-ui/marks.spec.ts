import { applyEdits, type Edit } from '@document-service/text-merge/text-edits';
import fc from 'fast-check';
import { Marks } from '../../packages/dashboard/src/pages/documents/editor/marks.js';
import { changesBetween } from '../../packages/dashboard/src/pages/documents/editor/text-changes.js';
import { propertyRuns } from '../support/property-runs.js';

/** Returns the passage that a mark has after the text changed. */
function passageAfter(before: string, passage: string, after: string, edits?: Edit[]): string {
  const marks = new Marks();
  const from = before.indexOf(passage);
  marks.set('suggestions', [{ id: '1', from, to: from + passage.length }], before.length);
  marks.move(before, after, edits);
  const [mark] = marks.all;
  return after.slice(mark?.from, mark?.to);
}

describe('a marked passage', () => {
  it.each([
    ['I saw teh cat.', 'teh', 'I really saw teh cat.', 'teh'],
    ['I saw teh cat.', 'teh', 'I saw teh big cat.', 'teh'],
    ['I saw teh cat.', 'teh', 'I saw the cat.', 'the'],
    ['I saw the cat.', 'the', 'I saw teh cat.', 'teh'],
    ['I saw cat.', 'cat', 'I saw cats.', 'cats'],
    ['I saw teh cat.', 'saw teh', 'I saw quite teh cat.', 'saw quite teh'],
    ['I saw teh cat.', 'teh', 'I saw cat.', ''],
    ['one\ntwo\nthree', 'two', 'one\ntwo\nnew\nthree', 'two'],
  ])('a marked passage of %j, %j, is in %j the text %j', (before, passage, after, expected) => {
    expect(passageAfter(before, passage, after)).toBe(expected);
  });

  it('a marked passage becomes the text that replaces exactly it, and what is inserted beside it stays outside', () => {
    const edits = [
      { from: 2, to: 2, insert: 'new ' },
      { from: 2, to: 5, insert: 'cats' },
      { from: 5, to: 5, insert: '!' },
    ];
    const replaced = edits.slice(1, 2);
    expect(passageAfter('a cat', 'cat', 'a cats', replaced)).toBe('cats');
    const beside = [edits[0], edits[2]].filter((edit) => edit !== undefined);
    expect(passageAfter('a cat', 'cat', applyEdits('a cat', beside), beside)).toBe('cat');
  });

  it.each([
    ['It ended. New.', '', 9, 'It ended. Old. New.', ' Old.'],
    ['It ended. New.', '', 14, 'It ended. New. Last.', ' Last.'],
    ['one\n\ntwo', '', 3, 'one\n\nnew\n\ntwo', '\n\nnew'],
    ['one\n\ntwo', '', 5, 'one\n\nnew\n\ntwo', 'new\n\n'],
    ['a a a', '', 2, 'a a a a', 'a '],
  ])('a marked passage of %j, the empty %j at %i, is in %j the inserted %j, and empty again after undo', (before, original, at, after, inserted) => {
    const marks = new Marks();
    marks.set('suggestions', [{ id: '1', from: at, to: at, original }], before.length);
    marks.move(before, after);
    const [mark] = marks.all;
    expect(after.slice(mark?.from, mark?.to)).toBe(inserted);
    marks.move(after, before);
    expect(marks.all).toMatchObject([{ from: at, to: at }]);
  }); // prettier-ignore

  it('a marked passage is shown only while it has its original text', () => {
    const marks = new Marks();
    marks.set('issues', [{ id: '1', from: 2, to: 5, original: 'cat' }], 5);
    expect(marks.shownIn('a cat')).toHaveLength(1);
    marks.move('a cat', 'a cats');
    expect(marks.shownIn('a cats')).toHaveLength(0);
    marks.move('a cats', 'a cat');
    expect(marks.shownIn('a cat')).toHaveLength(1);
  });

  it('the changes between two texts turn one into the other', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'bc', ' ', '\n', '\n\n', '-'), { maxLength: 30 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        expect(applyEdits(before, changesBetween(before, after))).toBe(after);
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });
});
