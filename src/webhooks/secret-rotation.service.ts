import { Injectable } from '@nestjs/common';
import { auditRow, insertAuditEntries } from '../audit/audit-entry.js';
import type { Cause } from '../auth/cause.js';
import { Clock } from '../clock/clock.js';
import { Database, type Statement } from '../database/database.js';
import { notFound, type FieldProblem } from '../errors/app-error.js';
import { uuidOf } from '../identifiers/identifiers.js';
import { SecretBox, SecretUnreadableError } from '../secrets/secret-box.js';
import { generateSecret, previewOf, secretWarnings } from './webhook-secret.js';
import { WEBHOOK_COLUMNS, type Webhook } from './webhook.js';

/** How long the secret before still signs, beside the new one. */
export const OVERLAP_MS = 24 * 60 * 60 * 1000;

const LOCK: Statement = {
  name: 'webhooks.lock-secret',
  text: `SELECT ${WEBHOOK_COLUMNS}, item.secret_encrypted AS "secretEncrypted",
                item.previous_secret_expires_at AS "previousSecretExpiresAt"
           FROM webhooks AS item WHERE item.id = $1 AND item.account_id = $2 FOR NO KEY UPDATE`,
};

const ROTATE: Statement = {
  name: 'webhooks.rotate-secret',
  text: `WITH audited AS (${insertAuditEntries('$8')})
    UPDATE webhooks AS item
       SET secret_encrypted = $3, secret_preview = $4, previous_secret_encrypted = $5::bytea,
           previous_secret_expires_at = $6::timestamptz, updated_at = $7
     WHERE item.id = $1 AND item.account_id = $2
    RETURNING ${WEBHOOK_COLUMNS}`,
};

type WithSecret = Webhook & { secretEncrypted: Buffer; previousSecretExpiresAt: Date | null };

export interface Rotation {
  webhook: Webhook;
  /** Only when the client sent no secret of its own. */
  generatedSecret: string | undefined;
  /** Until when the secret before signs too; `null` when none does. */
  previousSecretExpiresAt: Date | null;
  warnings: FieldProblem[];
}

/** Replaces the secrets of webhooks. */
@Injectable()
export class SecretRotation {
  constructor(
    private readonly database: Database,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  /**
   * Signs with `ownSecret`, or with one that is made, from now on, and with the one before for 24 hours too. The present
   * secret once more changes nothing, so that a repeated request does not end the one before early. Throws `not_found`.
   */
  async rotate(id: string, ownSecret: string | undefined, cause: Cause): Promise<Rotation> {
    const uuid = uuidOf('webhook', id);
    const { accountId } = cause.principal;
    return this.database.within(cause, async (executor) => {
      const [before] = await executor.run<WithSecret>(LOCK, [uuid, accountId]);
      if (!before) throw notFound('webhook');
      const present = this.presentSecret(before);
      const warnings = ownSecret === undefined ? [] : secretWarnings(ownSecret);
      if (ownSecret !== undefined && ownSecret === present) return this.unchanged(before, warnings);

      const generatedSecret = ownSecret === undefined ? generateSecret() : undefined;
      const secret = ownSecret ?? generatedSecret ?? '';
      const now = this.clock.now();
      // One that cannot be read cannot sign, and would keep the new one from doing so.
      const previous = present === undefined ? null : before.secretEncrypted;
      const expiresAt = previous && new Date(now.getTime() + OVERLAP_MS);
      const entry = auditRow({ action: 'webhook.rotate_secret', resourceId: uuid, at: now, cause });
      const [webhook] = await executor.run<Webhook>(ROTATE, [
        uuid,
        accountId,
        this.secretBox.seal(secret, uuid),
        previewOf(secret),
        previous,
        expiresAt,
        now,
        JSON.stringify([entry]),
      ]);
      if (!webhook) throw notFound('webhook');
      return { webhook, generatedSecret, previousSecretExpiresAt: expiresAt, warnings };
    });
  }

  private presentSecret({ id, secretEncrypted }: WithSecret): string | undefined {
    try {
      return this.secretBox.open(secretEncrypted, id);
    } catch (error) {
      if (error instanceof SecretUnreadableError) return undefined;
      throw error;
    }
  }

  private unchanged(webhook: WithSecret, warnings: FieldProblem[]): Rotation {
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
