import { setTimeout as wait } from 'node:timers/promises';

interface PollerOptions {
  /** How long at most until it looks again. */
  everyMs: number;
  /** Does a bounded piece of work; whether there is more to do at once. */
  work: () => Promise<boolean>;
  /** Called with the first of several failures in a row. */
  onFailure: (error: unknown) => void;
}

/** Does its work at once, whenever it is woken, and at least every so often; never twice at the same time. */
export class Poller {
  private isStopped = false;
  private isWoken = false;
  private isFailing = false;
  private endSleep: () => void = () => undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: PollerOptions) {}

  start(): void {
    this.running = this.run();
  }

  /** There may be something to do. */
  wake(): void {
    this.isWoken = true;
    this.endSleep();
  }

  /** Resolves when the piece of work in flight is done; no other one begins. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      this.isWoken = false;
      try {
        await this.workOff();
        this.isFailing = false;
      } catch (error) {
        if (!this.isFailing) this.options.onFailure(error);
        this.isFailing = true;
      }
      await this.sleep();
    }
  }

  private async workOff(): Promise<void> {
    while (await this.options.work()) if (this.isStopped) return;
  }

  private async sleep(): Promise<void> {
    if (this.isWoken) return;
    const woken = new AbortController();
    this.endSleep = () => {
      woken.abort();
    };
    // A process that has nothing else to do may end.
    const options = { signal: woken.signal, ref: false };
    await wait(this.options.everyMs, undefined, options).catch(() => undefined);
  }
}
