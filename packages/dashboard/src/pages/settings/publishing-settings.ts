import { useQueryClient } from '@tanstack/react-query';
import { dataOf, type V1Client } from '../../api/client.js';
import type { PublishingSettings } from '../../api/publishing.js';
import { useAccount } from '../../api/session.js';

export interface SettingsProps {
  settings: PublishingSettings;
  mayChange: boolean;
}

/** Replaces the settings, except what the service sets. */
export function putSettings(
  api: V1Client,
  { enabled, cacheSeconds, sharedCache, rules }: PublishingSettings,
) {
  return dataOf(api.PUT('/v1/publishing', { body: { enabled, cacheSeconds, sharedCache, rules } }));
}

/** Returns a function that shows changed settings on all pages. */
export function useSaved() {
  const { id } = useAccount();
  const queryClient = useQueryClient();
  return (changed: PublishingSettings) => {
    queryClient.setQueryData([id, 'publishing'], changed);
  };
}
