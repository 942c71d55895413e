import { asFailure, type Failure } from '../../../api/failure.js';
import type { components } from '../../../api/v1-schema.js';
import { blocksOf, requestFor, type Block, type CheckRequest } from './blocks.js';

export type Issue = components['schemas']['Issue'];

/** An issue in the current text, in editor positions. */
export interface PlacedIssue extends Issue {
  /** Unique in the text. The same finding in two equal sentences has one `id`. */
  key: string;
}

/** What a panel shows of the checks. */
export interface Checks {
  issues: readonly PlacedIssue[];
  isChecking: boolean;
  /** Why checking stopped for now. */
  problem: string | undefined;
  /** Length of the text that is checked only on request, in UTF-16 units. */
  unchecked: number;
}

interface CheckerPorts {
  /** Checks blocks. Throws `Failure`. */
  check: (request: CheckRequest, signal: AbortSignal) => Promise<readonly Issue[]>;
  /** Returns the marks of the shown issues, which moved with the text. */
  marks: () => readonly { id: string; from: number; to: number; isOriginal: boolean }[];
  /** Marks the issues in the editor, whose text is the one of the last `setText`. */
  mark: (issues: readonly PlacedIssue[]) => void;
  /** Returns the position at the top of the window. */
  position: () => number;
}

/** Pause after the last key before a check, in ms. */
export const PAUSE = 2_000;
/** Maximum length of the text that is checked when the panel opens, in UTF-16 units. */
export const UNASKED = 16_000;
/** Longer blocks are not checked, in UTF-16 units. The service accepts 65,536. */
const LONGEST_BLOCK = 60_000;
/** Delay after a failure, in ms. It doubles with each further one. */
const RETRY = { first: 5_000, most: 60_000, quota: 60 * 60 * 1000 };
/** Maximum number of blocks whose issues are remembered. */
const REMEMBERED = 5_000;

const PAUSED = 'Checking is paused. It continues automatically.';
const USED_UP = "Today's limit for checks is reached. Checking continues tomorrow.";

/**
 * Checks a text while somebody writes, two seconds after the last key. Requests contain only the blocks that changed,
 * and one is in flight at a time (docs/adr/0037-checks-as-people-type.md).
 */
export class Checker {
  private text: string | undefined;
  private blocks: readonly Block[] = [];
  /** Issues by the text of their block, in positions of the block. */
  private readonly known = new Map<string, readonly Issue[]>();
  /** Texts of blocks that are checked only on request. */
  private readonly skipped = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private flight: { request: CheckRequest; controller: AbortController } | undefined;
  private failures = 0;
  private isStopped = false;
  private checks: Checks = { issues: [], isChecking: false, problem: undefined, unchecked: 0 };
  private readonly listeners = new Set<() => void>();
  private isShown: (issue: Issue) => boolean = () => true;

  constructor(private readonly ports: CheckerPorts) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  /** Returns the same object until something changes. */
  readonly snapshot = (): Checks => this.checks;

  /** Takes the text of the editor. The first one is checked at once, later ones after a pause. */
  setText(text: string): void {
    if (text === this.text) return;
    const isFirst = this.text === undefined;
    this.text = text;
    if (isFirst) {
      this.read();
      this.skipFarBlocks();
      this.run();
    } else if (this.failures === 0) this.schedule(PAUSE);
  }

  /** Shows only these issues from now on. */
  filter(isShown: (issue: Issue) => boolean): void {
    this.isShown = isShown;
    if (this.text !== undefined) this.publish({});
  }

  /** Also checks the blocks that were skipped because the text is long. */
  checkAll(): void {
    this.skipped.clear();
    this.run();
  }

  /** Checks blocks again, because a rule or the dictionary changed. A check in flight may have used the former one. */
  forget(isOutdated: (block: string) => boolean = () => true): void {
    for (const text of [...this.known.keys()]) if (isOutdated(text)) this.known.delete(text);
    if (this.flight?.request.blocks.some(({ text }) => isOutdated(text))) this.abort();
    this.run();
  }

  /** Continues after a failure, for example when the browser is online again. */
  resume(): void {
    if (this.failures > 0) this.run();
  }

  /** Returns the request that finds an issue again. */
  requestOf({ start, end }: Pick<PlacedIssue, 'start' | 'end'>): CheckRequest | undefined {
    this.read();
    const block = this.blocks.find(({ from, to }) => from <= start && end <= to);
    return block && requestFor(this.text ?? '', this.blocks, [block]);
  }

  start(): void {
    this.isStopped = false;
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.abort();
    this.text = undefined;
  }

  private abort(): void {
    this.flight?.controller.abort();
    this.flight = undefined;
  }

  private schedule(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.run();
    }, delay);
  }

  private read(): void {
    this.blocks = blocksOf(this.text ?? '');
  }

  private skipFarBlocks(): void {
    let length = 0;
    for (const { text } of this.nearestFirst(this.blocks)) {
      length += text.length;
      if (length > UNASKED) this.skipped.add(text);
    }
  }

  private nearestFirst(blocks: readonly Block[]): Block[] {
    const position = this.ports.position();
    const distance = ({ from, to }: Block) => Math.max(from - position, position - to, 0);
    return [...blocks].sort((one, other) => distance(one) - distance(other));
  }

  /** Starts the next request, unless one is in flight that is still useful. */
  private run(): void {
    if (this.isStopped || this.text === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.read();
    const texts = new Set(this.blocks.map(({ text }) => text));
    if (this.flight) {
      if (this.flight.request.blocks.every(({ text }) => texts.has(text))) return;
      this.abort();
    }
    const pending = this.blocks.filter(
      ({ text }) =>
        text.length <= LONGEST_BLOCK && !this.known.has(text) && !this.skipped.has(text),
    );
    if (pending.length === 0) {
      this.publish({ isChecking: false, problem: undefined });
      return;
    }
    const request = requestFor(this.text, this.blocks, this.nearestFirst(pending));
    const flight = { request, controller: new AbortController() };
    this.flight = flight;
    this.update({ isChecking: true });
    this.ports.check(request, flight.controller.signal).then(
      (issues) => {
        if (this.flight !== flight) return;
        this.flight = undefined;
        this.failures = 0;
        this.remember(request, issues);
        this.publish({ problem: undefined });
        // Otherwise somebody is typing, and the next check waits for a pause.
        if (this.timer === undefined) this.run();
        else this.update({ isChecking: false });
      },
      (error: unknown) => {
        if (this.flight !== flight) return;
        this.flight = undefined;
        if (!flight.controller.signal.aborted) this.fail(asFailure(error));
      },
    );
  }

  private remember({ blocks, ranges }: CheckRequest, issues: readonly Issue[]): void {
    blocks.forEach(({ text }, index) => {
      const { start = 0, end = 0 } = ranges[index] ?? {};
      this.known.delete(text);
      this.known.set(
        text,
        issues
          .filter((issue) => issue.start >= start && issue.end <= end)
          .map((issue) => ({ ...issue, start: issue.start - start, end: issue.end - start })),
      );
    });
    for (const text of this.known.keys()) {
      if (this.known.size <= REMEMBERED) break;
      this.known.delete(text);
    }
  }

  private fail(failure: Failure): void {
    const { status, retryAfter, isUnavailable } = failure;
    this.failures += 1;
    if (isUnavailable || status === 429 || status === 500) {
      const delay = Math.min(RETRY.most, RETRY.first * 2 ** (this.failures - 1));
      this.schedule(Math.max(delay, (retryAfter ?? 0) * 1000));
      this.update({ isChecking: false, problem: PAUSED });
    } else if (status === 403 && failure.details.quota !== undefined) {
      this.schedule(RETRY.quota);
      this.update({ isChecking: false, problem: USED_UP });
    } else {
      // The next change of the text may help.
      this.failures = 0;
      this.update({ isChecking: false, problem: failure.message });
    }
  }

  /** Shows the issues of the current text. Blocks that are not checked yet keep the issues that are still in them. */
  private publish(changes: Partial<Checks>): void {
    this.read();
    const shown = new Map(this.checks.issues.map((issue) => [issue.key, issue]));
    const marks = this.ports.marks();
    const seen = new Map<string, number>();
    const issues: PlacedIssue[] = [];
    const add = (issue: Issue, start: number, end: number) => {
      const count = seen.get(issue.id) ?? 0;
      seen.set(issue.id, count + 1);
      const key = count === 0 ? issue.id : `${issue.id}-${String(count)}`;
      issues.push({ ...issue, key, start, end });
    };
    let next = 0;
    for (const { from, to, text } of this.blocks) {
      const known = this.known.get(text);
      for (const issue of known ?? []) add(issue, from + issue.start, from + issue.end);
      while ((marks[next]?.from ?? Infinity) < from) next += 1;
      for (let mark = marks[next]; mark && mark.from < to; mark = marks[next]) {
        next += 1;
        const issue = shown.get(mark.id);
        if (!known && issue && mark.isOriginal && mark.to <= to) add(issue, mark.from, mark.to);
      }
    }
    const skipped = this.blocks.filter(({ text }) => this.skipped.has(text));
    const unchecked = skipped.reduce((sum, { text }) => sum + text.length, 0);
    const open = issues.filter((issue) => issue.status === 'open' && this.isShown(issue));
    this.ports.mark(open);
    this.update({ ...changes, issues: open, unchecked });
  }

  private update(changes: Partial<Checks>): void {
    this.checks = { ...this.checks, ...changes };
    for (const listener of this.listeners) listener();
  }
}
