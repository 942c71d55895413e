import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { AppError } from '../../basics/errors/app-error.js';

const RETRY_AFTER_SECONDS = 5;
const MIB = 1024 ** 2;

/** What bodies that are being read may take of a process, and how fast they must come. */
@Injectable()
export class BodyLimits {
  /** Bytes of a body that is never refused for want of room. */
  smallBody = 64 * 1024;
  /** Bytes of all larger bodies together: the process never holds more, whoever sends them. */
  bytes: number;
  /** Bytes of those that one account, or one client address, may have under way. */
  share: number;
  /** Bytes of all small bodies that have not arrived in full; beyond it the oldest of them are ended. */
  smallBytes = 64 * MIB;
  /** How often senders are looked at, in milliseconds. */
  lookMs = 1_000;
  /** A sender must bring `minBytes`, or the rest of its body, in every `looks` looks. */
  looks = 10;
  minBytes = 10 * 1024;

  constructor(config: Config) {
    // One share must hold the largest body that is allowed, with what a form has beside its file.
    this.bytes = Math.max(64 * MIB, 2 * (Math.max(config.bodyLimit, config.importLimit) + MIB));
    this.share = this.bytes / 2;
  }
}

/** Who a body is counted for: its account and its client's address. */
export interface BodyOwner {
  account: string;
  address: string;
}

/** A body that is arriving. */
interface ArrivingBody {
  /** Ends the body if it arrives too slowly. Called every `lookMs`. */
  look(): void;
  /** Ends a small body, to make room. */
  endIfSmall(reason: AppError): void;
}

const OWNERS = ['account', 'address'] as const;

/**
 * The memory that bodies of requests take in this process: those that arrive, and large ones until their request has
 * been handled. See docs/adr/0003-bounded-memory-for-bodies-and-responses.md.
 */
@Injectable()
export class BodyBudget {
  private held = 0;
  private heldBySmall = 0;
  /** Bytes of large bodies, by account and by address. */
  private readonly shares = {
    account: new Map<string, number>(),
    address: new Map<string, number>(),
  };
  /** Bodies that have not arrived in full, oldest first. */
  private readonly arriving = new Set<ArrivingBody>();
  private looking: NodeJS.Timeout | undefined;

  constructor(readonly limits: BodyLimits) {}

  /** Takes room for a large body. Throws `rate_limited` or `unavailable` where there is none, and takes nothing then. */
  take(owner: BodyOwner, bytes: number): void {
    for (const kind of OWNERS) {
      if (this.shareOf(kind, owner) + bytes > this.limits.share)
        throw shareIsFull(kind, this.limits);
    }
    if (this.held + bytes > this.limits.bytes) throw budgetIsFull(this.limits);
    this.add(owner, bytes);
  }

  /** Gives back what was taken. */
  give(owner: BodyOwner, bytes: number): void {
    this.add(owner, -bytes);
  }

  /** Counts a small body: there is always room for it, in the place of those that have been arriving for longest. */
  takeSmall(bytes: number): void {
    this.heldBySmall += bytes;
    for (const body of this.arriving) {
      if (this.heldBySmall <= this.limits.smallBytes) return;
      body.endIfSmall(crowdedOut());
    }
  }

  giveSmall(bytes: number): void {
    this.heldBySmall -= bytes;
  }

  /** Has the sender of a body looked after until the body is there. */
  watch(body: ArrivingBody): void {
    this.arriving.add(body);
    // Time is counted in looks: after a pause of the whole process nobody is told to have been slow.
    this.looking ??= setInterval(() => {
      for (const each of this.arriving) each.look();
    }, this.limits.lookMs).unref();
  }

  unwatch(body: ArrivingBody): void {
    this.arriving.delete(body);
    if (this.arriving.size > 0) return;
    clearInterval(this.looking);
    this.looking = undefined;
  }

  private add(owner: BodyOwner, bytes: number): void {
    this.held += bytes;
    for (const kind of OWNERS) {
      const share = this.shareOf(kind, owner) + bytes;
      if (share > 0) this.shares[kind].set(owner[kind], share);
      else this.shares[kind].delete(owner[kind]);
    }
  }

  private shareOf(kind: keyof BodyOwner, owner: BodyOwner): number {
    return this.shares[kind].get(owner[kind]) ?? 0;
  }
}

/** The answer to a body beyond the share of its account or address. */
export function shareIsFull(
  kind: keyof BodyOwner,
  { share, smallBody }: Pick<BodyLimits, 'share' | 'smallBody'>,
): AppError {
  const whose = kind === 'account' ? 'This account' : 'Your address';
  return new AppError(
    'rate_limited',
    `${whose} is sending ${inMib(share)} of request bodies at once, the most it may. Wait until one of them is answered. Bodies of up to ${inKib(smallBody)} are always taken.`,
    { limit: share, retryAfter: RETRY_AFTER_SECONDS },
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** The answer to a body beyond what the process can hold. */
function budgetIsFull({ bytes, smallBody }: Pick<BodyLimits, 'bytes' | 'smallBody'>): AppError {
  return new AppError(
    'unavailable',
    `The service is reading ${inMib(bytes)} of request bodies, the most it can hold. Try again shortly. Bodies of up to ${inKib(smallBody)} are always taken.`,
    undefined,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** The answer to a small body that others overtook. */
function crowdedOut(): AppError {
  return new AppError(
    'unavailable',
    'Too many bodies were arriving at once, and this one took longest. Send it again.',
    undefined,
    { retryAfterSeconds: 1 },
  );
}

function inMib(bytes: number): string {
  return `${String(Math.round(bytes / MIB))} MiB`;
}

function inKib(bytes: number): string {
  return `${String(Math.round(bytes / 1024))} KiB`;
}
