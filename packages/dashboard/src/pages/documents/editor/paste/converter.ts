/** Thrown if a part of the dashboard cannot be loaded, because the service is unavailable. */
export class ConverterMissing extends Error {
  override readonly name = 'ConverterMissing';
}

/** Loads the converter of HTML, a separate file of about 35 KB. Throws {@link ConverterMissing}. */
export function loadConverter() {
  return loaded(import('./html-to-markdown.js'));
}

/** Loads the decoder of text files. Throws {@link ConverterMissing}. */
export function loadDecoder() {
  return loaded(import('@document-service/conversion/text-decoding'));
}

function loaded<Part>(loading: Promise<Part>): Promise<Part> {
  return loading.catch(() => {
    throw new ConverterMissing("The server can't be reached.");
  });
}
