import type { ModelSettings } from '../../../../platform/config/model-settings.js';
import type { EngineVersion } from '@document-service/text-analysis/analysis';
import { OFFLINE_ENGINE } from '@document-service/text-analysis/engine-version';

/** Raised with every change of prompts and of what is kept of answers: analyses by another version are made anew. */
const VERSION = '1.0.0';

/** Another model is another engine, and so is another version of the rules that it works beside. */
export function modelEngine(settings: Pick<ModelSettings, 'model'> | undefined): EngineVersion {
  return {
    name: `model:${settings?.model ?? 'none'}`,
    version: `${VERSION}+offline.${OFFLINE_ENGINE.version}`,
  };
}
