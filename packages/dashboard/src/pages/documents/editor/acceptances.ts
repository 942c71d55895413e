import { del, get, set } from 'idb-keyval';
import { asFailure } from '../../../api/failure.js';

/** A suggestion that the person accepted. */
interface Acceptance {
  id: string;
  enhancementId: string;
  /** The replacement, with `\n` as line break. */
  value: string;
}

/** Records suggestions as accepted. Throws `Failure`. */
type RecordAcceptance = (enhancementId: string, suggestionIds: string[]) => Promise<void>;

/** Maximum number of suggestions per request. */
const BATCH = 500;
/** Statuses after which a retry would fail again, for example if the set was deleted. */
const REFUSALS = new Set([400, 403, 404, 409]);

/**
 * Suggestions that the person accepted. Accepting edits the text immediately, but the service is told only after the
 * text with the replacement is saved. Until then, the browser stores the list, so that it survives a reload and an
 * outage.
 */
export class Acceptances {
  private readonly accepted = new Map<string, Acceptance>();
  /** Suggestions whose replacement is in the text. Undo removes one, and redo adds it again. */
  private applied: ReadonlySet<string> = new Set();
  private recording: Promise<void> | undefined;

  /** `key` returns the key in the browser's storage. */
  constructor(
    private readonly key: () => string,
    private readonly record: RecordAcceptance,
  ) {}

  /** Reads what an earlier visit stored. */
  async load(): Promise<void> {
    const stored = await get<Acceptance[]>(this.key()).catch(() => undefined);
    if (stored) this.add(stored);
  }

  has(suggestionId: string): boolean {
    return this.accepted.has(suggestionId);
  }

  get isEmpty(): boolean {
    return this.accepted.size === 0;
  }

  add(acceptances: readonly Acceptance[]): void {
    for (const acceptance of acceptances) this.accepted.set(acceptance.id, acceptance);
    this.setApplied(new Set([...this.applied, ...acceptances.map(({ id }) => id)]));
  }

  /** Called after each change of the text. `isApplied` returns whether the replacement of a suggestion is in it. */
  review(isApplied: (acceptance: Acceptance) => boolean): void {
    if (this.isEmpty) return;
    const applied = [...this.accepted.values()].filter(isApplied).map(({ id }) => id);
    this.setApplied(new Set(applied));
  }

  /**
   * Reports the suggestions in the saved text to the service, without `except`. Failed ones are sent again after the
   * next save.
   */
  send(except: ReadonlySet<string>): void {
    const ids = [...this.applied].filter((id) => !except.has(id));
    if (ids.length === 0) return;
    this.recording ??= this.sendAll(ids).finally(() => {
      this.recording = undefined;
    });
  }

  private async sendAll(ids: readonly string[]): Promise<void> {
    const sets = new Map<string, string[]>();
    for (const id of ids) {
      const { enhancementId } = this.accepted.get(id) ?? {};
      if (enhancementId === undefined) continue;
      sets.set(enhancementId, [...(sets.get(enhancementId) ?? []), id]);
    }
    for (const [enhancementId, all] of sets) {
      for (let at = 0; at < all.length; at += BATCH) {
        const batch = all.slice(at, at + BATCH);
        try {
          await this.record(enhancementId, batch);
        } catch (error) {
          if (!REFUSALS.has(asFailure(error).status)) return;
        }
        for (const id of batch) this.accepted.delete(id);
        this.setApplied(new Set([...this.applied].filter((id) => this.accepted.has(id))));
      }
    }
  }

  private setApplied(applied: ReadonlySet<string>): void {
    const isSame =
      applied.size === this.applied.size && [...applied].every((id) => this.applied.has(id));
    if (isSame) return;
    this.applied = applied;
    const stored = [...this.accepted.values()].filter(({ id }) => applied.has(id));
    // Without storage, they are lost with the page.
    (stored.length === 0 ? del(this.key()) : set(this.key(), stored)).catch(() => undefined);
  }
}
