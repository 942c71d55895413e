import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../auth/request-context.js';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { Database } from '../../../platform/database/database.js';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import type { WebhookEntity } from '../entities/webhook.entity.js';
import type { Rotation } from '../webhook.presenter.js';
import { WebhooksRepository } from '../webhooks.repository.js';
import { WebhooksService } from '../webhooks.service.js';
import { generateSecret, ifReadable, previewOf, secretWarnings } from './webhook-secret.js';

/** How long the previous secret also signs. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** Replaces the secrets of webhooks. */
@Injectable()
export class SecretRotationService {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksService,
    private readonly repository: WebhooksRepository,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  /**
   * Signs with `clientSecret` or a generated secret from now on. The previous secret also signs for 24 hours. Sending the
   * current secret again changes nothing, so a repeated request does not end the overlap early. Throws `not_found`.
   */
  async rotate(
    id: string,
    clientSecret: string | undefined,
    context: RequestContext,
  ): Promise<Rotation> {
    return this.database.transaction(async () => {
      const before = await this.webhooks.lock(context.principal.accountId, id);
      const current = ifReadable(() => this.secretBox.open(before.secretEncrypted, before.id));
      const warnings = clientSecret === undefined ? [] : secretWarnings(clientSecret);
      if (clientSecret !== undefined && clientSecret === current) {
        return this.unchanged(before, warnings);
      }
      const generatedSecret = clientSecret === undefined ? generateSecret() : undefined;
      const secret = clientSecret ?? generatedSecret ?? '';
      const now = this.clock.now();
      // A secret that cannot be decrypted cannot sign. It would fail every delivery during the overlap.
      const previous = current === undefined ? null : before.secretEncrypted;
      const change = {
        secretEncrypted: this.secretBox.seal(secret, before.id),
        secretPreview: previewOf(secret),
        previousSecretEncrypted: previous,
        previousSecretExpiresAt: previous && new Date(now.getTime() + OVERLAP_MS),
        updatedAt: now,
      };
      await this.repository.update(before.id, change);
      await insertAuditEntry(this.database, {
        action: 'webhook.rotate_secret',
        resourceId: before.id,
        at: now,
        context,
      });
      return {
        webhook: { ...before, ...change },
        generatedSecret,
        previousSecretExpiresAt: change.previousSecretExpiresAt,
        warnings,
      };
    }, context.caller);
  }

  private unchanged(webhook: WebhookEntity, warnings: FieldProblem[]): Rotation {
    const { previousSecretExpiresAt: expiresAt } = webhook;
    const overlaps = expiresAt !== null && expiresAt > this.clock.now();
    return {
      webhook,
      generatedSecret: undefined,
      previousSecretExpiresAt: overlaps ? expiresAt : null,
      warnings,
    };
  }
}
