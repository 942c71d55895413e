import { del, get, set } from 'idb-keyval';
import { asFailure } from '../../../api/failure.js';

/** Suggestions that are edits of the text by now, by the id of their set. */
type Accepted = Record<string, string[]>;

/** Records suggestions as accepted. Throws a failure of the service. */
type RecordAcceptance = (enhancementId: string, suggestionIds: string[]) => Promise<void>;

/** Maximum number of suggestions in a request. */
const BATCH = 500;
/** Statuses after which the same request fails again, such as for a set that was deleted. */
const REFUSALS = new Set([400, 403, 404, 409]);

/**
 * Suggestions that the person has accepted. Accepting one edits the text at once; the service learns of it after the text
 * is saved. The list is stored in the browser until then, so that it outlives a reload and an outage.
 */
export class Acceptances {
  private accepted: Accepted = {};
  private recording: Promise<void> | undefined;

  /** `key` returns the place in the browser's storage. */
  constructor(
    private readonly key: () => string,
    private readonly record: RecordAcceptance,
  ) {}

  /** Reads what an earlier visit left behind. */
  async load(): Promise<void> {
    const stored = await get<Accepted>(this.key()).catch(() => undefined);
    for (const [enhancementId, ids] of Object.entries(stored ?? {})) this.add(enhancementId, ids);
  }

  has(suggestionId: string): boolean {
    return Object.values(this.accepted).some((ids) => ids.includes(suggestionId));
  }

  add(enhancementId: string, suggestionIds: readonly string[]): void {
    const ids = new Set([...(this.accepted[enhancementId] ?? []), ...suggestionIds]);
    this.accepted = { ...this.accepted, [enhancementId]: [...ids] };
    this.store();
  }

  /** Forgets suggestions whose edit was undone. */
  remove(suggestionIds: ReadonlySet<string>): void {
    const kept = Object.entries(this.accepted).map(
      ([enhancementId, ids]) =>
        [enhancementId, ids.filter((id) => !suggestionIds.has(id))] as const,
    );
    this.accepted = Object.fromEntries(kept.filter(([, ids]) => ids.length > 0));
    this.store();
  }

  /** Tells the service. Called when the text is saved. What fails is sent again after the next save. */
  send(): void {
    this.recording ??= this.sendAll().finally(() => {
      this.recording = undefined;
    });
  }

  private async sendAll(): Promise<void> {
    for (const [enhancementId, all] of Object.entries(this.accepted)) {
      for (let at = 0; at < all.length; at += BATCH) {
        const ids = all.slice(at, at + BATCH);
        try {
          await this.record(enhancementId, ids);
        } catch (error) {
          if (!REFUSALS.has(asFailure(error).status)) return;
        }
        this.remove(new Set(ids));
      }
    }
  }

  private store(): void {
    const isEmpty = Object.keys(this.accepted).length === 0;
    // A browser that stores nothing forgets them with the page.
    (isEmpty ? del(this.key()) : set(this.key(), this.accepted)).catch(() => undefined);
  }
}
