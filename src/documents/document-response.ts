import { ApiResponse, type ApiResponseExtras, type KeptText } from '../envelope/api-response.js';
import type { PresentedDocument } from './document-events.js';
import { documentETag, wholeOf } from './document.presenter.js';

/** A document as the response to a request that made or changed it. */
export function documentResponse(
  { document, json }: PresentedDocument,
  extras: Pick<ApiResponseExtras, 'location' | 'warnings'> = {},
): ApiResponse {
  const keptTexts = [keptContent(document)];
  return new ApiResponse(wholeOf(json), { ...extras, etag: documentETag(document), keptTexts });
}

/** Its content, which the document or one of its versions keeps. */
export function keptContent({ id, content, version }: PresentedDocument['document']): KeptText {
  return { text: content, documentId: id, version };
}
