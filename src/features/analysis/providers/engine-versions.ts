import type { Config } from '../../../platform/config/config.js';
import type { EngineVersion } from '@document-service/text-analysis/analysis';
import type { ProviderName } from './analysis-provider.js';
import { modelEngine } from './model/model-engine.js';
import { OFFLINE_ENGINE } from '@document-service/text-analysis/engine-version';

/** The engine of a provider, for who does not run it. */
export function engineOf(provider: ProviderName, config: Pick<Config, 'model'>): EngineVersion {
  return provider === 'model' ? modelEngine(config.model) : OFFLINE_ENGINE;
}
