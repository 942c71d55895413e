import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { DocumentSelection } from '../../auth/principal.js';
import type { BrowserTokenDto, TokenDocumentsDto } from './browser-token.dto.js';
import type { IssuedBrowserToken } from './browser-tokens.service.js';

/** Presents a new token. This is the only response that contains the token itself. */
export function presentBrowserToken(issued: IssuedBrowserToken): BrowserTokenDto {
  const { token, expiresAt, scopes, documents, minuteLimit, label } = issued;
  return {
    token,
    expiresAt: expiresAt.toISOString(),
    scopes,
    documents: presentSelection(documents),
    minuteLimit,
    label,
  };
}

function presentSelection(documents: DocumentSelection): TokenDocumentsDto {
  return 'ids' in documents
    ? { ids: documents.ids.map((id) => encodeId('document', id)) }
    : { tags: documents.tags };
}
