import { Injectable } from '@nestjs/common';
import {
  AppError,
  invalidFields,
  type FieldProblem,
} from '../../../platform/basics/errors/app-error.js';
import { LongTextsService } from '../../content/long-texts/long-texts.service.js';
import { contentProblem, titleProblem } from '../../content/text-fields.js';
import { changedFields } from '../../content/versioning/field-map.js';
import { DOCUMENT_FIELDS, type Document, type DocumentFields } from '../model/document-fields.js';
import {
  DocumentVersionsRepository,
  type WholeVersion,
} from '../versions/document-versions.repository.js';
import type { RequestedFields } from './document-change.js';

/** The fields that merge by lines and words, with their checks. */
const TEXTS = { title: titleProblem, content: contentProblem } as const;
const TEXT_NAMES = Object.keys(TEXTS) as (keyof typeof TEXTS)[];
/** The other fields that a replacement sets. */
const VALUE_NAMES = ['type', 'metadata', 'aiSettings', 'status', 'externalId'] as const;

/** Maximum overlaps in an error, and maximum UTF-16 units of their texts together. */
const MAX_OVERLAPS = 100;
const MAX_OVERLAP_UNITS = 256 * 1024;

/** A passage, or another field, that the request and later versions changed differently. */
interface FieldOverlap {
  field: string;
  yours: string | null;
  theirs: string | null;
}

type SetFields = Partial<DocumentFields>;

/** Merges changes of older versions with the current one (docs/adr/0013-concurrent-changes-and-safe-retries.md). */
@Injectable()
export class ChangeMergingService {
  constructor(
    private readonly versions: DocumentVersionsRepository,
    private readonly texts: LongTextsService,
  ) {}

  /**
   * Returns what a merge patch of `baseVersion` sets in the current version. Title and content merge; other fields are set
   * as without a base version. Throws `bad_request` for a base version that is newer than the current one, and `conflict`
   * if it is not stored or if both changed the same passage.
   */
  async patched(
    current: Document,
    fields: SetFields,
    baseVersion: number | undefined,
  ): Promise<RequestedFields> {
    const base = await this.baseOf(current, baseVersion);
    return base ? this.withTexts(current, base, fields, []) : fields;
  }

  /**
   * Returns what a replacement of `baseVersion` sets in the current version. Title and content merge. Another field keeps
   * its current value unless the request differs from the base version there. Throws the errors of {@link patched}.
   */
  async replaced(
    current: Document,
    fields: DocumentFields,
    baseVersion: number | undefined,
  ): Promise<RequestedFields> {
    const base = await this.baseOf(current, baseVersion);
    if (!base) return fields;
    const [yours, theirs] = [fields, current].map(
      (state) => new Set(changedFields(DOCUMENT_FIELDS, VALUE_NAMES, base, state)),
    ) as [Set<string>, Set<string>];
    const apart = changedFields(DOCUMENT_FIELDS, VALUE_NAMES, current, fields);
    const overlaps = apart
      .filter((field) => yours.has(field) && theirs.has(field))
      .map((field) => ({ field, yours: fields[field], theirs: current[field] }));
    const values = VALUE_NAMES.map((name) => [name, (yours.has(name) ? fields : current)[name]]);
    return this.withTexts(
      current,
      base,
      { ...fields, ...(Object.fromEntries(values) as SetFields) },
      overlaps,
    );
  }

  /**
   * Returns undefined if there is nothing to merge: no base version, or the current one. Throws the errors of
   * {@link patched} about versions.
   */
  async baseOf(
    current: Document,
    baseVersion: number | undefined,
  ): Promise<WholeVersion | undefined> {
    const { version } = current;
    if (baseVersion === undefined || baseVersion === version) return undefined;
    if (baseVersion > version) throw newerThanCurrent(version);
    const base = await this.versions.find(current, baseVersion);
    if (!base) throw baseNotStored(baseVersion, version);
    return base;
  }

  private async withTexts(
    current: Document,
    base: WholeVersion,
    fields: SetFields,
    overlaps: readonly FieldOverlap[],
  ): Promise<RequestedFields> {
    const names = TEXT_NAMES.filter((name) => fields[name] !== undefined);
    if (names.length === 0) return fields;
    const sides = names.map((name) => ({
      base: base[name],
      yours: fields[name] ?? '',
      theirs: current[name],
    }));
    const merged = await this.texts.merged(current.accountId, sides);
    const inTexts = names.flatMap((field, index) =>
      (merged[index]?.overlaps ?? []).map(({ yours, theirs }) => ({ field, yours, theirs })),
    );
    const all = [...inTexts, ...overlaps];
    if (all.length > 0) throw bothChanged(current.version, all);
    const texts = Object.fromEntries(names.map((name, index) => [name, merged[index]?.text]));
    requireValid(texts);
    return { ...fields, ...texts, origin: { type: 'merge', baseVersion: base.number } };
  }
}

/** Throws `bad_request` if a merged text is too long, or if a merged title is blank. */
function requireValid(texts: Readonly<Record<string, unknown>>): void {
  const [first, ...rest] = TEXT_NAMES.flatMap((field): FieldProblem[] => {
    const issue = field in texts ? TEXTS[field](texts[field]) : undefined;
    return issue === undefined ? [] : [{ field, issue: `as merged, ${issue}` }];
  });
  if (first) throw invalidFields([first, ...rest]);
}

/** Returns the error for a base version that does not exist yet. */
export function newerThanCurrent(version: number): AppError {
  return invalidFields([
    {
      field: 'baseVersion',
      issue: `must not be greater than the current version, ${String(version)}`,
    },
  ]);
}

/** Returns the error for a base version that was deleted. */
function baseNotStored(baseVersion: number, version: number): AppError {
  return new AppError(
    'conflict',
    `Version ${String(baseVersion)} is not stored, so your change cannot be merged with version ${String(version)}. Read the document and apply your change to it.`,
    { field: 'baseVersion', issue: 'is not stored', version },
  );
}

/** Returns the error for passages that both sides changed. Nothing was written. */
export function bothChanged(version: number, all: readonly FieldOverlap[]): AppError {
  const overlaps: FieldOverlap[] = [];
  let units = 0;
  for (const overlap of all) {
    units += (overlap.yours?.length ?? 0) + (overlap.theirs?.length ?? 0);
    if (overlaps.length === MAX_OVERLAPS || units > MAX_OVERLAP_UNITS) break;
    overlaps.push(overlap);
  }
  const omitted = all.length - overlaps.length;
  return new AppError(
    'conflict',
    `The document has changed in the same places since your base version, and nothing was written. Put the texts together, and send the result with baseVersion ${String(version)}.`,
    { version, overlaps, ...(omitted > 0 && { omitted }) },
    { confidentialDetails: ['overlaps'] },
  );
}
