import { Injectable } from '@nestjs/common';
import { invalidFields, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import { decodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { Access } from '../auth/access/access.js';
import { publishingOff } from '../documents/publishing/publishing-errors.js';
import { PublishingSettingsRepository } from '../documents/publishing/publishing-settings.repository.js';
import { DocumentVersionsRepository } from '../documents/versions/document-versions.repository.js';
import {
  MAX_BYTES,
  noSuchDocument,
  noSuchVersion,
  releaseTooLarge,
  type ReleaseAction,
  type ReleaseItem,
} from './release.js';
import { ReleasesRepository, type ReleasableDocument } from './releases.repository.js';

/** A document of a release, as a request names it. */
export interface RequestedItem {
  /** Public ID. */
  id: string;
  action: ReleaseAction;
  version?: number | null | undefined;
}

/** Checks the documents that a request puts into a release, and fixes their versions. */
@Injectable()
export class ReleaseItemsService {
  constructor(
    private readonly releases: ReleasesRepository,
    private readonly settings: PublishingSettingsRepository,
    private readonly versions: DocumentVersionsRepository,
  ) {}

  /**
   * Returns the documents of a release. If it is scheduled, versions that the request omits are the current ones. Throws
   * `conflict` if publishing is off, `bad_request` for unknown and repeated documents and unknown versions, `forbidden` if
   * the caller cannot edit all documents, and `payload_too_large`.
   */
  async plan(
    requested: readonly RequestedItem[],
    access: Access,
    { isScheduled }: { isScheduled: boolean },
  ): Promise<ReleaseItem[]> {
    if (!(await this.settings.isEnabled(access.accountId))) throw publishingOff();
    const ids = requested.map(({ id }) => decodeId('document', id) ?? '');
    const valid = ids.filter((id) => id !== '');
    const documents = await this.releases.documents(access, valid);
    requireKnown(ids, documents);
    const items: ReleaseItem[] = [];
    let bytes = 0;
    for (const [index, { action, version }] of requested.entries()) {
      const document = documents.get(ids[index] ?? '');
      if (!document) throw new Error('A document was not checked.');
      access.requireRight('editor', document.collectionId);
      const field = `items[${String(index)}].version`;
      if (version != null && version > document.version)
        throw noSuchVersion(field, document.version);
      if (action === 'publish') bytes += await this.bytesOf(document, version, access);
      if (bytes > MAX_BYTES) throw releaseTooLarge();
      const fixed = action === 'publish' && isScheduled ? document.version : null;
      items.push({
        documentId: document.id,
        action,
        version: version ?? fixed,
        seenNumber: isScheduled ? document.lastNumber : null,
        outcome: null,
        problems: [],
        place: document,
      });
    }
    return items;
  }

  /** Returns the size of the content of a version, by default the current one. */
  private async bytesOf(
    { id, version: current, bytes }: ReleasableDocument,
    version: number | null | undefined,
    { accountId }: Access,
  ): Promise<number> {
    if (version == null || version === current) return bytes;
    const found = await this.versions.find({ accountId, id }, version);
    return Buffer.byteLength(found?.content ?? '');
  }
}

/** Throws `bad_request` with each document that is unknown or repeated. */
function requireKnown(
  ids: readonly string[],
  documents: ReadonlyMap<string, ReleasableDocument>,
): void {
  const [first, ...rest] = ids.flatMap((id, index): FieldProblem[] => {
    if (!documents.has(id)) return [noSuchDocument(index)];
    const same = ids.indexOf(id);
    if (same === index) return [];
    const field = `items[${String(index)}].id`;
    return [{ field, issue: `repeats items[${String(same)}]` }];
  });
  if (first) throw invalidFields([first, ...rest]);
}
