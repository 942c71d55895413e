import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { TokenLimits } from '../../auth/principal.js';
import { presentLimit } from '../key-collections.js';
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
    collections: presentLimit(documents.collections ?? null),
    minuteLimit,
    label,
  };
}

function presentSelection({ ids, tags }: TokenLimits): TokenDocumentsDto | null {
  if (ids) return { ids: ids.map((id) => encodeId('document', id)) };
  return tags ? { tags } : null;
}
