import { EngineWarmUp } from '../../src/features/analysis/providers/offline/engine-warm-up.js';
import { OfflineProvider } from '../../src/features/analysis/providers/offline/offline-provider.js';
import { BackgroundWork } from '../../src/platform/background/background-work.js';
import { ThreadPool } from '../../src/platform/threads/thread-pool.js';
import { startTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';

/** Returns the accounts whose texts the engine has begun to analyze. */
function watchEngine() {
  const spy = jest.spyOn(OfflineProvider.prototype, 'analyze');
  return {
    accounts: () => spy.mock.calls.map(([{ accountId }]) => accountId),
    finished: () => Promise.all(spy.mock.results.map(({ value }) => value as Promise<unknown>)),
  };
}

describe('the warm-up of the analysis engine', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each(['api', 'worker', 'all'])(
    'the warm-up of the analysis engine analyzes one text in threads after the start: %s',
    async (role) => {
      const engine = watchEngine();
      const app = await startTestApp({ environment: { WARM_UP: 'true', PROCESS_ROLE: role } });
      try {
        await eventually(() => engine.accounts().length > 0);
        await engine.finished();
        expect(engine.accounts()).toEqual(['warm-up']);
        expect(ThreadPool.tasks()).toEqual({ running: 0, waiting: 0 });
      } finally {
        await app.close();
      }
    },
  );

  it('the warm-up of the analysis engine starts only when the process listens', async () => {
    const starts: (() => unknown)[] = [];
    jest.spyOn(BackgroundWork.prototype, 'run').mockImplementation((start) => {
      starts.push(start);
    });
    const engine = watchEngine();
    const app = await startTestApp({ environment: { WARM_UP: 'true' } });
    expect(engine.accounts()).toEqual([]);
    await Promise.all(starts.map((start) => start()));
    expect(engine.accounts()).toEqual(['warm-up']);
    await app.close();
  });

  it.each([
    ['with WARM_UP=false', 'false', 8 * 1024 ** 3],
    ['in a container with little memory', 'true', 500 * 1024 ** 2],
  ])('the warm-up of the analysis engine is left out %s', async (_, WARM_UP, availableMemory) => {
    jest.spyOn(EngineWarmUp.prototype, 'availableBytes').mockReturnValue(availableMemory);
    const engine = watchEngine();
    const started: Promise<unknown>[] = [];
    jest.spyOn(BackgroundWork.prototype, 'run').mockImplementation((start) => {
      started.push(Promise.resolve(start()));
    });
    const app = await startTestApp({ environment: { WARM_UP } });
    await Promise.all(started);
    expect(engine.accounts()).toEqual([]);
    await app.close();
  });

  it('the warm-up of the analysis engine ends with the process', async () => {
    const engine = watchEngine();
    const app = await startTestApp({ environment: { WARM_UP: 'true' } });
    await eventually(() => engine.accounts().length > 0);
    await app.close();
    expect(ThreadPool.tasks()).toEqual({ running: 0, waiting: 0 });
  });
});
