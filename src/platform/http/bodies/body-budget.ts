import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../basics/errors/app-error.js';
import { Config } from '../../config/config.js';
import { clientNetwork } from '../../network/client-address.js';

const RETRY_AFTER_SECONDS = 5;
const MIB = 1024 ** 2;

/** Limits on the memory of request bodies in this process, and the minimum speed of their senders. */
@Injectable()
export class BodyLimits {
  /** Bodies of up to this many bytes are never refused for lack of memory. */
  smallBody = 64 * 1024;
  /** Bytes of all larger bodies together. */
  bytes: number;
  /** Bytes of larger bodies that one account, or one client address, can hold. */
  share: number;
  /** Bytes of all small bodies that are still arriving. Beyond this, the oldest ones are ended. */
  smallBytes = 64 * MIB;
  /** Interval between two checks of the senders, in ms. */
  checkMs = 1_000;
  /** A sender must deliver `minBytes`, or the rest of its body, within this many checks. */
  checks = 10;
  minBytes = 10 * 1024;

  constructor(config: Config) {
    // One share must hold the largest allowed body, including the parts of a form besides its file.
    this.bytes = Math.max(64 * MIB, 2 * (Math.max(config.bodyLimit, config.importLimit) + MIB));
    this.share = this.bytes / 2;
  }
}

/** The account and client address that a request body's memory is charged to. */
interface BodyOwner {
  account: string;
  address: string;
}

const OWNERS = ['account', 'address'] as const;

/**
 * Accounts for the memory of request bodies in this process: bodies that are arriving, and large bodies until their
 * request has been handled. See docs/adr/0003-bounded-memory-for-bodies-and-responses.md.
 */
@Injectable()
export class BodyBudget {
  private used = 0;
  private usedBySmall = 0;
  /** Bytes of large bodies. */
  private readonly shares = {
    account: new Map<string, number>(),
    address: new Map<string, number>(),
  };
  /** Incomplete bodies, oldest first. */
  private readonly arriving = new Set<BodyReservation>();
  private timer: NodeJS.Timeout | undefined;

  constructor(readonly limits: BodyLimits) {}

  /** Reserves memory for a large body. Throws `rate_limited` or `unavailable` if there is too little. */
  take(owner: BodyOwner, bytes: number): void {
    for (const kind of OWNERS) {
      if (this.shareOf(kind, owner) + bytes > this.limits.share) {
        throw shareIsFull(kind, this.limits);
      }
    }
    if (this.used + bytes > this.limits.bytes) throw budgetIsFull(this.limits);
    this.add(owner, bytes);
  }

  give(owner: BodyOwner, bytes: number): void {
    this.add(owner, -bytes);
  }

  /** Reserves memory for a small body. If there is too little, ends the small bodies that have been arriving longest. */
  takeSmall(bytes: number): void {
    this.usedBySmall += bytes;
    for (const body of this.arriving) {
      if (this.usedBySmall <= this.limits.smallBytes) return;
      body.endIfSmall(crowdedOut());
    }
  }

  giveSmall(bytes: number): void {
    this.usedBySmall -= bytes;
  }

  /** Checks the speed of the sender until {@link unwatch}. */
  watch(body: BodyReservation): void {
    this.arriving.add(body);
    // Time is counted in checks, so a pause of the process never makes a sender look slow.
    this.timer ??= setInterval(() => {
      for (const each of this.arriving) each.check();
    }, this.limits.checkMs).unref();
  }

  unwatch(body: BodyReservation): void {
    this.arriving.delete(body);
    if (this.arriving.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private add(owner: BodyOwner, bytes: number): void {
    this.used += bytes;
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

/** The memory reserved for the body of one request. */
export class BodyReservation {
  /** Bytes that have arrived; the reader of the body updates it. */
  received = 0;
  private small = 0;
  private large: { bytes: number; owner: BodyOwner } | undefined;
  private end: (reason: AppError) => void = () => undefined;
  private arriving = false;
  private checks = 0;
  private receivedBefore = 0;

  constructor(
    private readonly budget: BodyBudget,
    private readonly request: Request,
  ) {}

  get bytes(): number {
    return this.large?.bytes ?? this.small;
  }

  /** Calls `listener` with the error to respond with when the body is ended early. */
  onEnd(listener: (reason: AppError) => void): void {
    this.end = listener;
  }

  /** Raises the reservation to `bytes`. Throws an AppError if there is too little memory. */
  reserve(bytes: number): void {
    if (!this.arriving) {
      this.arriving = true;
      this.budget.watch(this);
    }
    if (bytes <= this.budget.limits.smallBody && !this.large) {
      const more = bytes - this.small;
      this.small = bytes;
      this.budget.takeSmall(more);
      return;
    }
    this.large ??= { bytes: 0, owner: ownerOf(this.request) };
    this.budget.take(this.large.owner, bytes - this.large.bytes);
    this.large.bytes = bytes;
    this.giveSmall();
  }

  /** Stops checking the sender, because the body is complete. */
  arrived(): void {
    if (!this.arriving) return;
    this.arriving = false;
    this.budget.unwatch(this);
    this.giveSmall();
  }

  /** Releases the reservation. */
  release(): void {
    this.arrived();
    if (!this.large) return;
    this.budget.give(this.large.owner, this.large.bytes);
    this.large = undefined;
    this.request.body = undefined;
    delete this.request.bodyBytes;
  }

  /** Ends a body that arrives too slowly. Bytes that are waiting to be read are not the sender's fault. */
  check(): void {
    const { limits } = this.budget;
    this.checks += 1;
    if (this.checks < limits.checks) return;
    const delivered = this.received - this.receivedBefore;
    if (delivered < limits.minBytes && this.request.readableLength === 0) {
      this.end(tooSlow(limits));
    }
    this.checks = 0;
    this.receivedBefore = this.received;
  }

  endIfSmall(reason: AppError): void {
    if (this.small === 0) return;
    this.giveSmall();
    this.end(reason);
  }

  private giveSmall(): void {
    this.budget.giveSmall(this.small);
    this.small = 0;
  }
}

function ownerOf({ principal, ip = '' }: Request): BodyOwner {
  return { account: principal?.accountId ?? '', address: clientNetwork(ip) };
}

export function shareIsFull(
  kind: keyof BodyOwner,
  { share, smallBody }: Pick<BodyLimits, 'share' | 'smallBody'>,
): AppError {
  const whose = kind === 'account' ? 'This account' : 'Your address';
  return new AppError(
    'rate_limited',
    `${whose} is already sending ${inMib(share)} of request bodies, the maximum. Wait until one of them finishes. Bodies of up to ${inKib(smallBody)} are always accepted.`,
    { limit: share, retryAfter: RETRY_AFTER_SECONDS },
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

function budgetIsFull({ bytes, smallBody }: Pick<BodyLimits, 'bytes' | 'smallBody'>): AppError {
  return new AppError(
    'unavailable',
    `The service is already reading ${inMib(bytes)} of request bodies, the maximum. Try again shortly. Bodies of up to ${inKib(smallBody)} are always accepted.`,
    undefined,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

function crowdedOut(): AppError {
  return new AppError(
    'unavailable',
    'Too many request bodies were arriving at once, and this one had been arriving longest. Send it again.',
    undefined,
    { retryAfterSeconds: 1 },
  );
}

function tooSlow({ minBytes, checks, checkMs }: BodyLimits): AppError {
  return new AppError(
    'request_timeout',
    `The body arrives too slowly: less than ${String(minBytes)} bytes in ${String((checks * checkMs) / 1000)} seconds. Send it again.`,
    { minBytes },
  );
}

function inMib(bytes: number): string {
  return `${String(Math.round(bytes / MIB))} MiB`;
}

function inKib(bytes: number): string {
  return `${String(Math.round(bytes / 1024))} KiB`;
}
