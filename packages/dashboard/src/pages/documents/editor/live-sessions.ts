/** How long other tabs have to say which sessions are theirs, in ms. */
const ANSWER_WITHIN = 300;

/** Sessions of this tab, whose drafts no other tab may continue. */
const ours = new Set<string>();
const channel = new BroadcastChannel('document-sessions');

interface Message {
  ask?: string[];
  live?: string[];
}

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  const live = data.ask?.filter((id) => ours.has(id)) ?? [];
  if (live.length > 0) channel.postMessage({ live } satisfies Message);
});

export function addLive(sessionId: string): void {
  ours.add(sessionId);
}

export function removeLive(sessionId: string): void {
  ours.delete(sessionId);
}

/** Returns those of the sessions that this tab or another open one has. */
export async function liveSessions(sessionIds: string[]): Promise<Set<string>> {
  const live = new Set(sessionIds.filter((id) => ours.has(id)));
  if (live.size === sessionIds.length) return live;
  const hear = ({ data }: MessageEvent<Message>) => {
    for (const id of data.live ?? []) live.add(id);
  };
  channel.addEventListener('message', hear);
  channel.postMessage({ ask: sessionIds } satisfies Message);
  await new Promise((resolve) => setTimeout(resolve, ANSWER_WITHIN));
  channel.removeEventListener('message', hear);
  return live;
}
