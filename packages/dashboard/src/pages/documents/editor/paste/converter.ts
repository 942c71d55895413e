/** Thrown if the converter can't be loaded, because the server is away. */
export class ConverterMissing extends Error {
  override readonly name = 'ConverterMissing';
}

/** Loads the converter, a separate file of about 50 KB. Throws {@link ConverterMissing}. */
export async function loadConverter() {
  try {
    return await import('./html-to-markdown.js');
  } catch {
    throw new ConverterMissing("The server can't be reached.");
  }
}
