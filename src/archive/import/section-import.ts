import type { RecordName } from '../archive-format.js';
import type { ArchiveRecord } from './archive-records.js';

/** Takes the records of one section of an archive in their order. */
export interface SectionImport {
  take(record: ArchiveRecord): Promise<void>;
  /** After the last record; `line` is the one that follows. */
  end(line: number): Promise<void>;
}

/** What an import does with the records of each name; others are only counted. */
export type SectionImports = ReadonlyMap<RecordName, SectionImport>;

/** The sections that are imported. */
export function sectionImports(templates: SectionImport, documents: SectionImport): SectionImports {
  return new Map([
    ['template', templates],
    ['templateVersion', templates],
    ['document', documents],
    ['version', documents],
  ]);
}

/** Hands each record to its section, and ends each section after its last record. */
export async function takeAll(
  records: AsyncIterable<ArchiveRecord>,
  sections: SectionImports,
  each: () => void,
): Promise<void> {
  let line = 1;
  let current: SectionImport | undefined;
  for await (const record of records) {
    const section = sections.get(record.name);
    if (current && current !== section) await current.end(record.line);
    current = section;
    await section?.take(record);
    line = record.line;
    each();
  }
  await current?.end(line + 1);
}
