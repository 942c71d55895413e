import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import type { Access } from '../../auth/access/access.js';
import { cacheControlOf } from './perspective.js';
import { publishingOff } from './publishing-errors.js';
import { PublishingSettingsRepository } from './publishing-settings.repository.js';

/** Responds to readers of published versions, who may reuse what has not changed. */
@Injectable()
export class ReaderResponsesService {
  constructor(private readonly settings: PublishingSettingsRepository) {}

  /** Adds an ETag and the cache policy of the account to a list. Throws `conflict` while publishing is off. */
  async respond({ accountId }: Access, read: () => Promise<ApiResponse>): Promise<ApiResponse> {
    const policy = await this.settings.cachePolicy(accountId);
    if (!policy) throw publishingOff();
    const { json, extras } = await read();
    const hash = createHash('sha256').update(json).update(JSON.stringify(extras));
    return new ApiResponse(json, {
      ...extras,
      etag: `"${hash.digest('base64url').slice(0, 22)}"`,
      cacheControl: cacheControlOf(policy),
    });
  }
}
