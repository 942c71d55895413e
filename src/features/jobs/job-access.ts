import {
  isShownIn,
  placeOf,
  shownCollections,
  type DocumentPlaces,
} from '../auth/access/document-places.js';
import type { Access } from '../auth/access/access.js';
import { actorOf, isOwnedBy, ownerOf, type Owner, type Principal } from '../auth/principal.js';
import { restricted, type Listing } from '../../platform/http/pagination/read-page.js';
import type { CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import type { Job } from './job.js';
import type { JobKind, JobReads } from './queue/job-kind.js';

/** A caller who does not see all documents. They can read their own jobs, while they see the places that these read. */
export interface JobReader {
  owner: Owner;
  /** UUIDs of collections. */
  shown: readonly string[];
}

/** Returns undefined if the caller sees all documents. */
export function jobReader(access: Access, principal: Principal): JobReader | undefined {
  const shown = shownCollections(access);
  return shown && { owner: ownerOf(principal), shown };
}

/** Returns a SQL condition that is true if the ID of the owner, `value`, ordered the job. */
export const isOwnJob = ({ kind }: Owner, job: string, value: string) =>
  `${job}.context #>> '${kind === 'key' ? '{principal,keyId}' : '{principal,user,id}'}' = ${value}`;

/** Returns a condition on jobs AS item, given placeholders. Those of kinds are in the order of {@link READS}. */
const isReadable =
  (owner: Owner) =>
  (id: string, shown: string, document: string, collections: string, own: string) =>
    `${isOwnJob(owner, 'item', id)} AND CASE
      WHEN item.kind = ANY (${own}::text[]) THEN true
      WHEN item.kind = ANY (${document}::text[])
      THEN ${isShownIn(placeOf(`(item.input ->> 'documentId')::uuid`), shown)}
      WHEN item.kind = ANY (${collections}::text[])
      THEN (SELECT bool_and(${isShownIn('named.id::uuid', shown)})
              FROM json_array_elements_text(item.input -> 'collectionIds') AS named (id))
      ELSE false END`;

const READS = ['document', 'collections', 'own'] as const satisfies readonly JobReads[];

/** True if the caller ordered the job and sees what it reads now. Decides like {@link readableJobs}, for one job. */
export async function canReadJob(
  { access, principal, places }: { access: Access; principal: Principal; places: DocumentPlaces },
  job: Job,
  reads: JobReads,
): Promise<boolean> {
  if (access.isWhole) return true;
  const orderer = actorOf(job.context.principal);
  if (orderer === null || !isOwnedBy(ownerOf(principal), orderer)) return false;
  const { documentId = '', collectionIds = [] } = job.input as {
    documentId?: string;
    collectionIds?: string[];
  };
  switch (reads) {
    case 'own':
      return true;
    case 'document':
      return (await places.of(access, [documentId])).has(documentId);
    case 'collections':
      return collectionIds.length > 0 && collectionIds.every((id) => access.rightIn(id) !== null);
    case 'account':
      return false;
  }
}

/** Returns the list with only the jobs that the reader can see. */
export function readableJobs(
  listing: Listing<CreationSort>,
  { owner, shown }: JobReader,
  kinds: readonly JobKind[],
): Listing<CreationSort> {
  const names = READS.map((reads) =>
    kinds.filter((kind) => kind.reads === reads).map(({ name }) => name),
  );
  const name = `of-${owner.kind}`;
  return restricted(listing, isReadable(owner), [owner.id, shown, ...names], { name });
}
