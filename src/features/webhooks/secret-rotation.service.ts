import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../audit/audit-entry.js';
import type { RequestContext } from '../access/auth/request-context.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database } from '../../platform/database/database.js';
import type { FieldProblem } from '../../platform/basics/errors/app-error.js';
import { SecretBox, SecretUnreadableError } from '../../platform/secrets/secret-box.js';
import { WebhookEntity } from './entities/webhook.entity.js';
import { generateSecret, previewOf, secretWarnings } from './signing/webhook-secret.js';
import type { Rotation } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

/** How long the secret before still signs, beside the new one. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** Replaces the secrets of webhooks. */
@Injectable()
export class SecretRotation {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksService,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  /**
   * Signs with `ownSecret`, or with one that is made, from now on, and with the one before for 24 hours too. The present
   * secret once more changes nothing, so that a repeated request does not end the one before early. Throws `not_found`.
   */
  async rotate(
    id: string,
    ownSecret: string | undefined,
    context: RequestContext,
  ): Promise<Rotation> {
    return this.database.transaction(async () => {
      const before = await this.webhooks.lock(context.principal.accountId, id);
      const present = this.presentSecret(before);
      const warnings = ownSecret === undefined ? [] : secretWarnings(ownSecret);
      if (ownSecret !== undefined && ownSecret === present) return this.unchanged(before, warnings);

      const generatedSecret = ownSecret === undefined ? generateSecret() : undefined;
      const secret = ownSecret ?? generatedSecret ?? '';
      const now = this.clock.now();
      // One that cannot be read cannot sign, and would keep the new one from doing so.
      const previous = present === undefined ? null : before.secretEncrypted;
      const change = {
        secretEncrypted: this.secretBox.seal(secret, before.id),
        secretPreview: previewOf(secret),
        previousSecretEncrypted: previous,
        previousSecretExpiresAt: previous && new Date(now.getTime() + OVERLAP_MS),
        updatedAt: now,
      };
      await this.database.repository(WebhookEntity).update({ id: before.id }, change);
      await insertAuditEntry(this.database, {
        action: 'webhook.rotate_secret',
        resourceId: before.id,
        at: now,
        context,
      });
      const { previousSecretExpiresAt } = change;
      return {
        webhook: Object.assign(before, change),
        generatedSecret,
        previousSecretExpiresAt,
        warnings,
      };
    }, context.caller);
  }

  private presentSecret({ id, secretEncrypted }: WebhookEntity): string | undefined {
    try {
      return this.secretBox.open(secretEncrypted, id);
    } catch (error) {
      if (error instanceof SecretUnreadableError) return undefined;
      throw error;
    }
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
