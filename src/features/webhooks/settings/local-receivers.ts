import { Injectable, Optional } from '@nestjs/common';
import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { Config } from '../../../platform/config/config.js';
import { receiverUrlProblems, type ReceiverPolicy } from './receiver-url.js';

/** A delivery to a receiver of the service. Header names are lower case. */
export interface LocalDelivery {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/**
 * Receivers that are part of the service (`src/features/dashboard/receivers/`). Deliveries to an account's own receivers
 * go through the database, not over the network, so no address has to be opened for them. See
 * docs/adr/0018-webhook-configuration-and-stored-secrets.md.
 */
export abstract class LocalReceivers {
  /** True if the account has a receiver at this URL now. */
  abstract has(accountId: string, url: string): Promise<boolean>;

  /** Stores a delivery. Returns the response status, or `undefined` if the account has no receiver at this URL. */
  abstract deliver(
    accountId: string,
    url: string,
    delivery: LocalDelivery,
  ): Promise<number | undefined>;
}

const LOCAL = /^https?:\/\/[^\s/?#@\\]+\/dashboard\/receivers\/[A-Za-z0-9_-]{43}$/;

/** True if a URL has the form of a local receiver. */
export function isLocalForm(url: string): boolean {
  return LOCAL.test(url);
}

/** Like {@link receiverUrlProblems}, but leaves URLs of local receivers to {@link ReceiverUrlsService}. */
export function registeredUrlProblems(
  value: unknown,
  policy: ReceiverPolicy & { readonly testReceivers: boolean },
): FieldProblem[] {
  if (policy.testReceivers && typeof value === 'string' && isLocalForm(value)) return [];
  return receiverUrlProblems(value, policy);
}

/** Checks a receiver's URL where that needs the database. */
@Injectable()
export class ReceiverUrlsService {
  constructor(
    private readonly config: Config,
    @Optional() private readonly localReceivers?: LocalReceivers,
  ) {}

  /** Throws `bad_request` for a URL that the policy refuses, unless the account has a local receiver there. */
  async requireAllowed(accountId: string, url: string): Promise<void> {
    if (!isLocalForm(url) || (await this.localReceivers?.has(accountId, url))) return;
    const [first, ...rest] = receiverUrlProblems(url, this.config);
    if (first) throw invalidFields([first, ...rest]);
  }
}
