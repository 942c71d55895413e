import { z } from 'zod';
import { next } from '../schemas.js';
import { defineTool } from '../tool.js';

interface Usage {
  plan: string;
  quotas: Record<string, unknown>;
  rateLimits: Record<string, unknown>;
}

export const getUsage = defineTool({
  name: 'get_usage',
  title: 'See plan and limits',
  description:
    'Returns the plan of the account, the remaining requests in this minute, hour and day, and the remaining quotas.',
  input: z.strictObject({}),
  output: z.looseObject({ plan: z.string(), next }),
  effect: 'reads',
  scopes: ['usage:read'],
  run: async (_, api) => {
    const { data } = await api.get<Usage>('/usage');
    return { ...data, next: 'Each tool call uses at least one request.' };
  },
});

interface Me {
  kind: string;
  key: { id: string; name: string; expiresAt: string | null } | null;
  scopes: string[];
  account: { id: string; name: string; plan: string };
}

export const whoami = defineTool({
  name: 'whoami',
  title: 'Identify the API key',
  description: 'Returns the API key in use, its scopes, its account and the plan.',
  input: z.strictObject({}),
  output: z.looseObject({
    key: z.looseObject({ id: z.string(), name: z.string() }).nullable(),
    scopes: z.array(z.string()),
    account: z.looseObject({ id: z.string(), name: z.string() }),
    next,
  }),
  effect: 'reads',
  scopes: [],
  run: async (_, api) => {
    const { data } = await api.get<Me>('/me');
    const { key, scopes, account } = data;
    return {
      key: key && { id: key.id, name: key.name, expiresAt: key.expiresAt },
      scopes,
      account,
      next: 'A tool without its scope is refused, and names the missing scope.',
    };
  },
});
