import type { Access, PlacedDocument } from '../auth/access/access.js';
import {
  AppError,
  invalidFields,
  type FieldProblem,
} from '../../platform/basics/errors/app-error.js';
import type { DocumentPeople } from '../documents/model/document-row.js';
import { PUBLICATION_CHECKS } from '../documents/publishing/publication-checks.js';

/** `open` has no time, so it waits until somebody publishes it. */
export const RELEASE_STATUSES = ['open', 'scheduled', 'published', 'failed', 'canceled'] as const;
export type ReleaseStatus = (typeof RELEASE_STATUSES)[number];

export const RELEASE_ACTIONS = ['publish', 'unpublish'] as const;
export type ReleaseAction = (typeof RELEASE_ACTIONS)[number];

/** `superseded`: skipped, because a newer version was published since, or there was nothing to unpublish. */
export const ITEM_OUTCOMES = ['published', 'unpublished', 'superseded'] as const;
export type ItemOutcome = (typeof ITEM_OUTCOMES)[number];

/** What can keep a document from being published. */
export const RELEASE_CHECKS = [
  'publishing',
  'document',
  'status',
  'version',
  'late',
  ...PUBLICATION_CHECKS,
] as const;
export type ReleaseCheck = (typeof RELEASE_CHECKS)[number];

/** Why a document cannot be published or unpublished. */
export interface ReleaseProblem {
  check: ReleaseCheck;
  /** A sentence that says what to do. */
  issue: string;
  /** The public ID of the analysis that found it. */
  analysisId?: string;
}

/** A document to publish or unpublish. IDs are UUIDs. */
export interface ReleaseItem {
  documentId: string;
  action: ReleaseAction;
  /** Null for the current version, until the release is scheduled or published. Always null for `unpublish`. */
  version: number | null;
  /** The number of the document's last publication when the version was fixed. Null unless the release was scheduled. */
  seenNumber: number | null;
  /** Null until the release is published. */
  outcome: ItemOutcome | null;
  problems: readonly ReleaseProblem[];
  /** Where the document is now. Null if it was permanently deleted. */
  place: PlacedDocument | null;
}

/** Documents that are published or unpublished together. IDs are UUIDs. */
export interface Release extends DocumentPeople {
  id: string;
  accountId: string;
  /** Null for the schedule of a document. */
  title: string | null;
  status: ReleaseStatus;
  publishAt: Date | null;
  /** IANA name of the zone to show the time in. */
  timeZone: string | null;
  /** Increases with each change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** When it was published, failed or was canceled. */
  finishedAt: Date | null;
  /** In the order of the request. */
  items: readonly ReleaseItem[];
}

/** A release as a caller sees it. */
export interface VisibleRelease extends Release {
  /** The number of items that the caller cannot see; `items` has the others. */
  hiddenItems: number;
}

export const MAX_TITLE_CHARACTERS = 200;
export const MAX_ITEMS = 100;
/** Of all texts together. They are published in one transaction. */
export const MAX_BYTES = 8 * 1024 ** 2;
/** Open and scheduled releases of an account. */
export const MAX_PENDING = 500;
export const MAX_YEARS_AHEAD = 5;
/** A release that is later fails instead. */
export const MAX_HOURS_LATE = 24;
/** Missing analyses are ordered again this long before a release is due, and a release waits this long for them. */
export const ANALYSIS_MINUTES = 10;

export function isPending({ status }: Pick<Release, 'status'>): boolean {
  return status === 'open' || status === 'scheduled';
}

/** Returns the release with the items that the caller can see; undefined if there is none. */
export function seenBy(access: Access, release: Release): VisibleRelease | undefined {
  const items = release.items.filter(({ place }) =>
    place === null ? access.isWhole : access.includes(place),
  );
  if (items.length === 0) return undefined;
  return { ...release, items, hiddenItems: release.items.length - items.length };
}

/** Throws `forbidden` unless the caller can edit all documents of the release. */
export function requireEditor(access: Access, { items, hiddenItems }: VisibleRelease): void {
  if (hiddenItems > 0) throw hasHiddenItems();
  for (const { place } of items) if (place) access.requireRight('editor', place.collectionId);
}

/** Returns the error for changing a release with documents that the caller cannot see. */
export function hasHiddenItems(): AppError {
  return new AppError(
    'forbidden',
    'This release also contains documents that you cannot see. Ask somebody who can edit all of its documents.',
    { requiredRight: 'editor' },
  );
}

/** Returns the error for changing a release that is no longer open or scheduled. */
export function releaseEnded(status: ReleaseStatus): AppError {
  return new AppError(
    'conflict',
    `The status of this release is ${status}, so it cannot change any more. Create another one.`,
    { status },
  );
}

/** Returns the error for a patch of a document's schedule. */
export function changesSchedule(): AppError {
  return new AppError(
    'conflict',
    'This is the schedule of a document. Change it with PUT /v1/documents/{id}/schedule.',
  );
}

/** Returns the error for an account with the maximum number of open and scheduled releases. */
export function tooManyReleases(): AppError {
  return new AppError(
    'conflict',
    `This account has ${String(MAX_PENDING)} open and scheduled releases, which is the maximum. Cancel or publish some of them.`,
    { limit: MAX_PENDING },
  );
}

/** Returns the error for texts that are too large together. */
export function releaseTooLarge(): AppError {
  return new AppError(
    'payload_too_large',
    `The texts of a release can have at most ${String(MAX_BYTES / 1024 ** 2)} MiB together. Split it into several releases.`,
    { limit: MAX_BYTES },
  );
}

/** Returns the error for a release that cannot be published now. It stays as it is. */
export function releaseRefused(
  items: readonly { id: string; problems: readonly ReleaseProblem[] }[],
): AppError {
  const [first] = items.flatMap(({ problems }) => problems);
  return new AppError(
    'conflict',
    `Nothing was published, because ${String(items.length)} of the documents cannot be: ${first?.issue ?? ''}`,
    { reason: 'items', items },
  );
}

/** Returns the error for a document without a schedule. */
export function noSchedule(): AppError {
  return new AppError('not_found', 'This document has no schedule.');
}

/** Returns the error for documents of a release that do not exist or that the caller cannot see. */
export function noSuchDocument(index: number): FieldProblem {
  return {
    field: `items[${String(index)}].id`,
    issue: 'is not the ID of a document that you can see and that is not in the trash',
  };
}

/** Returns the error for a version that a document does not have. */
export function noSuchVersion(field: string, current: number): AppError {
  return invalidFields([
    { field, issue: `must not be greater than the current version, ${String(current)}` },
  ]);
}

/** Returns the error for a time that is over or too far ahead. */
export function invalidTime(field: string): AppError {
  return invalidFields([
    {
      field,
      issue: `must be in the future, and at most ${String(MAX_YEARS_AHEAD)} years ahead`,
    },
  ]);
}
