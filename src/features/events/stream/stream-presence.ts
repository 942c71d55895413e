import { Injectable } from '@nestjs/common';
import type { Access } from '../../auth/access/access.js';
import type { Principal } from '../../auth/principal.js';

/** An event stream that receives the presence of some documents. */
export interface PresenceFollower {
  principal: Principal;
  /** UUIDs. */
  documentIds: readonly string[];
  /** Sends a complete block. Returns false if the client has not read everything yet. */
  send: (block: Buffer) => boolean;
  /** Returns the access of the principal now; undefined if the stream has ended. */
  currentAccess: () => Promise<Access | undefined>;
}

/** Follows who is in documents on behalf of event streams. */
export interface PresenceSource {
  /** Counts the follower as viewing its documents until the returned function is called. */
  follow: (follower: PresenceFollower) => () => void;
}

/** Where streams find the source of presence. The feature that has it registers it at startup. */
@Injectable()
export class StreamPresence {
  private source: PresenceSource | undefined;

  register(source: PresenceSource): void {
    this.source = source;
  }

  follow(follower: PresenceFollower): () => void {
    return this.source?.follow(follower) ?? (() => undefined);
  }
}
