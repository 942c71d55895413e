import { Injectable } from '@nestjs/common';
import type { AnalysisProvider, ProviderName } from './analysis-provider.js';
import { ModelProvider } from './model/model-provider.js';
import { OfflineProvider } from './offline/offline-provider.js';

/** Looks up providers by name. */
@Injectable()
export class AnalysisProviders {
  private readonly byName: Readonly<Record<ProviderName, AnalysisProvider>>;

  constructor(offline: OfflineProvider, model: ModelProvider) {
    this.byName = { offline, model };
  }

  get(name: ProviderName): AnalysisProvider {
    return this.byName[name];
  }
}
