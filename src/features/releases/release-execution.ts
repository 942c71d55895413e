import { Injectable } from '@nestjs/common';
import { systemContext, type RequestContext } from '../auth/request-context.js';
import {
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../platform/background/background-tasks.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database } from '../../platform/database/database.js';
import {
  PublicationGate,
  type RefusedVersion,
} from '../documents/publishing/publication-gate.service.js';
import { ANALYSIS_MINUTES, MAX_HOURS_LATE, type Release, type ReleaseItem } from './release.js';
import { ReleasePublishingService } from './release-publishing.service.js';
import { ReleasesRepository, type ClaimedRelease } from './releases.repository.js';

/** Undoes the publications of a release because of its items with problems. */
class ItemsRefused extends Error {
  constructor(readonly items: readonly ReleaseItem[]) {
    super('A release was refused.');
  }
}

/** Undoes everything, because the release must wait for analyses. */
class AnalysesMissing extends Error {
  constructor(
    readonly refused: readonly RefusedVersion[],
    readonly context: RequestContext,
  ) {
    super('A release waits for analyses.');
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
    private readonly gate: PublicationGate,
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
      if (!(error instanceof AnalysesMissing)) throw error;
      await this.gate.orderMissing(error.refused, error.context);
      return true;
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
        const { items: done, refused } = await this.publishing.publish(release, context);
        const withProblems = done.filter(({ problems }) => problems.length > 0);
        if (withProblems.length === 0) return done;
        if (withProblems.every(needsOnlyAnalysis) && this.canWait(release))
          throw new AnalysesMissing(refused, context);
        throw new ItemsRefused(done);
      });
      return { status: 'published' as const, items };
    } catch (error) {
      if (!(error instanceof ItemsRefused)) throw error;
      const items = error.items.map((item) => ({ ...item, outcome: null }));
      return { status: 'failed' as const, items };
    }
  }

  /** True if the release may still wait for analyses. */
  private canWait({ publishAt }: Release): boolean {
    const dueAt = publishAt?.getTime() ?? 0;
    return this.clock.now().getTime() < dueAt + ANALYSIS_MINUTES * MINUTE_MS;
  }
}

function needsOnlyAnalysis({ problems }: ReleaseItem): boolean {
  return problems.every(({ check }) => check === 'analysis_missing');
}

function late(item: ReleaseItem): ReleaseItem {
  const issue = `The service could not publish it for ${String(MAX_HOURS_LATE)} hours. Create another release.`;
  return { ...item, problems: [{ check: 'late', issue }] };
}
