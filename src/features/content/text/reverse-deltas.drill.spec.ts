import { drillCount } from '../../../../test/support/drills.js';
import { applyDeltas, makeDelta } from './reverse-deltas.js';

const EDITS = drillCount({ small: 250, full: 1_000 });

/** Returns sentences that are all different. */
const prose = (units: number) => {
  let text = '';
  let state = 1;
  while (text.length < units) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += `${(state >>> 7).toString(36)}${state % 11 === 0 ? '.\n' : ' '}`;
  }
  return text.slice(0, units);
};

describe('a chain of deltas', () => {
  it('stores a thousand edits of a long text in a fraction of its size, and applies them quickly', () => {
    const first = prose(1024 * 1024);
    const deltas: string[] = [];
    let current = first;
    for (let edit = 0; edit < EDITS; edit += 1) {
      const place = (edit * 7_919_317) % current.length;
      const next = `${current.slice(0, place)}edit ${String(edit)}${current.slice(place + (edit % 9))}`;
      deltas.unshift(makeDelta(next, current));
      current = next;
    }
    expect(deltas.join('').length).toBeLessThan(100 * EDITS);
    const started = performance.now();
    expect(applyDeltas(current, deltas)).toBe(first);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
