import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AccessFactory } from '../../auth/access/access-factory.js';
import { DocumentPlaces } from '../../auth/access/document-places.js';
import { Authenticators } from '../../auth/guards/authenticators.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { HEARTBEAT, OPENING, writeStreamHead } from '../../events/stream/event-stream.js';
import { StreamTimes, tooManyStreams } from '../../events/stream/event-streams.js';
import { Drain } from '../../../platform/http/server/drain.js';
import { sampleId } from '../../../platform/openapi/schemas.js';
import { Log } from '../../../platform/operation/log.js';
import { presentHead, shownStatus } from './enhancement.presenter.js';
import { EnhancementsRepository, type EnhancementHead } from './enhancements.repository.js';

/** Maximum open streams of one account in this process. */
const MAX_STREAMS_PER_ACCOUNT = 20;
const MAX_STREAMS = 1_000;

/** Number of polls between two checks that clients may still follow: one second. */
const POLLS_PER_CHECK = 5;

/** A client that follows an enhancement. */
interface Follower {
  accountId: string;
  /** UUID of the enhancement. */
  id: string;
  /** UUID. */
  documentId: string;
  request: Request;
  response: Response;
  /** Last message sent, to avoid duplicates. */
  sent: string;
  writtenAt: number;
}

/** Streams the progress of enhancements to clients. One poll loop serves all streams of the process while any is open. */
@Injectable()
export class EnhancementStreams implements BeforeApplicationShutdown {
  private readonly followers = new Set<Follower>();
  private timer: NodeJS.Timeout | undefined;
  private polls = 0;
  private polling: Promise<void> | undefined;
  private ending = false;

  constructor(
    private readonly enhancements: EnhancementsRepository,
    private readonly authenticators: Authenticators,
    private readonly accesses: AccessFactory,
    private readonly places: DocumentPlaces,
    drain: Drain,
    private readonly log: Log,
    private readonly times: StreamTimes,
  ) {
    drain.onClosing(() => {
      this.endAll();
    });
  }

  /** Opens a stream. Throws `rate_limited` or `unavailable` before it writes anything if too many streams are open. */
  open(accountId: string, head: EnhancementHead, response: Response): void {
    const ofAccount = [...this.followers].filter((follower) => follower.accountId === accountId);
    if (ofAccount.length >= MAX_STREAMS_PER_ACCOUNT) {
      throw tooManyStreams('account', MAX_STREAMS_PER_ACCOUNT);
    }
    if (this.followers.size >= MAX_STREAMS) throw streamsAreFull();
    const { req: request } = response;
    const { id, documentId } = head;
    const follower = { accountId, id, documentId, request, response, sent: '', writtenAt: 0 };
    // A broken connection also emits `close`, which cleans up.
    response.on('error', () => undefined);
    writeStreamHead(response);
    write(follower, OPENING);
    send(follower, head);
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
    await this.polling;
  }

  private begin(): void {
    this.timer = setInterval(() => {
      this.polling ??= this.poll().finally(() => (this.polling = undefined));
    }, this.times.pollMs).unref();
  }

  private async poll(): Promise<void> {
    try {
      const followers = [...this.followers];
      const heads = await this.enhancements.progress([...new Set(followers.map(({ id }) => id))]);
      const byId = new Map(heads.map((head) => [head.id, head]));
      for (const follower of followers) {
        const head = byId.get(follower.id);
        if (head) send(follower, head);
        else follower.response.end();
        this.beat(follower);
      }
      this.polls += 1;
      if (this.polls % POLLS_PER_CHECK === 0) await this.endUnauthorized();
    } catch (error) {
      this.log.warn(
        { err: error },
        'Could not read the state of enhancements; streams will retry.',
      );
    }
  }

  /** Sends a heartbeat after a period without messages. */
  private beat(follower: Follower): void {
    const silent = performance.now() - follower.writtenAt >= this.times.heartbeatMs;
    if (silent && !follower.response.writableNeedDrain) write(follower, HEARTBEAT);
  }

  /** Ends streams whose key was revoked or has expired, and those of clients who cannot see the document any more. */
  private async endUnauthorized(): Promise<void> {
    await Promise.all(
      [...this.followers].map(async (follower) => {
        if (!(await this.mayFollow(follower))) follower.response.end();
      }),
    );
  }

  private async mayFollow({ request, documentId }: Follower): Promise<boolean> {
    const principal = await this.authenticators.authenticateAgain(request, ['documents:read']);
    if (!principal) return false;
    const access = await this.accesses.accessOf(principal);
    return access.isWhole || (await this.places.of(access, [documentId])).has(documentId);
  }

  private endAll(): void {
    this.ending = true;
    clearInterval(this.timer);
    for (const { response } of this.followers) response.end();
  }
}

/** Sends the state of the enhancement if it has changed. Ends the stream if the enhancement is finished. */
function send(follower: Follower, head: EnhancementHead): void {
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

/** Error for a stream beyond {@link MAX_STREAMS}. */
function streamsAreFull(): AppError {
  return new AppError('unavailable', 'Too many streams are open. Try again shortly.', undefined, {
    retryAfterSeconds: 10,
  });
}

/** Example in the API reference. */
export const ENHANCEMENT_STREAM_EXAMPLE =
  OPENING +
  block('progress', { status: 'running', done: 0, total: null }) +
  `event: done\ndata: {"id":"${sampleId('enhancement')}","status":"proposed",…}\n\n`;
