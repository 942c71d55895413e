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
    'Tells the plan of the account, how many requests are left in this minute, hour and day, and how much room there is.',
  input: z.strictObject({}),
  output: z.looseObject({ plan: z.string(), next }),
  effect: 'reads',
  run: async (_, api) => {
    const { data } = await api.get<Usage>('/usage');
    return { ...data, next: 'Each tool takes at least one request.' };
  },
});
