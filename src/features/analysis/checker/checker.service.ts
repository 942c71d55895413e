import { Injectable } from '@nestjs/common';
import type { Principal } from '../../auth/principal.js';
import type { Caller } from '../../../platform/basics/concurrency/fair-limiter.js';
import type { CheckFields } from './check-fields.js';
import { CheckerEngine, editorTextOf } from './checker-engine.js';
import { CheckerLanguages } from './checker-languages.js';
import { CheckerQuota } from './checker-quota.js';
import { CheckerThreads } from './checker-threads.js';

/**
 * Checks texts for editors, as LanguageTool does. Nothing is stored: no job, no event, and no text. See
 * docs/adr/0035-languagetool-compatible-checker.md.
 */
@Injectable()
export class CheckerService {
  constructor(
    private readonly threads: CheckerThreads,
    private readonly languages: CheckerLanguages,
    private readonly quota: CheckerQuota,
    private readonly engine: CheckerEngine,
  ) {}

  /**
   * Returns LanguageTool's response as JSON text. Throws `bad_request`, `payload_too_large`, `forbidden` if the plan's
   * daily characters are used up, and the errors of {@link CheckerEngine.analyze}.
   */
  async check(fields: CheckFields, principal: Principal, client: Caller): Promise<string> {
    const owner = principal.accountId;
    const request = await this.threads.run('checkRequest', { owner, size: sizeOf(fields) }, fields);
    await this.languages.require(request.language);
    const preferredVariants = await this.languages.supported(request.preferredVariants);
    const { plain } = request.text;
    const result = await this.quota.withinQuota(plain, principal, client, () =>
      this.engine.analyze(editorTextOf({ ...request, preferredVariants }), owner, client),
    );
    const size = result.length + plain.length;
    return this.threads.run('checkResponse', { owner, size }, request, result);
  }
}

/** Returns the size of the largest field in UTF-16 units. */
function sizeOf({ text, data }: CheckFields): number {
  return Math.max(...[text, data].map((value) => (typeof value === 'string' ? value.length : 0)));
}
