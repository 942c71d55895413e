import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { allPages, LARGEST_PAGE } from '../../api/all-pages.js';
import { bodyOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { showDone } from '../../components/messages.js';

export type StyleRules = components['schemas']['StyleRules'];
export type StyleRule = StyleRules['rules'][number];

/** Scope for writing and activating rules. */
export const WRITE_RULES = 'documents:write';

/** Older versions are not shown. */
const MOST_VERSIONS = 1_000;

/** Loads all versions, newest first. */
export function useStyleRules() {
  const { id, api } = useAccount();
  return useQuery({
    queryKey: [id, 'style-rules'],
    queryFn: () =>
      allPages(
        (cursor) =>
          bodyOf(
            api.GET('/v1/style-rules', { params: { query: { limit: LARGEST_PAGE, cursor } } }),
          ),
        { most: MOST_VERSIONS },
      ),
  });
}

/** Activates a version, or none. */
export function useActivation() {
  const { id, api } = useAccount();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (version: number | undefined) => {
      if (version === undefined) {
        await api.POST('/v1/style-rules/deactivate');
      } else {
        const path = { version };
        await api.POST('/v1/style-rules/{version}/activate', { params: { path } });
      }
    },
    onSuccess: async (_, version) => {
      showDone(
        version === undefined
          ? 'No active style rules.'
          : `Version ${String(version)} of the style rules is active.`,
      );
      await queryClient.invalidateQueries({ queryKey: [id, 'style-rules'] });
    },
  });
}

/** Returns what a rule does, in words. */
export function ruleInWords(rule: StyleRule): string {
  switch (rule.kind) {
    case 'accepted':
      return `Accepted: ${rule.words.join(', ')}`;
    case 'replacement':
      return `${rule.from.join(', ')} → ${rule.to}`;
    case 'banned':
      return `Avoid: ${rule.phrases.join(', ')}`;
    case 'pattern':
      return typeof rule.replacement === 'string'
        ? `/${rule.pattern}/ → ${rule.replacement}`
        : `/${rule.pattern}/`;
    case 'occurrence':
      return `/${rule.pattern}/ at most ${String(rule.max)} times per ${rule.scope}`;
  }
}

/** Badge colors of severities. */
export const SEVERITY_COLORS = { error: 'red', warning: 'orange', style: 'blue' } as const;
