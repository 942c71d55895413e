import { Injectable } from '@nestjs/common';
import type { AnalysisProvider, ProviderName } from './analysis-provider.js';
import { ModelProvider } from './model/model-provider.js';
import { OfflineProvider } from './offline/offline-provider.js';

/** The providers of this process, by name. */
@Injectable()
export class AnalysisProviders {
  private readonly byName: Readonly<Record<ProviderName, AnalysisProvider>>;

  constructor(offline: OfflineProvider, model: ModelProvider) {
    this.byName = { offline, model };
  }

  of(name: ProviderName): AnalysisProvider {
    return this.byName[name];
  }
}
