import type { EngineVersion } from '../analysis.js';
import type { ProviderName } from './analysis-provider.js';
import { OFFLINE_ENGINE } from './offline/engine-version.js';

/** The engine of a provider, for who does not run it. */
export function engineOf(_provider: ProviderName): EngineVersion {
  return OFFLINE_ENGINE;
}
