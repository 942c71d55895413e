import type { StoredFilesRepository, WrittenFile } from '../../jobs/stored-files.repository.js';
import { ImportReport } from './import-report.js';

/** Creates its row first, as the real one does, and only then reads what to write. */
function slowFiles(made: Promise<void>): StoredFilesRepository {
  const write = async (_: string, source: AsyncIterable<Buffer>): Promise<WrittenFile> => {
    await made;
    let bytes = 0;
    for await (const chunk of source) bytes += chunk.length;
    return { id: 'file', bytes };
  };
  return { write } as unknown as StoredFilesRepository;
}

describe('The report of an import', () => {
  it('can be dropped before anyone has started to read it', async () => {
    let make: () => void = () => undefined;
    const made = new Promise<void>((resolve) => (make = resolve));
    const report = new ImportReport(slowFiles(made), 'account', new AbortController().signal);
    const dropped = report.drop();
    // Its failure is reported in a later turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    make();
    await dropped;
  });
});
