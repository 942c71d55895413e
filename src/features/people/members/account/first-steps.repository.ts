import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../../platform/database/database.js';

/** The first steps of new accounts, in order. */
export const FIRST_STEPS = [
  'create-document',
  'check-text',
  'invite-member',
  'create-key',
  'send-request',
  'create-webhook',
  'receive-delivery',
] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** Counts audit entries too, so a step stays done after its resource is deleted. */
const READ: Statement = {
  name: 'first-steps.read',
  text: `SELECT account.first_steps_dismissed_at AS "dismissedAt",
                EXISTS (SELECT FROM api_keys WHERE account_id = $1) AS "create-key",
                EXISTS (SELECT FROM api_keys WHERE account_id = $1 AND last_used_at IS NOT NULL) AS "send-request",
                EXISTS (SELECT FROM row_counts WHERE account_id = $1 AND kind IN ('audit_log.document.create', 'documents', 'documents.deleted') AND count > 0) AS "create-document",
                EXISTS (SELECT FROM analysis_usage WHERE account_id = $1 AND (analyses > 0 OR check_characters > 0)) AS "check-text",
                EXISTS (SELECT FROM row_counts WHERE account_id = $1 AND kind = 'audit_log.invitation.create' AND count > 0)
                  OR EXISTS (SELECT FROM members JOIN users ON users.id = user_id
                              WHERE account_id = $1 AND kind = 'person' OFFSET 1) AS "invite-member",
                EXISTS (SELECT FROM row_counts WHERE account_id = $1 AND kind = 'audit_log.webhook.create' AND count > 0)
                  OR EXISTS (SELECT FROM webhooks WHERE account_id = $1) AS "create-webhook",
                EXISTS (SELECT FROM webhooks WHERE account_id = $1 AND last_delivery_at IS NOT NULL) AS "receive-delivery"
           FROM accounts AS account WHERE account.id = $1`,
};

type StepsRow = Record<FirstStep, boolean> & { dismissedAt: Date | null };

/** Reads which first steps an account has done. */
@Injectable()
export class FirstStepsRepository {
  constructor(private readonly database: Database) {}

  async read(
    accountId: string,
  ): Promise<{ dismissedAt: Date | null; steps: { id: FirstStep; done: boolean }[] }> {
    const [row] = await this.database.run<StepsRow>(READ, [accountId]);
    return {
      dismissedAt: row?.dismissedAt ?? null,
      steps: FIRST_STEPS.map((id) => ({ id, done: row?.[id] ?? false })),
    };
  }
}
