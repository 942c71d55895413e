import fc from 'fast-check';
import { applyEdits, type EditRefusal, type TextEdit } from './text-edits.js';
import { propertyRuns } from '../../../../test/support/property-runs.js';

const MIB = 1024 * 1024;

const edited = async (text: string, ...edits: TextEdit[]) => {
  const outcome = await applyEdits(text, edits, MIB);
  return outcome.done ? outcome.text : `${outcome.problem.field} ${outcome.reason}`;
};

describe('editing a text', () => {
  it.each<[string, string, TextEdit[], string]>([
    ['replaces', 'a b c', [{ op: 'replace', find: 'b', with: 'x' }], 'a x c'],
    [
      'replaces all',
      'a b a',
      [{ op: 'replace', find: 'a', with: '$&aa', all: true }],
      '$&aa b $&aa',
    ],
    [
      'replaces from the left',
      'aaaaa',
      [{ op: 'replace', find: 'aa', with: 'b', all: true }],
      'bba',
    ],
    ['appends', 'a', [{ op: 'append', text: '\nb' }], 'a\nb'],
    ['inserts', 'ab', [{ op: 'insert', at: 1, text: '-' }], 'a-b'],
    ['inserts at the end by number', 'ab', [{ op: 'insert', at: 2, text: '-' }], 'ab-'],
    ['inserts at the start', 'ab', [{ op: 'insert', at: 'start', text: '-' }], '-ab'],
    ['inserts at the end', 'ab', [{ op: 'insert', at: 'end', text: '-' }], 'ab-'],
    ['inserts into nothing', '', [{ op: 'insert', at: 0, text: 'x' }], 'x'],
    ['counts UTF-16 units', '👍b', [{ op: 'insert', at: 2, text: '-' }], '👍-b'],
    ['deletes', 'a b c', [{ op: 'delete', find: ' b' }], 'a c'],
    ['deletes all', 'a-b-c', [{ op: 'delete', find: '-', all: true }], 'abc'],
    [
      'goes on from what it left',
      'a',
      [
        { op: 'append', text: 'b' },
        { op: 'replace', find: 'ab', with: 'xyz' },
        { op: 'insert', at: 3, text: '!' },
      ],
      'xyz!',
    ],
    ['leaves a text alone without edits', 'a', [], 'a'],
  ])('%s', async (_title, text, edits, expected) => {
    expect(await edited(text, ...edits)).toBe(expected);
  });

  const nothing: TextEdit = { op: 'append', text: '' };
  it.each<[string, TextEdit, string, EditRefusal]>([
    ['abc', { op: 'replace', find: 'x', with: 'y' }, 'find', 'not_found'],
    ['abc', { op: 'replace', find: 'x', with: 'y', all: true }, 'find', 'not_found'],
    ['aba', { op: 'replace', find: 'a', with: 'y' }, 'find', 'ambiguous'],
    ['aba', { op: 'replace', find: 'a', with: 'y', all: false }, 'find', 'ambiguous'],
    ['aaa', { op: 'replace', find: 'aa', with: 'y' }, 'find', 'ambiguous'],
    ['aba', { op: 'delete', find: 'a' }, 'find', 'ambiguous'],
    ['abc', { op: 'delete', find: 'x' }, 'find', 'not_found'],
    ['abc', { op: 'delete', find: '' }, 'find', 'empty_find'],
    ['', { op: 'replace', find: '', with: 'x', all: true }, 'find', 'empty_find'],
    ['abc', { op: 'insert', at: 4, text: 'x' }, 'at', 'out_of_range'],
    ['abc', { op: 'insert', at: -1, text: 'x' }, 'at', 'out_of_range'],
    ['abc', { op: 'insert', at: 0.5, text: 'x' }, 'at', 'out_of_range'],
    ['abc', { op: 'insert', at: NaN, text: 'x' }, 'at', 'out_of_range'],
    ['👍', { op: 'insert', at: 1, text: 'x' }, 'at', 'splits_character'],
    ['a', { op: 'append', text: 'é'.repeat(MIB / 2) }, 'text', 'too_large'],
    [
      'a'.repeat(MIB),
      { op: 'replace', find: 'a', with: 'b'.repeat(MIB), all: true },
      'with',
      'too_large',
    ],
  ])(
    'refuses an impossible edit and says which one it is (%#)',
    async (text, edit, member, reason) => {
      expect(await applyEdits(text, [nothing, nothing, edit, nothing], MIB)).toMatchObject({
        done: false,
        index: 2,
        reason,
        problem: { field: `edits[2].${member}` },
      });
    },
  );

  it('gives the positions of an ambiguous text', async () => {
    const outcome = await applyEdits('one two one', [{ op: 'delete', find: 'one' }], MIB);
    expect(outcome).toMatchObject({
      problem: { issue: expect.stringContaining('at 0 and 8') as string },
    });
  });

  it('gives the same result as editing by hand, on any text', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '👍', '\r\n', 'é') });
    const find = fc.string({ unit: fc.constantFrom('a', 'b', '👍'), minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(text, find, text, async (content, part, by) => {
        const all = await edited(content, { op: 'replace', find: part, with: by, all: true });
        const one = await edited(content, { op: 'replace', find: part, with: by });
        const occurs = content.includes(part);
        const twice = content.indexOf(part) !== content.lastIndexOf(part);
        expect(all).toBe(occurs ? content.replaceAll(part, () => by) : 'edits[0].find not_found');
        if (!occurs) expect(one).toBe('edits[0].find not_found');
        else expect(one).toBe(twice ? 'edits[0].find ambiguous' : all);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('finds long texts in nearly identical long texts quickly', async () => {
    const almost = `${'a'.repeat(20_000)}b${'a'.repeat(20_000)}`;
    const text = 'a'.repeat(900_000);
    const started = performance.now();
    expect(await edited(text, { op: 'delete', find: almost })).toBe('edits[0].find not_found');
    expect(await edited(text + almost, { op: 'delete', find: almost })).toBe(text);
    const twice = 'a'.repeat(300) + 'b' + 'a'.repeat(600) + 'b' + 'a'.repeat(300);
    const half = 'a'.repeat(300) + 'b' + 'a'.repeat(300);
    expect(await edited(twice, { op: 'delete', find: half, all: true })).toBe('');
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
