import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const COMPRESSIBLE = /\.(html|js|css|svg|json|md|txt|xml)$/;
/** Smaller files fit in one packet either way. */
const WORTH_IT = 1_024;
/** Files at a time, so that the buffers of the compressors are used again. */
const AT_ONCE = 8;

/** Writes a `.br` and a `.gz` file for each text, so that the service compresses nothing. `quality` is Brotli's, 0 to 11. */
export async function compressFolder(folder, { quality }) {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => COMPRESSIBLE.test(name)).map((name) => join(folder, name));
  const work = async () => {
    for (let file = files.pop(); file !== undefined; file = files.pop())
      await compress(file, quality);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function compress(file, quality) {
  const content = await readFile(file);
  if (content.length < WORTH_IT) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: Math.min(quality, constants.Z_BEST_COMPRESSION) }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}
