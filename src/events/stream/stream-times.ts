import { Injectable } from '@nestjs/common';

/** The rhythm of event streams, in milliseconds. */
@Injectable()
export class StreamTimes {
  /** Between two looks for new events, while any stream is open. */
  pollMs = 200;
  /** Between two looks at the streams themselves: their keys and their silence. */
  upkeepMs = 1_000;
  /** Silence after which a comment is sent; proxies commonly close a connection after 30 seconds or more. */
  heartbeatMs = 15_000;
}
