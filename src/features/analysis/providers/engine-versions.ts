import type { EngineVersion } from '@document-service/text-analysis/analysis';
import { OFFLINE_ENGINE } from '@document-service/text-analysis/engine-version';
import type { Config } from '../../../platform/config/config.js';
import type { ModelSettings } from '../../../platform/config/model-settings.js';
import type { ProviderName } from './analysis-provider.js';

/** Returns the engine of a provider, without loading the provider. */
export function engineOf(provider: ProviderName, config: Pick<Config, 'model'>): EngineVersion {
  return provider === 'model' ? modelEngine(config.model) : OFFLINE_ENGINE;
}

/** Increment when prompts or response checks change the findings. It invalidates stored analyses. */
const VERSION = '1.0.0';

/** The engine depends on the model and on the version of the offline rules that run with it. */
export function modelEngine(settings: Pick<ModelSettings, 'model'> | undefined): EngineVersion {
  return {
    name: `model:${settings?.model ?? 'none'}`,
    version: `${VERSION}+offline.${OFFLINE_ENGINE.version}`,
  };
}
