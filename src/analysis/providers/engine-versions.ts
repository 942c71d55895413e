import type { Config } from '../../config/config.js';
import type { EngineVersion } from '../analysis.js';
import type { ProviderName } from './analysis-provider.js';
import { modelEngine } from './model/model-engine.js';
import { OFFLINE_ENGINE } from './offline/engine-version.js';

/** The engine of a provider, for who does not run it. */
export function engineOf(provider: ProviderName, config: Pick<Config, 'model'>): EngineVersion {
  return provider === 'model' ? modelEngine(config.model) : OFFLINE_ENGINE;
}
