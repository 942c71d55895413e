export interface Heading {
  /** Position in the editor. */
  from: number;
  /** 1 to 3. */
  level: number;
  text: string;
}

type Listener = (headings: readonly Heading[]) => void;

/** Pause in typing after which the headings are read, in ms. */
const REST = 300;

/** Reports the headings of a text to listeners, and again after changes. */
export class HeadingsWatch {
  private readonly listeners = new Set<Listener>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly read: () => readonly Heading[]) {}

  /** Returns a function that stops it. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    this.tellSoon(0);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** Called after the text changed. */
  tellSoon(rest = REST): void {
    if (this.listeners.size === 0) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const headings = this.read();
      for (const listener of this.listeners) listener(headings);
    }, rest);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
