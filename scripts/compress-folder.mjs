import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const COMPRESSIBLE = /\.(html|js|css|svg|json|md|txt|xml)$/;
/** Smaller files fit in one packet either way. */
const WORTH_IT = 1_024;

/** Writes a `.br` and a `.gz` file for each text, so that the service compresses nothing. `quality` is Brotli's, 0 to 11. */
export async function compressFolder(folder, { quality }) {
  const names = await readdir(folder, { recursive: true });
  for (const file of names
    .filter((name) => COMPRESSIBLE.test(name))
    .map((name) => join(folder, name))) {
    const content = await readFile(file);
    if (content.length < WORTH_IT) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
    const level = Math.min(quality, constants.Z_BEST_COMPRESSION);
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(content, { params }),
      promisify(gzip)(content, { level }),
    ]);
    await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
  }
}
