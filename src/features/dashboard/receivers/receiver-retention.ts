import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../../platform/background/background-tasks.js';
import { TestReceivers } from './test-receivers.service.js';

const BATCH = 100;

/** Removes receivers with all they have got when their day is over. */
@RunsInBackground({ name: 'The removal of expired test receivers', everyMs: HOUR_MS })
@Injectable()
export class ReceiverRetention implements BackgroundTask {
  constructor(private readonly receivers: TestReceivers) {}

  async runBatch(): Promise<boolean> {
    return (await this.receivers.removeExpired(BATCH)) === BATCH;
  }
}
