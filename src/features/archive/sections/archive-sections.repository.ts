import { presentFilter } from '../../webhooks/settings/webhook-filter.js';
import type { ArchiveRepository } from '../archive.repository.js';
import type { RecordCounts, RecordName } from '../archive-format.js';
import type { AuditEntryEntity } from '../../audit/entities/audit-entry.entity.js';
import type { MemberEntity } from '../../auth/entities/member.entity.js';
import { UserEntity } from '../../auth/entities/user.entity.js';
import {
  encodeId,
  ID_PREFIXES,
  type IdKind,
} from '../../../platform/basics/identifiers/identifiers.js';
import { readCollections } from './collection-archive.repository.js';
import {
  countDocumentRecords,
  DOCUMENT_LINES,
  ownMembers,
  readDocuments,
} from './document-archive.repository.js';
import { publicationRecord, readPublishing } from './publication-archive.repository.js';
import {
  countTemplateRecords,
  readTemplates,
  TEMPLATE_LINES,
} from './template-archive.repository.js';

/** One kind of record in archives. Both methods run in the same transaction, which sees a snapshot of the account. */
interface ArchiveSection {
  count(store: ArchiveRepository, accountId: string): Promise<RecordCounts>;
  /** Yields the records, each as a JSON object without line breaks. */
  lines(store: ArchiveRepository, accountId: string): AsyncIterable<string>;
}

const BY_AGE = { createdAt: 'ASC', id: 'ASC' } as const;
const AUDIT_BATCH = 1_000;

/** The members of the account. */
const memberSection = smallSection('member', async (store, accountId) => {
  const rows = await store.members
    .createQueryBuilder('member')
    .innerJoinAndMapOne('member.user', UserEntity, 'user', 'user.id = member.userId')
    .where({ accountId })
    .orderBy({ 'member.createdAt': 'ASC', 'member.userId': 'ASC' })
    .getMany();
  return (rows as (MemberEntity & { user: UserEntity })[]).map(({ user, role, createdAt }) => ({
    user: { id: encodeId('user', user.id), name: user.name, email: user.email, kind: user.kind },
    role,
    createdAt,
  }));
});

/** API keys, without their secrets. */
const keySection = smallSection('key', async (store, accountId) => {
  const rows = await store.keys.find({ where: { accountId }, order: BY_AGE });
  return rows.map((row) => ({
    id: encodeId('key', row.id),
    name: row.name,
    lastFour: row.lastFour,
    scopes: row.scopes,
    allowedIps: row.allowedIps,
    limits: row.limits,
    // Missing for keys without this limit, as in version 1 of the format.
    ...(row.collections && {
      collections: row.collections.map((id) => encodeId('collection', id)),
    }),
    userId: encodeId('user', row.userId),
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    lastUsedAt: row.lastUsedAt,
    createdAt: row.createdAt,
  }));
});

/** Webhooks, without their secrets. An import does not create webhooks, because it would send events without consent. */
const webhookSection = smallSection('webhook', async (store, accountId) => {
  const rows = await store.webhooks.find({ where: { accountId }, order: BY_AGE });
  return rows.map((row) => ({
    id: encodeId('webhook', row.id),
    url: row.url,
    events: row.events,
    filter: row.filter && presentFilter(row.filter),
    payload: row.payload,
    description: row.description,
    status: row.status,
    disabledReason: row.disabledReason,
    disabledAt: row.disabledAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }));
});

/** Audit entries. They cannot be imported, because an audit log that can be imported proves nothing. */
const auditSection: ArchiveSection = {
  async count(store, accountId) {
    return { auditEntry: await store.auditEntries.countBy({ accountId }) };
  },

  async *lines(store, accountId) {
    let after: { createdAt: Date | string; id: string } | undefined;
    for (;;) {
      const query = store.auditEntries
        .createQueryBuilder('entry')
        .where({ accountId })
        .orderBy({ 'entry.createdAt': 'ASC', 'entry.id': 'ASC' })
        .limit(AUDIT_BATCH);
      if (after) query.andWhere('(entry.createdAt, entry.id) > (:createdAt, :id)', after);
      const rows = await query.getMany();
      for (const row of rows) yield JSON.stringify(auditRecord(row));
      after = rows.at(-1);
      if (!after || rows.length < AUDIT_BATCH) return;
    }
  },
};

/** Returns a section whose records all fit into memory. */
function smallSection(
  record: RecordName,
  read: (store: ArchiveRepository, accountId: string) => Promise<object[]>,
): ArchiveSection {
  return {
    async count(store, accountId) {
      return { [record]: (await read(store, accountId)).length };
    },
    async *lines(store, accountId) {
      for (const one of await read(store, accountId)) {
        yield JSON.stringify({ record, ...one });
      }
    },
  };
}

function auditRecord(row: AuditEntryEntity): object {
  const kind = row.action.split('.')[0] ?? '';
  return {
    record: 'auditEntry',
    id: encodeId('audit', row.id),
    action: row.action,
    resourceId: kind in ID_PREFIXES ? idOrNull(kind as IdKind, row.resourceId) : row.resourceId,
    userId: idOrNull('user', row.userId),
    keyId: idOrNull('key', row.keyId),
    requestId: row.requestId,
    clientAddress: row.clientAddress,
    userAgent: row.userAgent,
    details: row.details,
    createdAt: row.createdAt,
  };
}

function idOrNull(kind: IdKind, uuid: string | null): string | null {
  return uuid === null ? null : encodeId(kind, uuid);
}

/** The publishing settings. Missing if they were never changed. */
const publishingSection = smallSection('publishing', readPublishing);

/** Collections, also deleted ones: they decide who sees the trash in them. */
const collectionSection = smallSection('collection', readCollections);

/** Templates, each followed by its older versions. */
const templateSection: ArchiveSection = {
  count: countTemplateRecords,
  async *lines(store, accountId) {
    for await (const one of readTemplates(store, accountId)) {
      yield 'ownerId' in one ? TEMPLATE_LINES.versionLine(one) : TEMPLATE_LINES.line(one);
    }
  },
};

/** Documents, including the trash, each followed by its older versions and its publications. */
const documentSection: ArchiveSection = {
  count: ({ database }, accountId) => countDocumentRecords(database, accountId),
  async *lines(store, accountId) {
    for await (const one of readDocuments(store.database, accountId)) {
      if ('ownerId' in one) yield DOCUMENT_LINES.versionLine(one);
      else if ('documentId' in one) yield JSON.stringify(publicationRecord(one));
      else yield DOCUMENT_LINES.line(one, ownMembers(one));
    }
  },
};

/**
 * All sections, in the order of `RECORD_ORDER`. An import restores only publishing settings, collections, templates with
 * their versions, and documents with their versions and publications. Events and deliveries are not archived, because they
 * repeat other records and expire.
 */
export const ARCHIVE_SECTIONS: readonly ArchiveSection[] = [
  memberSection,
  keySection,
  webhookSection,
  publishingSection,
  collectionSection,
  templateSection,
  documentSection,
  auditSection,
];
