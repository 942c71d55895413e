import type { Executor } from '../../database/database.js';
import type {
  ArchivedDocument,
  ArchivedVersion,
} from '../../documents/archive/archived-document.js';
import { storedBytes } from '../../documents/document-fields.js';
import type {
  ArchivedTemplate,
  ArchivedTemplateVersion,
} from '../../templates/archive/archived-template.js';
import type { RecordCounts } from '../archive-format.js';
import { DOCUMENTS, TEMPLATES } from './forms.js';
import { sectionImports, type SectionImports } from './section-import.js';
import { UniqueIds } from './unique-ids.js';
import { VersionedRecords, type Versioned, type VersionedSink } from './versioned-records.js';

/** An archive in which nothing is wrong: how much of everything it has, and the room that takes. */
export interface JudgedArchive {
  counts: RecordCounts;
  claim: { documents: number; bytes: number };
}

/** Judges every record; `pass` reads the archive once. Throws `bad_request` with the line of the first problem. */
export async function judgeArchive(
  executor: Executor,
  latest: Date,
  pass: (sections: SectionImports) => Promise<{ counts: RecordCounts }>,
): Promise<JudgedArchive> {
  const idsOf = await UniqueIds.in(executor);
  const claim = { documents: 0, bytes: 0 };
  const sections = sectionImports(
    new VersionedRecords<ArchivedTemplate, ArchivedTemplateVersion>(
      TEMPLATES,
      judging(idsOf('template')),
      latest,
    ),
    new VersionedRecords<ArchivedDocument, ArchivedVersion>(
      DOCUMENTS,
      judging(idsOf('document'), (document) => {
        claim.documents += 1;
        claim.bytes += storedBytes(document);
      }),
      latest,
    ),
  );
  const { counts } = await pass(sections);
  return { counts, claim };
}

/** What is left to judge when each record is right. */
function judging<Thing extends Versioned>(
  ids: UniqueIds,
  weigh: (thing: Thing) => void = () => undefined,
): VersionedSink<Thing, unknown> {
  return {
    async add(thing, line) {
      weigh(thing);
      await ids.add(thing.id, line);
    },
    addVersion: () => Promise.resolve(),
    end: () => ids.end(),
  };
}
