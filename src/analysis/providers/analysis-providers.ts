import { Injectable } from '@nestjs/common';
import type { AnalysisProvider, ProviderName } from './analysis-provider.js';
import { OfflineProvider } from './offline/offline-provider.js';

/** The providers of this process, by name. */
@Injectable()
export class AnalysisProviders {
  constructor(private readonly offline: OfflineProvider) {}

  of(_name: ProviderName): AnalysisProvider {
    return this.offline;
  }
}
