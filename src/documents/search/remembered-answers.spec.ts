import { RememberedAnswers } from './remembered-answers.js';

const state = 'one';

describe('remembered answers', () => {
  it('are at most so many, and the one not asked for the longest goes first', () => {
    const answers = new RememberedAnswers<string>({ answers: 2, bytes: 1e6 }, (text) => text);
    answers.set('a', { state, answer: 'A' });
    answers.set('b', { state, answer: 'B' });
    expect(answers.get('a')).toEqual({ state, answer: 'A' });
    answers.set('c', { state, answer: 'C' });
    expect(['a', 'b', 'c'].map((key) => answers.get(key)?.answer)).toEqual(['A', undefined, 'C']);
  });

  it('take at most so many bytes, keys too, and one that is larger than all of them is not kept', () => {
    const answers = new RememberedAnswers<string>({ answers: 100, bytes: 10_000 }, (text) => text);
    answers.set('a', { state, answer: 'A'.repeat(2_000) });
    answers.set('b'.repeat(2_000), { state, answer: 'B' });
    expect(answers.get('a')).toBeDefined();
    answers.set('c', { state, answer: 'C'.repeat(2_000) });
    expect(answers.get('b'.repeat(2_000))).toBeUndefined();
    answers.set('d', { state, answer: 'D'.repeat(5_000) });
    expect(answers.get('d')).toBeUndefined();
    expect(answers.get('a')).toBeDefined();
    // The new answer is too large, and the old one is not true any more.
    answers.set('a', { state: 'two', answer: 'A'.repeat(5_000) });
    expect(answers.get('a')).toBeUndefined();
  });
});
