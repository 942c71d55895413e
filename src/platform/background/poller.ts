import { setTimeout as wait } from 'node:timers/promises';

interface PollerOptions {
  /** Maximum time between two runs. */
  everyMs: number;
  /** Runs a bounded batch. Returns true if there may be more to do. */
  work: () => Promise<boolean>;
  /** Called with the first of several consecutive errors. */
  onFailure: (error: unknown) => void;
}

/** Runs work at startup, when woken, and periodically. Runs never overlap. */
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

  wake(): void {
    this.isWoken = true;
    this.endSleep();
  }

  /** Resolves when the batch in flight has finished. Starts no other batch. */
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
    // Do not keep an idle process alive.
    const options = { signal: woken.signal, ref: false };
    await wait(this.options.everyMs, undefined, options).catch(() => undefined);
  }
}
