import { Injectable } from '@nestjs/common';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { PageQueryDto } from '../../platform/http/pagination/page-query.dto.js';
import { readItems, type Page } from '../../platform/http/pagination/read-page.js';
import type { Access } from '../auth/access/access.js';
import { presentDocument, presentDocumentWithoutContent } from '../documents/document.presenter.js';
import type { Document } from '../documents/model/document-fields.js';
import { asPublished } from '../documents/publishing/publications.service.js';
import { PublishingSettingsRepository } from '../documents/publishing/publishing-settings.repository.js';
import { isPending, MAX_BYTES } from './release.js';
import { ReleasePublishingService } from './release-publishing.service.js';
import { ReleasesRepository, type LivePublication } from './releases.repository.js';
import { ReleasesService } from './releases.service.js';

/** Shows what a release publishes. */
@Injectable()
export class ReleasePreviewsService {
  constructor(
    private readonly service: ReleasesService,
    private readonly releases: ReleasesRepository,
    private readonly settings: PublishingSettingsRepository,
    private readonly publishing: ReleasePublishingService,
  ) {}

  /**
   * Returns one page of the documents that the caller can see, as readers would get them, with their problems and what is
   * live, each as JSON. After {@link MAX_BYTES} of contents, documents have none. Throws `not_found`, and `bad_request` for a
   * cursor of another list.
   */
  async page(access: Access, id: string, query: PageQueryDto): Promise<Page<string>> {
    const { accountId } = access;
    const release = await this.service.find(access, id);
    const isEnabled = await this.settings.isEnabled(accountId);
    const isOpen = isPending(release);
    const superseded = isOpen ? await this.releases.superseded(release) : new Set<string>();
    const { rows: items, pagination } = await readItems(release.id, release.items, query);
    const ids = items.map(({ documentId }) => documentId);
    const live = await this.releases.live(accountId, isEnabled ? ids : []);
    const rows: string[] = [];
    let bytes = 0;
    for await (const checked of this.publishing.checked(access, items, { isEnabled })) {
      const { item, published, problems } = checked;
      const { documentId, action, version } = item;
      bytes += Buffer.byteLength(published?.content ?? '');
      const facts = {
        id: encodeId('document', documentId),
        action,
        version: version ?? published?.version ?? null,
        superseded: isOpen ? superseded.has(documentId) : item.outcome === 'superseded',
        problems: isOpen ? problems : item.problems,
        live: presentLive(live.get(documentId)),
      };
      const text = published ? textOf(published, bytes) : 'null';
      rows.push(`${JSON.stringify(facts).slice(0, -1)},"document":${text}}`);
    }
    return { rows, pagination };
  }
}

function presentLive(publication: LivePublication | undefined) {
  if (!publication) return null;
  return { ...publication, publishedAt: publication.publishedAt.toISOString() };
}

function textOf(published: Document, bytes: number): string {
  const document = asPublished(published);
  return bytes > MAX_BYTES ? presentDocumentWithoutContent(document) : presentDocument(document);
}
