import type { KeptText } from '../../../platform/http/envelope/api-response.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { keptContent } from '../document-response.js';
import type { PresentedDocument } from '../document-events.js';
import { presentDocumentWithoutContent, wholeOf } from '../document.presenter.js';

/** UTF-16 units of JSON: what all results of one batch may take together, as a page of a list with contents may. */
const MAX_RESULTS = 8 * 1024 ** 2;

/** The results of one batch as JSON text. A short request must not be answered with a hundred long documents. */
export class ResultTexts {
  private room = MAX_RESULTS;

  /** The document; without its content where there is no room for it any more. */
  of({ document, json: parts }: PresentedDocument): {
    id: string;
    json: string;
    keptText?: KeptText;
  } {
    const id = encodeId('document', document.id);
    const json = wholeOf(parts);
    if (json.length > this.room) return { id, json: presentDocumentWithoutContent(document) };
    this.room -= json.length;
    return { id, json, keptText: keptContent(document) };
  }
}
