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

/** Which jobs somebody can read who does not see all documents: their own, of places that they see now. */
export interface JobReader {
  owner: Owner;
  /** UUIDs of collections. */
  shown: readonly string[];
}

/** Returns undefined for who sees all documents. */
export function jobReader(access: Access, principal: Principal): JobReader | undefined {
  const shown = shownCollections(access);
  return shown && { owner: ownerOf(principal), shown };
}

/** Returns SQL for the owner of a job, in the form of {@link ownerId}. */
export const isOwnJob = (owner: Owner, job: string, value: string) =>
  `${job}.context #>> '${'keyId' in owner ? '{principal,keyId}' : '{principal,user,id}'}' = ${value}`;

export function ownerId(owner: Owner): string {
  return 'keyId' in owner ? owner.keyId : owner.userId;
}

/** Returns a condition on jobs AS item, given placeholders. Those of kinds are in the order of {@link READS}. */
const isReadable =
  (of: Owner) =>
  (owner: string, shown: string, document: string, collections: string, own: string) =>
    `${isOwnJob(of, 'item', owner)} AND CASE
      WHEN item.kind = ANY (${own}::text[]) THEN true
      WHEN item.kind = ANY (${document}::text[])
      THEN ${isShownIn(placeOf(`(item.input ->> 'documentId')::uuid`), shown)}
      WHEN item.kind = ANY (${collections}::text[])
      THEN (SELECT bool_and(${isShownIn('named.id::uuid', shown)})
              FROM json_array_elements_text(item.input -> 'collectionIds') AS named (id))
      ELSE false END`;

const READS = ['document', 'collections', 'own'] as const satisfies readonly JobReads[];

/** True if the caller ordered the job and sees now what it reads. The same as {@link readableJobs}, for one job. */
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
  const name = 'keyId' in owner ? 'of-key' : 'of-user';
  return restricted(listing, isReadable(owner), [ownerId(owner), shown, ...names], { name });
}
