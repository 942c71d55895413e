import { Injectable } from '@nestjs/common';
import { systemContext, type RequestContext } from '../auth/request-context.js';
import {
  RunsInBackground,
  type BackgroundTask,
} from '../../platform/background/background-tasks.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database } from '../../platform/database/database.js';
import { MAX_HOURS_LATE, type ReleaseItem } from './release.js';
import { ReleasePublishingService } from './release-publishing.service.js';
import { ReleasesRepository, type ClaimedRelease } from './releases.repository.js';

/** Undoes the publications of a release because of its items with problems. */
class ItemsRefused extends Error {
  constructor(readonly items: readonly ReleaseItem[]) {
    super('A release was refused.');
  }
}

/**
 * Publishes scheduled releases. The publications and the state of the release commit together, so a worker that is killed
 * leaves both or neither (docs/adr/0045-releases.md).
 */
@RunsInBackground({ name: 'The publication of scheduled releases', everyMs: 1_000 })
@Injectable()
export class ReleaseExecution implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly releases: ReleasesRepository,
    private readonly publishing: ReleasePublishingService,
  ) {}

  async runBatch(): Promise<boolean> {
    let claimed: ClaimedRelease | undefined;
    try {
      return await this.database.transaction(async () => {
        claimed = await this.releases.claim(this.clock.now());
        if (claimed) await this.run(claimed);
        return claimed !== undefined;
      });
    } catch (error) {
      // Releases of others must not wait for one that cannot be published at the moment.
      if (claimed) await this.releases.postpone(claimed.id);
      throw error;
    }
  }

  private async run(release: ClaimedRelease): Promise<void> {
    // Whoever made the last change may have left since. Their rights were checked then.
    const context = systemContext('service', release.accountId, release.updatedBy);
    const { status, items } = release.isLate
      ? { status: 'failed' as const, items: release.items.map(late) }
      : await this.publish(release, context);
    await this.publishing.end(release, { status, items }, context);
  }

  private async publish(release: ClaimedRelease, context: RequestContext) {
    try {
      const items = await this.database.savepoint(async () => {
        const published = await this.publishing.publish(release, context);
        if (published.some(({ problems }) => problems.length > 0))
          throw new ItemsRefused(published);
        return published;
      });
      return { status: 'published' as const, items };
    } catch (error) {
      if (!(error instanceof ItemsRefused)) throw error;
      const items = error.items.map((item) => ({ ...item, outcome: null }));
      return { status: 'failed' as const, items };
    }
  }
}

function late(item: ReleaseItem): ReleaseItem {
  const issue = `The service could not publish it for ${String(MAX_HOURS_LATE)} hours. Create another release.`;
  return { ...item, problems: [{ check: 'late', issue }] };
}
