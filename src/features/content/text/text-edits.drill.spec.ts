import { applyEdits, MAX_EDITS, type TextEdit } from './text-edits.js';

const MIB = 1024 * 1024;

describe('editing a text', () => {
  it('refuses edits that together exceed the work limit', async () => {
    const swaps = Array.from({ length: MAX_EDITS }, (_, index): TextEdit =>
      index % 2 === 0
        ? { op: 'replace', find: 'a', with: 'b', all: true }
        : { op: 'replace', find: 'b', with: 'a', all: true },
    );
    const outcome = await applyEdits('a'.repeat(MIB), swaps, MIB);
    expect(outcome).toMatchObject({ done: false, reason: 'too_much_work' });
  });
});
