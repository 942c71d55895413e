import { Failure } from '../../../api/failure.js';
import { tagsOf, withTyped, type Document, type DocumentType } from '../document-types.js';
import { metadataChanges, metadataRows, sameJson, type MetadataRow } from '../metadata-form.js';

/** The fields of a document other than title and content, as entered. */
export interface Details {
  type: DocumentType;
  tags: string[];
  /** Text in the tags field that is not entered yet. It is saved as a tag, too. */
  typedTags: string;
  rows: MetadataRow[];
  language: string;
  autoEnhance: boolean;
}

export type Described = Pick<Document, 'type' | 'metadata' | 'aiSettings'>;

export const NO_DETAILS: Described = { type: 'document', metadata: {}, aiSettings: {} };

export function detailsOf({ type, metadata, aiSettings }: Described): Details {
  return {
    type,
    tags: tagsOf({ metadata }),
    typedTags: '',
    rows: metadataRows(metadata),
    language: typeof aiSettings.language === 'string' ? aiSettings.language : '',
    autoEnhance: aiSettings.autoEnhance === true,
  };
}

/** A draft of the details: the initial fields, and the current ones. */
export interface DetailsDraft {
  base: Details;
  yours: Details;
}

/** Statuses after which the same patch is not sent again. */
const REFUSALS = new Set([400, 403, 413, 422]);

/** The details of one document while they are edited. */
export class EditedDetails {
  yours: Details;
  private document: Described;
  private edits = 0;
  private refused: { patch: string; failure: Failure } | undefined;
  /** The service accepted these changes and stored an equivalent form. They must not be sent again. */
  private stored: string | undefined;

  constructor(document: Described) {
    this.document = document;
    this.yours = detailsOf(document);
  }

  get draft(): DetailsDraft {
    return { base: detailsOf(this.document), yours: this.yours };
  }

  /** The merge patch from the document to the fields; undefined if there is none to send. */
  get patch(): { metadata?: Record<string, unknown> } | undefined {
    const { type, tags, typedTags, rows, language, autoEnhance } = this.yours;
    const before = detailsOf(this.document);
    const { patch: metadata } = metadataChanges(
      this.document.metadata,
      rows,
      withTyped(tags, typedTags),
    );
    const aiSettings = {
      ...(language.trim() !== before.language && { language: language.trim() || null }),
      ...(autoEnhance !== before.autoEnhance && { autoEnhance }),
    };
    const patch = {
      ...(type !== before.type && { type }),
      ...(metadata && { metadata }),
      ...(Object.keys(aiSettings).length > 0 && { aiSettings }),
    };
    const isEmpty = Object.keys(patch).length === 0 || JSON.stringify(patch) === this.stored;
    return isEmpty ? undefined : patch;
  }

  /** A message about why the details cannot be sent. */
  get problems(): string[] {
    return metadataChanges(this.document.metadata, this.yours.rows, []).problems;
  }

  get isUnsaved(): boolean {
    return this.patch !== undefined || this.problems.length > 0;
  }

  get canSend(): boolean {
    const { patch } = this;
    return patch !== undefined && JSON.stringify(patch) !== this.refused?.patch;
  }

  get needDocument(): boolean {
    const { tags, typedTags, rows } = this.yours;
    const hasRow = rows.some(({ key, value }) => key.trim() !== '' && value !== '');
    return withTyped(tags, typedTags).length > 0 || hasRow;
  }

  get failure(): Failure | undefined {
    if (this.patch !== undefined && !this.canSend) return this.refused?.failure;
    const [problem] = this.problems;
    return problem === undefined ? undefined : new Failure(problem, 400);
  }

  /** Drops all edits. */
  discard(): void {
    this.edit(detailsOf(this.document));
  }

  edit(changes: Partial<Details>): void {
    this.yours = { ...this.yours, ...changes };
    this.edits += 1;
    this.stored = undefined;
  }

  /** Continues a draft with the current document. */
  restore({ base, yours }: DetailsDraft): void {
    this.yours = rebaseDetails(base, yours, detailsOf(this.document));
  }

  /** Sends the patch with `request`, and remembers rejected patches. */
  async send<Doc extends Described>(request: (patch: object) => Promise<Doc>): Promise<Doc> {
    const patch = this.patch ?? {};
    const { edits } = this;
    const sent = this.yours;
    let document: Doc;
    try {
      document = await request(patch);
    } catch (error) {
      const isRefused = error instanceof Failure && REFUSALS.has(error.status);
      if (isRefused) this.refused = { patch: JSON.stringify(patch), failure: error };
      throw error;
    }
    this.take(document, sent);
    const rest = this.patch;
    if (rest && this.edits === edits) this.stored = JSON.stringify(rest);
    return document;
  }

  /**
   * Merges a version of the document and keeps edits. `sent` are the fields that it was made of, if this page sent it.
   */
  take(document: Described, sent?: Details): void {
    const before = detailsOf(this.document);
    const now = detailsOf(document);
    this.document = document;
    this.yours = rebaseDetails(sent ? baseOfSent(before, sent, now) : before, this.yours, now);
  }
}

/** Changes that this page sent are not changes by somebody else. */
function baseOfSent(before: Details, sent: Details, now: Details): Details {
  const keys = new Set(sent.rows.map(({ key }) => key.trim()));
  const rows = [
    ...now.rows.filter(({ key }) => keys.has(key)),
    ...before.rows.filter(({ key }) => !keys.has(key)),
  ];
  return { ...before, rows, tags: withTyped(sent.tags, sent.typedTags) };
}

/** Applies the edits from `base` to `yours` to `theirs`. If both sides changed the same field, yours wins. */
export function rebaseDetails(base: Details, yours: Details, theirs: Details): Details {
  const pick = <Name extends 'type' | 'language' | 'autoEnhance'>(name: Name): Details[Name] =>
    yours[name] === base[name] ? theirs[name] : yours[name];
  return {
    type: pick('type'),
    language: pick('language'),
    autoEnhance: pick('autoEnhance'),
    tags: rebaseTags(base, yours, theirs.tags),
    typedTags: yours.typedTags,
    rows: rebaseRows(base.rows, yours.rows, theirs.rows),
  };
}

function rebaseTags(base: Details, yours: Details, theirs: readonly string[]): string[] {
  const before = withTyped(base.tags, base.typedTags);
  const now = withTyped(yours.tags, yours.typedTags);
  if (yours.typedTags === '' && sameJson(before, now)) return [...theirs];
  const added = theirs.filter((tag) => !before.includes(tag) && !now.includes(tag));
  const isKept = (tag: string) => !before.includes(tag) || theirs.includes(tag);
  return [...yours.tags.filter(isKept), ...added];
}

function rebaseRows(
  base: readonly MetadataRow[],
  yours: readonly MetadataRow[],
  theirs: readonly MetadataRow[],
): MetadataRow[] {
  const byKey = (rows: readonly MetadataRow[]) =>
    new Map(rows.map((row) => [row.key.trim(), row] as const));
  const [before, mine, now] = [byKey(base), byKey(yours), byKey(theirs)];
  const kept = yours.flatMap((row) => {
    const key = row.key.trim();
    if (row.value !== before.get(key)?.value) return [row];
    const their = now.get(key);
    return their ? [their.value === row.value ? row : their] : [];
  });
  const added = theirs.filter(({ key }) => !before.has(key) && !mine.has(key));
  return [...kept, ...added];
}
