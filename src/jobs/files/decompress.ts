import { pipeline, type Readable, type Transform } from 'node:stream';

/** What `decompressor` makes of `source`. Whoever reads it is told of an error of either; breaking one breaks the other. */
export function decompress(source: Readable, decompressor: Transform): Readable {
  // Before anybody reads, and after `pipeline` has seen the end of the source, nobody else would listen, which would end
  // the process.
  decompressor.on('error', () => undefined);
  return pipeline(source, decompressor, () => undefined);
}
