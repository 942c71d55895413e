import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Authenticators } from '../../access/auth/guards/authenticators.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { HEARTBEAT, OPENING, writeStreamHead } from '../../events/stream/event-stream.js';
import { StreamTimes, tooManyStreams } from '../../events/stream/event-streams.js';
import { Drain } from '../../../platform/http/server/drain.js';
import { sampleId } from '../../../platform/openapi/schemas.js';
import { Log } from '../../../platform/operation/log.js';
import { presentHead, shownStatus } from './enhancement.presenter.js';
import { EnhancementsRepository, type EnhancementHead } from './enhancements.repository.js';

/** Most open streams of an account, and of all accounts, in one process. */
const MAX_STREAMS_PER_ACCOUNT = 20;
const MAX_STREAMS = 1_000;

/** Looks at the state of jobs between two looks at keys. */
const LOOKS_PER_UPKEEP = 5;

/** The client that follows an enhancement. */
interface Follower {
  accountId: string;
  /** UUID of the enhancement. */
  id: string;
  request: Request;
  response: Response;
  /** What was sent last, so that nothing is sent twice. */
  sent: string;
  writtenAt: number;
}

/**
 * Tells clients how far their enhancements are, until they are made. One loop asks the database for all streams of the
 * process, and only while there are some.
 */
@Injectable()
export class EnhancementStreams implements BeforeApplicationShutdown {
  private readonly followers = new Set<Follower>();
  private timer: NodeJS.Timeout | undefined;
  private looks = 0;
  private looking: Promise<void> | undefined;
  private ending = false;

  constructor(
    private readonly enhancements: EnhancementsRepository,
    private readonly authenticators: Authenticators,
    drain: Drain,
    private readonly log: Log,
    private readonly times: StreamTimes,
  ) {
    drain.onClosing(() => {
      this.endAll();
    });
  }

  /** Answers with a stream. Throws, before anything is written, `rate_limited` or `unavailable` when there are too many. */
  open(accountId: string, head: EnhancementHead, response: Response): void {
    const ofAccount = [...this.followers].filter((follower) => follower.accountId === accountId);
    if (ofAccount.length >= MAX_STREAMS_PER_ACCOUNT) throw tooManyStreams();
    if (this.followers.size >= MAX_STREAMS) throw streamsAreFull();
    const { req: request } = response;
    const follower = { accountId, id: head.id, request, response, sent: '', writtenAt: 0 };
    // A connection that breaks is closed, and that is all there is to do.
    response.on('error', () => undefined);
    writeStreamHead(response);
    write(follower, OPENING);
    tell(follower, head);
    if (this.ending) response.end();
    if (response.writableEnded) return;
    this.followers.add(follower);
    response.once('close', () => {
      this.followers.delete(follower);
      if (this.followers.size === 0) clearInterval(this.timer);
    });
    if (this.followers.size === 1) this.begin();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.endAll();
    await this.looking;
  }

  private begin(): void {
    this.timer = setInterval(() => {
      this.looking ??= this.look().finally(() => (this.looking = undefined));
    }, this.times.pollMs).unref();
  }

  private async look(): Promise<void> {
    try {
      const followers = [...this.followers];
      const heads = await this.enhancements.progress([...new Set(followers.map(({ id }) => id))]);
      const byId = new Map(heads.map((head) => [head.id, head]));
      for (const follower of followers) {
        const head = byId.get(follower.id);
        if (head) tell(follower, head);
        else follower.response.end();
        this.beat(follower);
      }
      this.looks += 1;
      if (this.looks % LOOKS_PER_UPKEEP === 0) await this.endThoseRefusedNow();
    } catch (error) {
      this.log.warn({ err: error }, 'Streams of enhancements wait: their state could not be read.');
    }
  }

  /** Says that the connection lives when nothing else was said for a while. */
  private beat(follower: Follower): void {
    const silent = performance.now() - follower.writtenAt >= this.times.heartbeatMs;
    if (silent && !follower.response.writableNeedDrain) write(follower, HEARTBEAT);
  }

  /** Ends the streams whose request would be refused by now: their key was revoked or has expired. */
  private async endThoseRefusedNow(): Promise<void> {
    await Promise.all(
      [...this.followers].map(async ({ request, response }) => {
        if (!(await this.authenticators.isStillValid(request, 'documents:read'))) response.end();
      }),
    );
  }

  private endAll(): void {
    this.ending = true;
    clearInterval(this.timer);
    for (const { response } of this.followers) response.end();
  }
}

/** Says how far the enhancement is, if that is news, and ends the stream when it is made or has failed. */
function tell(follower: Follower, head: EnhancementHead): void {
  const { response } = follower;
  if (!response.writable || response.writableNeedDrain) return;
  const message = messageOf(head);
  if (message === follower.sent) return;
  follower.sent = message;
  write(follower, message);
  if (shownStatus(head) !== 'pending') response.end();
}

function messageOf(head: EnhancementHead): string {
  const status = shownStatus(head);
  if (status === 'failed') return block('failed', presentHead(head));
  if (status !== 'pending') return block('done', presentHead(head));
  const { done, total, jobStatus } = head;
  return block('progress', { status: jobStatus, done: done ?? 0, total });
}

function block(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function write(follower: Follower, text: string): void {
  if (!follower.response.writable) return;
  follower.writtenAt = performance.now();
  follower.response.write(text);
}

/** The answer to a stream beyond {@link MAX_STREAMS}. */
function streamsAreFull(): AppError {
  return new AppError(
    'unavailable',
    'This process has as many open streams as it can hold. Try again shortly.',
    undefined,
    { retryAfterSeconds: 10 },
  );
}

/** What the API document shows of a stream. */
export const ENHANCEMENT_STREAM_EXAMPLE =
  OPENING +
  block('progress', { status: 'running', done: 0, total: null }) +
  `event: done\ndata: {"id":"${sampleId('enhancement')}","status":"proposed",…}\n\n`;
