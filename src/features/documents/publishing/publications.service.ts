import { Injectable } from '@nestjs/common';
import { auditRow } from '../../audit/audit.repository.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import type { RequestContext } from '../../auth/request-context.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { EventType } from '../../events/catalogue/catalogue.js';
import { presentInParts } from '../document.presenter.js';
import { documentEvent } from '../model/document-events.js';
import type { Document, DocumentStatus } from '../model/document-fields.js';
import type { UsedOverride } from './publication-gate.service.js';
import { PublicationsRepository, type Announcement } from './publications.repository.js';
import { PublishingSettingsRepository } from './publishing-settings.repository.js';

/** The members of events about a publication. */
interface PublicationData {
  changes?: readonly string[];
  from?: DocumentStatus;
  to?: DocumentStatus;
  published: { version: number; number: number; releaseId: string | null; override?: true };
}

/** A version to publish, and the status of its document before. */
interface PublicationStep {
  document: Document;
  from: DocumentStatus;
  /** Set if it has problems. */
  override?: UsedOverride | undefined;
}

/** The UUID of the release that publishes or unpublishes a document, if one does. */
export interface OfRelease {
  releaseId?: string | undefined;
}

/** Publishes versions of documents, and ends their publications, in the transaction of the caller, who has locked the document. */
@Injectable()
export class PublicationsService {
  constructor(
    private readonly settings: PublishingSettingsRepository,
    private readonly publications: PublicationsRepository,
  ) {}

  /** True if the next status publishes the document. Looks nothing up unless the status becomes `published`. */
  async isPublishing(
    { accountId, status }: Document,
    next: DocumentStatus | undefined,
  ): Promise<boolean> {
    if (next !== 'published' || status === 'published') return false;
    return this.settings.isEnabled(accountId);
  }

  /** Makes versions of documents of one account what readers get, and emits `document.published` for each. */
  async publish(
    steps: readonly PublicationStep[],
    context: RequestContext,
    now: Date,
    { releaseId }: OfRelease = {},
  ): Promise<void> {
    if (steps.length === 0) return;
    const numbers = await this.publications.nextNumbers(steps.map(({ document }) => document));
    const publications = steps.map(({ document, from, override }) => {
      const published = asPublished(document);
      const number = numbers.get(document.id) ?? 1;
      const publication = { version: document.version, number, releaseId: shown(releaseId) };
      const data: PublicationData = {
        changes: from === 'published' ? [] : ['status'],
        from,
        to: 'published',
        published: { ...publication, ...(override && { override: true }) },
      };
      return {
        ...announcementOf('document.published', published, context, now, { data, override }),
        document: published,
        number,
        overridden: override !== undefined,
      };
    });
    await this.publications.publish(publications, now, context.principal.user.id);
  }

  /** Ends the publication of a document, if it has one, and emits `document.unpublished` with the text that readers had. */
  async end(
    before: Document,
    context: RequestContext,
    now: Date,
    { releaseId }: OfRelease = {},
  ): Promise<void> {
    const publication = await this.publications.findLocked(before);
    if (!publication) return;
    const { document, number } = publication;
    await this.publications.end(
      document,
      announcementOf('document.unpublished', document, context, now, {
        data: { published: { version: document.version, number, releaseId: shown(releaseId) } },
      }),
    );
  }
}

function shown(releaseId: string | undefined): string | null {
  return releaseId === undefined ? null : encodeId('release', releaseId);
}

/** Returns a document as readers get it, which says nothing about unpublished changes. */
export function asPublished(document: Document): Document {
  return {
    ...document,
    status: 'published',
    publishedVersion: null,
    hasUnpublishedChanges: false,
  };
}

const AUDIT_ACTIONS = {
  'document.published': 'document.publish',
  'document.unpublished': 'document.unpublish',
} as const satisfies Partial<Record<EventType, AuditAction>>;

function announcementOf(
  type: keyof typeof AUDIT_ACTIONS,
  document: Document,
  context: RequestContext,
  at: Date,
  { data, override }: { data: PublicationData; override?: UsedOverride | undefined },
): Announcement {
  const { version, number, releaseId } = data.published;
  const presented = { document, json: presentInParts(document) };
  return {
    at,
    event: documentEvent(type, presented, at, context, { ...data }),
    entry: auditRow({
      action: AUDIT_ACTIONS[type],
      resourceId: document.id,
      at,
      context,
      details: {
        version,
        number,
        ...(releaseId !== null && { releaseId }),
        ...(override && { override }),
      },
    }),
  };
}
