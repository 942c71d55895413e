import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { ModelFailure } from './model-failure.js';
import { runPieces } from './piece-run.js';

const PIECES = Array.from({ length: 20 }, (_, index) => index);
const goesOn = new AbortController().signal;
const later = () => new Promise((resolve) => setImmediate(resolve));

describe('Calls for the pieces of a text', () => {
  it('run three at a time, and return their results in order', async () => {
    let [active, most] = [0, 0];
    const call = async (piece: number) => {
      most = Math.max(most, (active += 1));
      await later();
      active -= 1;
      return piece * 2;
    };
    const { results, failed } = await runPieces(PIECES, call, goesOn);
    expect(results).toEqual(PIECES.map((piece) => piece * 2));
    expect([failed, most]).toEqual([[], 3]);
  });

  it('run one at a time after the server was busy, and try the failed pieces again', async () => {
    const tried: number[] = [];
    let [active, most] = [0, 0];
    const call = async (piece: number) => {
      tried.push(piece);
      most = tried.length > 6 ? Math.max(most, (active += 1)) : most;
      await later();
      if (tried.length > 6) active = Math.max(0, active - 1);
      if (piece < 2 && tried.filter((one) => one === piece).length === 1)
        throw new ModelFailure('busy', '429');
      return piece;
    };
    const { results, failed } = await runPieces(PIECES, call, goesOn);
    expect(results).toEqual(PIECES);
    expect(failed).toEqual([]);
    expect(most).toBe(1);
    expect(tried.slice(-2)).toEqual([0, 1]);
  });

  it.each([
    ['the time limit of the job', new ModelFailure('too-slow', '8')],
    ['the daily tokens', new AppError('forbidden', 'No tokens are left.')],
  ])('end with what they have at %s', async (_, failure) => {
    let count = 0;
    const call = async (piece: number) => {
      await later();
      if ((count += 1) > 5) throw failure;
      return piece;
    };
    const { results, failed } = await runPieces(PIECES, call, goesOn);
    expect(results.filter((one) => one !== undefined)).toHaveLength(5);
    expect(failed).toHaveLength(15);
    expect(failed.every((one) => one.failure === failure)).toBe(true);
    expect(count).toBeLessThan(10);
  });

  it('end early if every piece fails, with the first failure', async () => {
    let count = 0;
    const call = async () => {
      count += 1;
      await later();
      throw new ModelFailure('answer-unusable', 'it is not JSON');
    };
    await expect(runPieces(PIECES, call, goesOn)).rejects.toThrow(/it is not JSON/);
    expect(count).toBeLessThan(8);
  });

  it('end with the reason of their signal, and with errors that are not about the model', async () => {
    const cancelled = new AbortController();
    const reason = new Error('cancelled');
    const call = async (piece: number) => {
      await later();
      if (piece === 4) cancelled.abort(reason);
      if (cancelled.signal.aborted) throw new ModelFailure('broken-off');
      return piece;
    };
    await expect(runPieces(PIECES, call, cancelled.signal)).rejects.toBe(reason);
    const bug = new TypeError('bug');
    await expect(runPieces(PIECES, () => Promise.reject(bug), goesOn)).rejects.toBe(bug);
  });
});
