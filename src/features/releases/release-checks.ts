import { Injectable } from '@nestjs/common';
import { systemContext } from '../auth/request-context.js';
import {
  RunsInBackground,
  type BackgroundTask,
} from '../../platform/background/background-tasks.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { ReleasePublishingService } from './release-publishing.service.js';
import { ReleasesRepository } from './releases.repository.js';

/** Orders the analyses that scheduled releases need: after a change of the release, and again shortly before it is due. */
@RunsInBackground({ name: 'The analysis of scheduled releases', everyMs: 5_000 })
@Injectable()
export class ReleaseChecks implements BackgroundTask {
  constructor(
    private readonly clock: Clock,
    private readonly releases: ReleasesRepository,
    private readonly publishing: ReleasePublishingService,
  ) {}

  async runBatch(): Promise<boolean> {
    const release = await this.releases.claimUnchecked(this.clock.now());
    if (!release) return false;
    const context = systemContext('service', release.accountId, release.updatedBy);
    await this.publishing.orderMissing(release, context);
    return true;
  }
}
