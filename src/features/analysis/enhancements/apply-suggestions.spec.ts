import fc from 'fast-check';
import { rebaseRanges } from '@document-service/text-merge/rebase-ranges';
import {
  applyEdits,
  compatibleEdits,
  overlap,
  placesOf,
  rangeAfter,
  type Edit,
} from './apply-suggestions.js';
import { propertyRuns } from '../../../../test/support/property-runs.js';

const sentence = fc.constantFrom(
  'teh cat.',
  'a 🙂 teh b?',
  'é́ teh',
  'two words',
  '永和九年。',
  'x',
  '',
);
const joint = fc.constantFrom(' ', '\n', '\r\n', '\n\n');
const text = fc
  .array(fc.tuple(sentence, joint), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.flat().join(''));
const place = fc.double({ min: 0, max: 1, noNaN: true });
const wishes = fc.array(
  fc.tuple(place, place, fc.constantFrom('', 'the', '🙂', 'new\nline', 'É')),
  { maxLength: 8 },
);

function editsOf(content: string, made: readonly (readonly [number, number, string])[]): Edit[] {
  return made.map(([one, other, value], index) => {
    const [start = 0, end = 0] = [one, other]
      .map((part) => Math.floor(part * content.length))
      .sort((a, b) => a - b);
    // Confidences that differ and are not in text order.
    return { id: String(index), start, end, value, confidence: ((index * 7) % 10) / 10 };
  });
}

describe('the edits of a text', () => {
  it('that overlap: the one with the highest confidence is applied, and the others name it', () => {
    const edit = (id: string, start: number, end: number, confidence: number) => ({
      ...{ id, start, end, confidence, value: 'x' },
    });
    const { edits, conflicts } = compatibleEdits([
      edit('a', 0, 10, 0.5),
      edit('b', 4, 8, 0.9),
      edit('c', 9, 12, 0.6),
      edit('d', 20, 25, 0.1),
      edit('e', 7, 9, 0.8),
    ]);
    expect(edits.map(({ id }) => id)).toEqual(['b', 'c', 'd']);
    expect(conflicts).toEqual([
      { id: 'e', with: 'b' },
      { id: 'a', with: 'b' },
    ]);
  });

  it('change their passages and no other character', () => {
    fc.assert(
      fc.property(text, wishes, (content, made) => {
        const all = editsOf(content, made);
        const { edits, conflicts } = compatibleEdits(all);
        expect(edits.length + conflicts.length).toBe(all.length);
        let [rest, expected] = [content, ''];
        let at = 0;
        for (const { start, end, value } of edits) {
          expected += rest.slice(0, start - at) + value;
          rest = rest.slice(end - at);
          at = end;
        }
        expect(applyEdits(content, edits)).toBe(expected + rest);
      }),
    );
  });

  it('give the same text in any order, one at a time or all at once', () => {
    fc.assert(
      fc.property(text, wishes, fc.infiniteStream(place), (content, made, random) => {
        const { edits } = compatibleEdits(editsOf(content, made));
        const order = edits
          .map((edit) => ({ edit, rank: random.next().value as number }))
          .sort((one, other) => one.rank - other.rank);
        const atOnce = applyEdits(content, edits);
        expect(applyEdits(content, order.map(({ edit }) => edit))).toBe(atOnce); // prettier-ignore
        let current = content;
        let left = order.map(({ edit }) => edit);
        while (left.length > 0) {
          const [next, ...others] = left;
          if (!next) break;
          // Two insertions at the edges of a passage are applied in this order.
          if (
            others.some(
              (other) =>
                other.start === next.start || other.end === next.start || other.start === next.end,
            )
          )
            return;
          current = applyEdits(current, [next]);
          left = others.map((other) => ({ ...other, ...rangeAfter(other, [next]) }));
        }
        expect(current).toBe(atOnce);
      }),
    );
  });

  it('that are applied never overlap, and each rejected one names the edit that it overlaps', () => {
    fc.assert(
      fc.property(text, wishes, (content, made) => {
        const { edits, conflicts } = compatibleEdits(editsOf(content, made));
        for (const [index, edit] of edits.entries()) {
          for (const other of edits.slice(index + 1)) expect(overlap(edit, other)).toBe(false);
        }
        const kept = edits.map(({ id }) => id);
        for (const conflict of conflicts) expect(kept).toContain(conflict.with);
      }),
    );
  });

  it('leave every other passage unchanged, or report that it changed', () => {
    fc.assert(
      fc.property(text, wishes, wishes, (content, made, others) => {
        const { edits } = compatibleEdits(editsOf(content, made));
        const after = applyEdits(content, edits);
        for (const { start, end } of editsOf(content, others)) {
          const range = rangeAfter({ start, end }, edits);
          const touched = edits.some((edit) => overlap(edit, { start, end }));
          expect(range === null).toBe(touched);
          if (range) expect(after.slice(range.start, range.end)).toBe(content.slice(start, end));
        }
      }),
    );
  });

  it('replace exactly their passages in a text that others have changed in the meantime', () => {
    fc.assert(
      fc.property(text, wishes, wishes, (content, theirs, made) => {
        const after = applyEdits(content, compatibleEdits(editsOf(content, theirs)).edits);
        const ours = editsOf(content, made);
        const moved = rebaseRanges(content, after, ours);
        const standing = ours.flatMap((edit, index) => {
          const range = moved[index];
          return range ? [{ ...edit, ...range }] : [];
        });
        for (const { id, start, end } of standing) {
          const first = ours.find((edit) => edit.id === id);
          expect(after.slice(start, end)).toBe(content.slice(first?.start, first?.end));
        }
        const { edits } = compatibleEdits(standing);
        const result = applyEdits(after, edits);
        // Everything between the passages is unchanged and in order.
        let at = 0;
        let from = 0;
        for (const { start, end, value } of edits) {
          const untouched = after.slice(from, start);
          expect(result.slice(at, at + untouched.length)).toBe(untouched);
          at += untouched.length + value.length;
          from = end;
        }
        expect(result.slice(at)).toBe(after.slice(from));
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });
});

describe('the line and column of a position', () => {
  it('count from 1, in UTF-16 units', () => {
    expect(placesOf('🙂a\r\n\nb', [0, 2, 5, 6, 7])).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 3 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 3, column: 2 },
    ]);
  });
});
