import { Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { CHECKS, type AnalysisSettings } from '@document-service/text-analysis/analysis';
import {
  BackgroundWork,
  BackgroundWorkModule,
} from '../../../../platform/background/background-work.js';
import { Config } from '../../../../platform/config/config.js';
import { Log } from '../../../../platform/operation/log.js';
import { AnalysisJobsModule } from '../../analysis-jobs.module.js';
import { OfflineProvider } from './offline-provider.js';

/** Uses Harper, the dictionaries and the language model, so it loads what any short English text needs. */
const TEXT = 'This sentance has a error, and it need the the engine.';
/** Memory of the loaded engine with a margin, in bytes. A process with less would be killed, or others swapped out. */
const NEEDED_BYTES = 600 * 1024 ** 2;

/**
 * Analyzes a text after the start, so that the first text of a client does not wait until the engine has loaded. The threads
 * have a lower priority than requests.
 */
@Injectable()
export class EngineWarmUp implements OnApplicationBootstrap {
  private readonly ending = new AbortController();

  constructor(
    private readonly offline: OfflineProvider,
    private readonly work: BackgroundWork,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.warmUp) return;
    this.work.run(
      () => this.warmUp(),
      () => {
        this.ending.abort();
      },
    );
  }

  /** Memory that this process can still take, within the limit of its container. */
  availableBytes(): number {
    return process.availableMemory();
  }

  private async warmUp(): Promise<void> {
    if (this.availableBytes() < NEEDED_BYTES) {
      this.log.info(
        {},
        'The first analysis loads the engine, because this process has little memory.',
      );
      return;
    }
    const text = { content: TEXT, format: 'plain', dismissed: [], kept: null } as const;
    const settings: AnalysisSettings = {
      checks: [...CHECKS],
      language: 'en',
      suggestionLevel: 'high',
    };
    const rules = { words: [], styleRules: [] };
    try {
      await this.offline.analyze(
        { accountId: 'warm-up', ...text, settings, rules },
        this.ending.signal,
      );
    } catch (error) {
      // The first text of a client reports the problem.
      this.log.debug({ err: error }, 'the engine could not be loaded');
    }
  }
}

/** Separate from {@link AnalysisJobsModule}, which job threads also load. */
@Module({ imports: [AnalysisJobsModule, BackgroundWorkModule], providers: [EngineWarmUp] })
export class EngineWarmUpModule {}
