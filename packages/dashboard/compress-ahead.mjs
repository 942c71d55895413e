import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const COMPRESSIBLE = /\.(html|js|css|svg|json)$/;
/** Below this many bytes an answer fits one packet either way. */
const WORTH_IT = 1_024;

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Writes `.br` and `.gz` beside each file that gets smaller by it, so that the service compresses nothing. */
export function compressAhead() {
  let directory = '';
  return {
    name: 'compress-ahead',
    apply: 'build',
    configResolved({ root, build }) {
      directory = join(root, build.outDir);
    },
    async closeBundle() {
      const names = await readdir(directory, { recursive: true });
      await Promise.all(
        names
          .filter((name) => COMPRESSIBLE.test(name))
          .map((name) => compress(join(directory, name))),
      );
    },
  };
}

async function compress(file) {
  const content = await readFile(file);
  if (content.length < WORTH_IT) return;
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, BROTLI));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}
