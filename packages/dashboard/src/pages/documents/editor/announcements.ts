import type { ChangeOfOthers } from './autosave.js';

/** Minimum time between two announcements, in ms. Somebody who types saves every few seconds. */
const PAUSE = 10_000;

/** Announces changes of others to assistive technology, at most once in ten seconds. */
export class Announcements {
  private waiting = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastAt = -Infinity;

  /** `say` is called with one sentence. */
  constructor(private readonly say: (sentence: string) => void) {}

  add({ name = 'Someone', passages }: ChangeOfOthers): void {
    this.waiting.set(name, (this.waiting.get(name) ?? 0) + passages);
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        this.lastAt = Date.now();
        const sentences = [...this.waiting].map(([who, count]) => sentenceOf(who, count));
        this.waiting.clear();
        this.say(sentences.join(' '));
      },
      Math.max(0, this.lastAt + PAUSE - Date.now()),
    );
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

function sentenceOf(who: string, count: number): string {
  return `${who} changed ${count === 1 ? '1 passage' : `${String(count)} passages`}.`;
}
