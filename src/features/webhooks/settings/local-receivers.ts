import { Injectable, Optional } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { receiverUrlProblems, type ReceiverPolicy } from './receiver-url.js';

/** What a receiver of the service itself gets. Names of headers are lower case. */
export interface LocalDelivery {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/**
 * Receivers that are part of the service (`src/features/dashboard/receivers/`). What an account sends to its own goes through the
 * database and not over the network, so that no address has to be opened for it: docs/adr/0018-webhook-configuration-and-stored-secrets.md.
 */
export abstract class LocalReceivers {
  /** Whether the account has a receiver at this URL now. */
  abstract has(accountId: string, url: string): Promise<boolean>;

  /** Hands over a delivery; the status that answers it, or `undefined` where the account has no receiver at this URL. */
  abstract deliver(
    accountId: string,
    url: string,
    delivery: LocalDelivery,
  ): Promise<number | undefined>;
}

const LOCAL = /^https?:\/\/[^\s/?#@\\]+\/dashboard\/receivers\/[A-Za-z0-9_-]{43}$/;

/** Whether a URL has the form of a receiver of the service itself. */
export function isLocalForm(url: string): boolean {
  return LOCAL.test(url);
}

/** As {@link receiverUrlProblems}; what may be a receiver of the account's own is left to {@link ReceiverUrls}. */
export function registeredUrlProblems(
  value: unknown,
  policy: ReceiverPolicy & { readonly testReceivers: boolean },
): FieldProblem[] {
  if (policy.testReceivers && typeof value === 'string' && isLocalForm(value)) return [];
  return receiverUrlProblems(value, policy);
}

/** Judges the URL of a webhook by what only the database knows. */
@Injectable()
export class ReceiverUrls {
  constructor(
    private readonly config: Config,
    @Optional() private readonly local?: LocalReceivers,
  ) {}

  /** Throws `bad_request` for a URL that is closed, unless the account has a receiver of the service there. */
  async requireOpen(accountId: string, url: string): Promise<void> {
    if (!isLocalForm(url) || (await this.local?.has(accountId, url))) return;
    const [first, ...rest] = receiverUrlProblems(url, this.config);
    if (first) throw invalidFields([first, ...rest]);
  }
}
